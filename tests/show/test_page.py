"""The frame of pages."""

from __future__ import annotations

import re

from vericap.show.page import bullets, heading, page, paragraph


def test_a_page_needs_nothing_from_elsewhere() -> None:
    text = page("Scores", [paragraph("one"), bullets(["two"], "ol")])
    assert not re.search(r"https?:|<script|<link|<img|@import|url\(", text)
    assert text.startswith("<!doctype html>") and text.endswith("</html>\n") and 'name="viewport"' in text


def test_text_is_escaped() -> None:
    nasty = "</title><script>"
    text = page(nasty, [heading(nasty, 2), paragraph(nasty), bullets([nasty])])
    assert "<script>" not in text and text.count("&lt;script&gt;") == 5
