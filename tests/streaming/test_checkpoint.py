"""A stream goes on with the same settings, and says why it cannot with others."""

import pytest

from vericap.errors import InputError
from vericap.streaming.checkpoint import Checkpoint, load
from vericap.streaming.totals import Totals

SETTINGS = {"metrics": ["bleu-4"], "batch_size": 10, "input": [["a.jsonl", 5, 7]]}


def test_what_was_saved_is_found_again(tmp_path):
    Checkpoint(SETTINGS, Totals(rows=30), {"bytes": 99}).save(tmp_path / "state.json")
    again = load(tmp_path / "state.json", SETTINGS)
    assert (again.totals.rows, again.written, again.finished) == (30, {"bytes": 99}, False)
    assert not list(tmp_path.glob("*.partial"))


@pytest.mark.parametrize(
    ("change", "field"),
    [({"metrics": ["bleu-3"]}, "metrics"), ({"input": [["a.jsonl", 6, 8]]}, "input"), ({"missing": "drop"}, "missing")],
)
def test_other_settings_are_an_error_that_names_the_field_and_both_values(tmp_path, change, field):
    Checkpoint(SETTINGS).save(tmp_path / "state.json")
    with pytest.raises(InputError, match=f'field "{field}": the stream was started with .*, now it is '):
        load(tmp_path / "state.json", {**SETTINGS, **change})


@pytest.mark.parametrize("content", [b"", b"{}", b'{"format": 1, "settings": {'])
def test_a_damaged_state_is_an_error(tmp_path, content):
    (tmp_path / "state.json").write_bytes(content)
    with pytest.raises(InputError, match="cannot be read; delete the output"):
        load(tmp_path / "state.json", SETTINGS)


def test_a_state_that_cannot_be_written_is_an_error_and_leaves_the_old_one(tmp_path, monkeypatch):
    path = tmp_path / "state.json"
    Checkpoint({"metrics": ["ter"]}).save(path)
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        Checkpoint({"metrics": ["ter"]}, finished=True).save(path)
    assert path.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == ["state.json"]
