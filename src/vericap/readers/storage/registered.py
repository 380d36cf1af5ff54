"""Models that a user registered by `vericap resources add`, so that metrics find them: a small JSON file in the user's
configuration folder, or where VERICAP_RESOURCES says; and the user's folder for caches."""

from __future__ import annotations

import json
import os
import sys
from importlib.util import find_spec
from pathlib import Path

from vericap.errors import InputError
from vericap.written import whole_file

# Kinds of models, and the metrics that look for them.
KINDS = {
    "clip": "clipscore, refclipscore and mid",
    "pac": "pacscore and refpacscore",
    "stanford": "metrics with parser=stanford",
}


def registry_file() -> Path:
    """Return the file that holds what was registered; it need not be there."""
    if given := os.environ.get("VERICAP_RESOURCES"):
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return base / "vericap" / "resources.json"


def cache_folder() -> Path | None:
    """Return the user's folder for what can be made again, or where VERICAP_CACHE says; None if that is `off`, or if
    this Python has no SQLite to keep it in."""
    given = os.environ.get("VERICAP_CACHE")
    if given == "off" or find_spec("_sqlite3") is None:
        return None
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "vericap"


def registered() -> dict[str, str]:
    """Return the path of each kind of model that was registered."""
    file = registry_file()
    try:
        found = json.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"the file cannot be read ({error})", source=str(file), fix="repair or remove it") from None
    if not isinstance(found, dict) or not all(isinstance(path, str) for path in found.values()):
        raise InputError("the file is not a table of paths", source=str(file), fix="repair or remove it")
    return {kind: path for kind, path in found.items() if kind in KINDS}


def register(kind: str, path: str | os.PathLike[str]) -> Path:
    """Remembers a model of a kind, in place of the one before; gives its full path."""
    whole = Path(path).absolute()
    _write({**registered(), _checked(kind): str(whole)})
    return whole


def unregister(kind: str) -> str:
    """Forgets the model of a kind; its files stay. Gives its path."""
    found = registered()
    if _checked(kind) not in found:
        raise InputError(f"no {kind} is registered", field="kind", fix="`vericap resources` lists what is")
    path = found.pop(kind)
    _write(found)
    return path


def resolve(kind: str, given: str, metric: str) -> str:
    """Return the model of a metric: the one given, else the one registered; without both, an error that says what to
    do."""
    if given:
        return given
    path = registered().get(kind)
    if path is None:
        raise InputError(
            f"{metric} needs the weights of a model, which do not ship",
            field="model",
            fix=f"add model=FOLDER, or register one: vericap resources add {kind} FOLDER (see docs/clip.md)",
        )
    if not Path(path).exists():
        raise InputError(
            f"the {kind} that was registered is gone",
            source=path,
            field="model",
            fix=f"register it again: vericap resources add {kind} FOLDER",
        )
    return path


def _checked(kind: str) -> str:
    if kind not in KINDS:
        raise InputError(f"`{kind}` is not a kind of model", field="kind", fix=f"use one of {', '.join(KINDS)}")
    return kind


def _write(found: dict[str, str]) -> None:
    file = registry_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"the folder cannot be made ({error.strerror or error})"
        raise InputError(problem, source=str(file.parent), fix="set VERICAP_RESOURCES to a file elsewhere") from None
    with whole_file(file) as output:
        output.write(json.dumps(found, indent=2).encode() + b"\n")
