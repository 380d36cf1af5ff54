"""However a verb ends, it ends with a line and an exit code, and never with a traceback."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from pathlib import Path

import pytest

from vericap import cli


def end_of(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    monkeypatch.setattr("sys.argv", ["vericap", *arguments])
    with pytest.raises(SystemExit) as end:
        cli._run()
    return int(end.value.code or 0), capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (MemoryError(), 2, "the memory is full"),
        (RecursionError(), 2, "nested too deeply"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (FileNotFoundError(2, "No such file or directory", "x.json"), 2, "x.json: No such file or directory"),
    ],
)
def test_errors_of_the_machine_are_one_line(
    error: BaseException, code: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def app(prog_name: str) -> None:
        raise error

    monkeypatch.setattr(cli, "command_line", lambda verbs: app)
    found, printed = end_of([], monkeypatch, capsys)
    assert found == code and words in printed and len(printed.splitlines()) == 1


@pytest.mark.parametrize("end", [None, SystemExit(0), SystemExit(2), RuntimeError()])
def test_python_does_not_look_for_cycles_when_it_ends(
    end: BaseException | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is frozen is passed over, whether `main` returns or raises."""
    called: list[str] = []

    def run() -> None:
        called.append("run")
        if end is not None:
            raise end

    monkeypatch.setattr(cli, "_run", run)
    monkeypatch.setattr("gc.disable", lambda: called.append("disable"))
    monkeypatch.setattr("gc.freeze", lambda: called.append("freeze"))
    monkeypatch.setattr("warnings.showwarning", warnings.showwarning)  # put back at the end
    with nullcontext() if end is None else pytest.raises(type(end)):
        cli.main()
    assert called == ["disable", "run", "freeze"]


@pytest.fixture
def captions(tmp_path: Path) -> list[str]:
    (tmp_path / "c.json").write_text('{"1": "a dog runs", "2": "a cat"}')
    (tmp_path / "r.json").write_text('{"1": ["a dog"], "2": ["the cat"]}')
    return [str(tmp_path / "c.json"), "-r", str(tmp_path / "r.json")]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--scale", "0"], "use a number above 0"),
        (["--scale", "-1"], "use a number above 0"),
        (["--scale", "nan"], "use a number above 0"),
        (["--seed", "-1"], "use a whole number from 0"),
        (["--workers", "-3"], "use a whole number from 0 to 4,096"),
        (["-m", "cider-d(n=0)"], "use a whole number from 1"),
        (["-m", "cider-d(n=1000000)"], "use a whole number from 1"),
        (["--bootstrap", "-1"], "use a whole number from 0"),
        (["--field", "caption"], "is not role=column"),
        (["--field", "colour=x"], "is not a role of a field; choose one of image_id"),
        (["--json", "/no/such/folder/x.json"], "there is no folder /no/such/folder"),
        (["--output", "/no/such/folder/x.csv"], "there is no folder /no/such/folder"),
    ],
)
def test_arguments_that_cannot_be_say_what_they_may_be(
    options: list[str],
    words: str,
    captions: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, printed = end_of(["score", *captions, "-m", "bleu-1", *options], monkeypatch, capsys)
    assert code == 2 and words in printed and len(printed.splitlines()) == 1


def test_a_place_that_cannot_be_written_is_known_before_the_captions_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, printed = end_of(["score", "no-such-captions.json", "--json", "/no/x.json"], monkeypatch, capsys)
    assert code == 2 and "/no/x.json" in printed and "no-such-captions" not in printed


def test_points_of_a_curve_have_bounds(
    captions: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["figure", "references", "pascal-50s", "-d", "x", "--points", "1-1000000000000"]
    code, printed = end_of(arguments, monkeypatch, capsys)
    assert code == 2 and "points" in printed
