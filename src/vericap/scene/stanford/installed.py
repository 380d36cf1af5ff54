"""Where the grammar is: registered by `vericap resources add FILE`, in the package vericap-stanford-grammar, or in the
jar of models that pycocoevalcap's SPICE downloads. It is under the GPL, so it does not come with vericap itself."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

from vericap.errors import InputError
from vericap.readers.files import File
from vericap.readers.storage.array_file import is_array_file
from vericap.readers.storage.registered import register, registered, registry_file
from vericap.scene.stanford.grammar import FILE, SHA256, Grammar, Tables, write_grammar
from vericap.scene.stanford.model_file import read_model

KIND = "stanford"  # what it is registered as
INSTALL = (
    'pip install "vericap[spice]", or register englishPCFG.ser.gz of CoreNLP 3.6.0 or the jar of its models: '
    "vericap resources add FILE"
)
_JAR = Path("spice/lib/stanford-corenlp-3.6.0-models.jar")


def grammar_file() -> Path | None:
    """Return the file of the grammar that is installed, which may be a jar of models, or None."""
    if path := registered().get(KIND):
        if not Path(path).exists():
            fix = "register it again: vericap resources add FILE"
            raise InputError("the grammar that was registered is gone", source=path, fix=fix)
        return Path(path)
    jar = _in_package("pycocoevalcap", _JAR)
    places = _in_package("vericap_stanford_grammar", Path(FILE)), jar and _kept_file(), jar
    return next((file for file in places if file and file.is_file()), None)


def load_grammar() -> Grammar:
    """Return the grammar that is installed; an error says how to get it. That of a jar is kept, so that the next run
    need not read the jar."""
    path = grammar_file()
    if path is None:
        raise InputError("the grammar of SPICE's parser is not installed", field="parser", fix=INSTALL)
    if path.suffix != ".jar":
        return Grammar.read(path)
    tables = read_model(path)
    try:
        return Grammar.read(_keep(tables))
    except InputError:  # there is no folder to keep it in
        return Grammar(tables)


def add_grammar(path: str | os.PathLike[str]) -> Path:
    """Register the grammar of a file: englishPCFG.ser.gz, a jar that has it, or a file of ours. It is copied; return
    the copy."""
    if is_array_file(File(path).head):
        return register(KIND, _keep(Grammar.read(path).tables))
    return register(KIND, _keep(read_model(path)))


def _in_package(name: str, file: Path) -> Path | None:
    """Return a file of an installed package; the package is not imported."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    folders = spec.submodule_search_locations if spec else None
    return Path(folders[0], file) if folders else None


def _kept_file() -> Path:
    # Named by its content: a version of vericap that reads another makes its own.
    return registry_file().with_name(f"{SHA256[:12]}-{FILE}")


def _keep(tables: Tables) -> Path:
    file = _kept_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"the folder cannot be made ({error.strerror or error})"
        raise InputError(problem, source=str(file.parent), fix="set VERICAP_RESOURCES to a file elsewhere") from None
    write_grammar(file, tables)
    return file
