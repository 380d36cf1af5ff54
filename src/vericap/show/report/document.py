"""One HTML file: the report, the script that draws it, the style sheet, and a policy under which nothing else runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from vericap.show.report.assets import digest, script, style
from vericap.show.report.packing import pack
from vericap.version import __version__

_ORIGIN = re.compile(r"^https?://[^/\s;,'\"{}]+")


def document(report: Mapping[str, Any], still: str, images: str = "") -> str:
    """The page of a report: {kind, title, subtitle, what, …}.

    `still` is HTML for readers without scripts, shown until the script has drawn the report. `images` is the address of
    pictures elsewhere, if any: the page may load pictures from there and from nowhere else.

    >>> text = document({"kind": "score", "title": "a <b>", "subtitle": "", "what": "scores"}, "<p>0.5</p>")
    >>> "<title>a &lt;b&gt;</title>" in text, "<p>0.5</p>" in text, text.count("<script")
    (True, True, 2)
    """
    title = escape(str(report["title"]))
    head = [
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy(images)}">',
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
    """What the page may do: run the script that it holds, and show pictures inside it or beside it.

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
