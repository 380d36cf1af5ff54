"""Pages and pieces of HTML: a file that needs no font, script or picture from elsewhere.

`page` has no scripts. `document` is the page of a report: plain data, the script that draws it, the style sheet, and a
policy under which nothing else runs. The script is written as ES modules in `report/page/`, which are put one below the
other here: what ships is what is read, and nothing has to be built.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import orjson

from vericap.options.page import PageOptions
from vericap.version import __version__

_FIRST = "main.js"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const)\b)", re.MULTILINE)
_ORIGIN = re.compile(r"^https?://[^/\s;,'\"{}]+")
_FOLDER = files("vericap.show") / "report" / "page"


def page(title: str, parts: Iterable[str]) -> str:
    """Return a page: a heading, and pieces of HTML one below the other.

    >>> print(page("a & b", [bullets(["1 < 2"])]).partition("<body>")[2])
    <main><h1>a &amp; b</h1>
    <ul><li>1 &lt; 2</li></ul>
    </main></body></html>
    """
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style()}</style>"
    )
    return "\n".join(
        [
            f'<!doctype html>\n<html lang="en"><head>{head}</head>',
            f"<body><main>{heading(title, 1)}",
            *parts,
            "</main></body></html>\n",
        ]
    )


def heading(text: str, level: int) -> str:
    """Return a heading of a level, from 1."""
    return f"<h{level}>{escape(text)}</h{level}>"


def paragraph(text: str) -> str:
    """Return a paragraph of text."""
    return f"<p>{escape(text)}</p>"


def bullets(lines: Iterable[str], kind: str = "ul") -> str:
    """Return a list with one item per line; `kind` is ol for a numbered list."""
    return f"<{kind}>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</{kind}>"


def details(summary: str, lines: Iterable[str]) -> str:
    """Return lines that a reader unfolds; nothing if there are none.

    >>> details("Notes", ["1 < 2"])
    '<details><summary>Notes</summary><ul><li>1 &lt; 2</li></ul></details>'
    """
    given = list(lines)
    return f"<details><summary>{escape(summary)}</summary>{bullets(given)}</details>" if given else ""


def document(report: Mapping[str, Any], still: str, options: PageOptions | None = None) -> str:
    """Return the page of a report: {kind, title, subtitle, what, …}.

    `still` is HTML for readers without scripts, shown until the script has drawn the report. If the pictures of the
    options are at an address, the page may load pictures from there and from nowhere else.

    >>> text = document({"kind": "score", "title": "a <b>", "subtitle": "", "what": "scores"}, "<p>0.5</p>")
    >>> "<title>a &lt;b&gt;</title>" in text, "<p>0.5</p>" in text, text.count("<script")
    (True, True, 2)
    """
    title = escape(str(report["title"]))
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy(str((options and options.images) or ""))}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta name="generator" content="Vericap {__version__}">',
        f"<title>{title}</title>",
        f"<style>{style()}</style>",
    ]
    body = [
        f'<header><div><p class="brand">Vericap · {escape(str(report["what"]))}</p><h1><bdi>{title}</bdi></h1>',
        f'<p class="subtitle"><bdi>{escape(str(report["subtitle"]))}</bdi></p></div></header>',
        '<nav class="contents" aria-label="Contents"><div><div id="contents-list"></div><div id="tools"></div></div>',
        "</nav>",
        f'<main id="page">{still}</main>',
        '<div id="status" class="away" role="status" aria-live="polite"></div>',
        f'<script type="application/octet-stream" id="report">{pack(report)}</script>',
        f"<script>{script()}</script>",
    ]
    return "\n".join(
        ['<!doctype html>\n<html lang="en"><head>', *head, "</head>", "<body>", *body, "</body></html>", ""]
    )


def policy(images: str = "") -> str:
    """Return what the page may do: run its own script, and show pictures in it or in its folder.

    >>> policy("https://example.org/{id}.jpg").partition("img-src ")[2].split(";")[0]
    "'self' data: blob: file: https://example.org"
    """
    origin = _ORIGIN.match(images)
    return "; ".join(
        [
            "default-src 'none'",
            f"script-src {digest(script())}",
            f"style-src {digest(style())}",
            f"img-src 'self' data: blob: file:{' ' + origin[0] if origin else ''}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def pack(report: Any) -> str:
    """Return the report as the page unpacks it: base64 of gzip of JSON, in which no caption can end a script element.

    >>> unpack(pack({"caption": "</script>"})), "<" in pack({"caption": "</script>"})
    ({'caption': '</script>'}, False)
    """
    return base64.b64encode(gzip.compress(orjson.dumps(report, option=orjson.OPT_SERIALIZE_NUMPY), 9, mtime=0)).decode()


def unpack(text: str) -> Any:
    """Return the report that was packed."""
    return orjson.loads(gzip.decompress(base64.b64decode(text)))


@cache
def style() -> str:
    """Return the style sheet."""
    return (_FOLDER / "page.css").read_text("utf-8")


@cache
def script() -> str:
    """Return the whole script: every module after those that it imports, in one function."""
    return '(() => {\n"use strict";\n' + "\n".join(modules().values()) + "})();\n"


@cache
def modules() -> dict[str, str]:
    """Return each module without its import and export words, after those that it imports.

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
    """Return the name of a script or style sheet in a content security policy.

    >>> digest("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
