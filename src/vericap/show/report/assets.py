"""The script and the style sheet of pages. The script is written as ES modules, which are put one below the other here:
what ships is what is read, and nothing has to be built."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files

_FIRST = "main.js"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const)\b)", re.MULTILINE)
_FOLDER = files(__package__) / "page"


@cache
def style() -> str:
    """The style sheet."""
    return (_FOLDER / "page.css").read_text("utf-8")


@cache
def script() -> str:
    """The whole script: every module after those that it imports, in one function."""
    return '(() => {\n"use strict";\n' + "\n".join(modules().values()) + "})();\n"


@cache
def modules() -> dict[str, str]:
    """Each module without its import and export words, after those that it imports.

    >>> list(modules())[-1], any("import {" in text for text in modules().values())
    ('main.js', False)
    """
    found: dict[str, str] = {}

    def add(name: str) -> None:
        if name in found:
            return
        text = (_FOLDER / name).read_text("utf-8")
        for each in _IMPORT.finditer(text):
            add(each[2])
        found[name] = _EXPORT.sub("", _IMPORT.sub("", text))

    add(_FIRST)
    return found


def digest(text: str) -> str:
    """What a content security policy calls a script or style sheet.

    >>> digest("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
