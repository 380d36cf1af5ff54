"""What other packages bring: found by entry point, one warning where it cannot be used, an error if asked for."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from vericap import Metric, evaluate, plugins
from vericap.errors import InputError, MetricError
from vericap.judging import benchmark, names
from vericap.metrics import _loaded_plugins, parse, registry
from vericap.plugins import PluginWarning, added, load_all
from vericap.text.tokenizers import signed_name, tokenizer


class Package:
    """A distribution that is installed."""

    def __init__(self, name: str, version: str = "1.0") -> None:
        self.name, self.version = name, version


Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Makes entry points known as if packages brought them: install("metrics", name="module:object", package="p")."""
    known: list[EntryPoint] = []

    def forget() -> None:
        for cached in (plugins.plugins, plugins._warn, _loaded_plugins):
            cached.cache_clear()

    def install(kind: str, package: str = "theirs", **points: str) -> None:
        for name, where in points.items():
            point = EntryPoint(name.replace("_", "-"), where, f"vericap.{kind}")
            known.append(point._for(Package(package)))  # type: ignore[attr-defined]
        forget()

    monkeypatch.setattr(plugins, "entry_points", lambda group: [each for each in known if each.group == group])
    forget()
    yield install
    monkeypatch.undo()
    forget()


@dataclass(frozen=True)
class Words(Metric):
    """How many words a caption has."""

    name: ClassVar[str] = "words"
    question: ClassVar = "fluency"
    needs: ClassVar[tuple[str, ...]] = ()
    range: ClassVar = (0.0, None)
    citation: ClassVar[str] = "Nobody."
    shape: "str" = "column"  # noqa: UP037  # a type that is written as a string

    def statistics(self, views: Any) -> Any:
        lengths = views.words.candidates.lengths
        return {"column": lengths[:, None], "short": np.zeros((1, 1)), "infinite": np.full((2, 1), np.inf)}[self.shape]

    def score(self, statistics: Any) -> Any:
        return statistics[:, 0]

    def explain(self, views: Any, i: int) -> Any:
        return self.explanation(views, i, 0.0, {})


class Bounded(Words):
    name: ClassVar[str] = "bounded"
    range: ClassVar = (0.0, 1.0)


class Summed(Words):
    name: ClassVar[str] = "summed"
    summed: ClassVar[bool] = True


def letters(caption: str) -> list[str]:
    return list(caption)


def numbers(caption: str) -> list[Any]:
    return [1, 2]


def fails(caption: str) -> list[str]:
    raise RuntimeError("no model")


CAPTIONS = {1: "a dog", 2: "a cat sits"}


def test_a_metric_of_a_package_is_found_by_its_key_in_any_case(install: Install) -> None:
    install("metrics", words="tests.test_plugins:Words")
    assert "words" in registry()
    assert str(parse("words(shape=short)")) == str(parse("WORDS(shape=short)")) == "words(shape=short)"
    assert evaluate(CAPTIONS, metrics="words")["words"].captions.tolist() == [2, 3]


def test_a_package_that_cannot_be_imported_is_one_warning_that_names_it(install: Install) -> None:
    install("metrics", words="tests.test_plugins:Words", broken="no_such_module:Metric")
    with pytest.warns(PluginWarning, match="metric 'broken' of the package theirs 1.0 cannot be loaded") as said:
        assert "words" in registry() and "broken" not in registry()
        registry()
    assert len(said) == 1


def test_a_broken_package_does_no_harm_unless_it_is_asked_for(install: Install) -> None:
    install("metrics", words="tests.test_plugins:Words", broken="no_such_module:Metric")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parse("bleu-4").key == "bleu-4"
        assert parse("words").key == "words"
    said = r"theirs 1\.0 cannot be loaded: ModuleNotFoundError.*; repair or uninstall theirs"
    with pytest.raises(InputError, match=said):
        parse("broken")


def test_what_is_not_a_metric_or_has_another_name_says_so(install: Install) -> None:
    install("metrics", letters="tests.test_plugins:letters", length="tests.test_plugins:Words")
    with pytest.raises(InputError, match="'letters' is not a metric"):
        parse("letters")
    with pytest.raises(InputError, match="'length' is a metric whose name is 'words'; give both the same name"):
        parse("length")


def test_built_in_names_win_with_one_warning(install: Install) -> None:
    install("metrics", rouge_l="tests.test_plugins:Words")
    with pytest.warns(PluginWarning, match="'rouge-l' of the package theirs 1.0 is ignored: Vericap has one") as said:
        added("metrics", ["rouge-l"])
        assert added("metrics", ["rouge-l"]) == {}
    assert len(said) == 1


def test_of_two_packages_with_one_name_the_first_is_used_with_a_warning(install: Install) -> None:
    install("metrics", package="second", words="tests.test_plugins:Bounded")
    install("metrics", package="first", words="tests.test_plugins:Words")
    said = r"of the package second 1\.0 is ignored: first 1\.0 has one of that name"
    with pytest.warns(PluginWarning, match=said):
        found = load_all("metrics", [])
    assert found == {"words": Words}


@pytest.mark.parametrize(
    ("metric", "problem"),
    [
        (Words("short"), r"words\(shape=short\): statistics of shape \(1, 1\) for 2 captions"),
        (Bounded("infinite"), r"bounded\(shape=infinite\): the score of caption 0 is inf, outside its range 0 to 1"),
        (Summed("infinite"), r"summed\(shape=infinite\): statistic 0 of caption 0 is inf; statistics that are summed"),
    ],
)
def test_what_a_metric_returns_is_checked_with_its_name(metric: Metric, problem: str) -> None:
    with pytest.raises(MetricError, match=problem):
        evaluate(CAPTIONS, metrics=[metric])


def test_a_metric_without_an_upper_bound_may_be_infinite() -> None:
    assert evaluate(CAPTIONS, metrics=[Words("infinite")])["words(shape=infinite)"].score == np.inf


def test_a_tokenizer_of_a_package_is_signed_with_it(install: Install) -> None:
    install("tokenizers", letters="tests.test_plugins:letters")
    found = evaluate({1: "ab"}, {1: ["abc"]}, metrics="bleu-1", tokenizer="letters")["bleu-1"]
    assert found.captions[0] == pytest.approx(np.exp(1 - 3 / 2))
    assert "|tokenizer:letters (theirs 1.0)|" in found.signature
    assert signed_name("ptb") == "ptb"


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        ("numbers", "returned something other than words for 'a dog'"),
        ("fails", "failed on 'a dog': RuntimeError: no model"),
    ],
)
def test_a_tokenizer_that_fails_is_named_with_its_package(install: Install, function: str, problem: str) -> None:
    install("tokenizers", mine=f"tests.test_plugins:{function}")
    with pytest.raises(InputError, match=rf"tokenizer 'mine' of the package theirs 1\.0 {problem}"):
        tokenizer("mine")(["a dog"], {})


def test_an_unknown_tokenizer_names_those_of_packages_too(install: Install) -> None:
    install("tokenizers", letters="tests.test_plugins:letters")
    with pytest.raises(InputError, match="use one of ptb, unicode, whitespace, rouge, none, letters"):
        tokenizer("jieba")


def test_benchmarks_of_packages_are_named_and_checked(install: Install) -> None:
    install("benchmarks", stars="tests.test_plugins:letters", again="vericap.judging.benchmarks.nebula:BENCHMARK")
    assert names()[-2:] == ("stars", "again")
    assert benchmark("again").name == "nebula"
    with pytest.raises(InputError, match=r"benchmark 'stars' of the package theirs 1\.0 is not a Benchmark"):
        benchmark("stars")
    with pytest.raises(InputError, match=r"no benchmark is called 'moons'; use one of .*, stars, again"):
        benchmark("moons")


@pytest.mark.parametrize("kind", ["dist-info", "egg-info"])
def test_packages_are_found_where_pip_installs_them(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / f"theirs-1.0.{kind}"
    about.mkdir()
    (about / ("METADATA" if kind == "dist-info" else "PKG-INFO")).write_text("Name: theirs\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[console_scripts]\ntheirs = a:b\n\n[vericap.readers]\nword = a:c\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert [(each.name, each.value) for each in plugins.entry_points("vericap.readers")] == [("word", "a:c")]
    assert not list(plugins.entry_points("vericap.read"))  # a group whose name is the beginning of another's


def test_packages_in_an_archive_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "theirs.zip", "w") as archive:
        archive.writestr("theirs-1.0.dist-info/METADATA", "Name: theirs\nVersion: 1.0\n")
        archive.writestr("theirs-1.0.dist-info/entry_points.txt", "[vericap.readers]\nword = a:c\n")
    monkeypatch.syspath_prepend(tmp_path / "theirs.zip")
    assert [each.name for each in plugins.entry_points("vericap.readers")] == ["word"]
