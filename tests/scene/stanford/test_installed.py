"""The grammar is found where it was registered, in its package, or in pycocoevalcap's jar."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from tests.scene.stanford.conftest import PACKAGE
from vericap.errors import InputError
from vericap.readers.storage.registered import registered
from vericap.scene.stanford import installed
from vericap.scene.stanford.installed import add_grammar, load_grammar
from vericap.scene.stanford.model_file import MEMBER


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder where nothing is registered, and a search path without packages that have a grammar."""
    monkeypatch.setenv("VERICAP_RESOURCES", str(tmp_path / "settings" / "resources.json"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site")])
    monkeypatch.setattr(sys, "meta_path", [f for f in sys.meta_path if "editable" not in f"{f}".lower()])
    for name in ("pycocoevalcap", "vericap_stanford_grammar"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_without_a_grammar_the_error_says_how_to_get_it(nowhere: Path) -> None:
    assert installed.grammar_file() is None
    with pytest.raises(
        InputError, match=r'not installed; pip install "vericap\[spice\]", or .*vericap resources add FILE'
    ):
        load_grammar()


def test_a_registered_grammar_is_copied_and_found(nowhere: Path, grammar_file: Path) -> None:
    copy = add_grammar(grammar_file)
    assert copy.parent == nowhere / "settings" and registered() == {"stanford": str(copy)}
    assert load_grammar().sha256
    copy.unlink()
    with pytest.raises(InputError, match="gone; register it again"):
        load_grammar()


def test_the_package_is_found(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(PACKAGE.parent)])
    assert installed.grammar_file() == next(PACKAGE.glob("*.arrays"))


def test_the_jar_of_pycocoevalcap_is_read_once(nowhere: Path, data: Path) -> None:
    folder = nowhere / "site" / "pycocoevalcap"
    (folder / "spice" / "lib").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('it need not be imported')")
    jar = folder / "spice" / "lib" / "stanford-corenlp-3.6.0-models.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.write(data / "stanford" / "englishPCFG.ser.gz", MEMBER)
    assert installed.grammar_file() == jar
    first = load_grammar()
    kept = installed.grammar_file()
    assert kept is not None and kept.parent == nowhere / "settings" and load_grammar().sha256 == first.sha256


def test_where_nothing_can_be_kept_the_error_says_so(
    nowhere: Path, grammar_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (nowhere / "file").write_text("")
    monkeypatch.setenv("VERICAP_RESOURCES", str(nowhere / "file" / "resources.json"))
    with pytest.raises(InputError, match="the folder cannot be made"):
        add_grammar(grammar_file)
