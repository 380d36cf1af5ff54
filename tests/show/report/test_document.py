"""The file of a page."""

from __future__ import annotations

import re

from tests.show.report.reading import report_of
from vericap.show.report.assets import digest
from vericap.show.report.document import document, policy

NASTY = '</title></script><script>alert(1)</script><img src=x onerror="alert(2)">'
REPORT = {"kind": "score", "title": NASTY, "subtitle": NASTY, "what": NASTY, "captions": {"text": [NASTY]}}


def test_text_is_never_markup() -> None:
    text = document(REPORT, "")
    assert text.count("<script") == 2 and "<img" not in text and "alert(1)</script>" not in text
    assert report_of(text) == REPORT


def test_the_policy_names_the_script_and_the_style_sheet_that_are_there() -> None:
    text = document(REPORT, "")
    allowed = policy()
    script = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    sheet = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    assert f"script-src {digest(script[-1])};" in allowed and f"style-src {digest(sheet[0])};" in allowed
    assert f'content="{allowed}"' in text and allowed.startswith("default-src 'none'")


def test_pictures_come_from_the_place_that_was_named_and_nowhere_else() -> None:
    assert "http" not in policy() and "http" not in policy("pictures/{id}.jpg")
    assert "https://example.org" in policy("https://example.org/{id}.jpg; script-src *")
    assert "*" not in policy("https://example.org/{id}.jpg; script-src *")
    assert "*" not in policy("https://example.org;script-src *")
