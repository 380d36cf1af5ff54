"""The frame of pages."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.show.report.reading import report_of
from vericap.show.page import (
    bullets,
    digest,
    document,
    heading,
    modules,
    pack,
    page,
    paragraph,
    policy,
    script,
    style,
    unpack,
)
from vericap.show.report.columns import short, short_column


def test_a_page_needs_nothing_from_elsewhere() -> None:
    text = page("Scores", [paragraph("one"), bullets(["two"], "ol")])
    assert not re.search(r"https?:|<script|<link|<img|@import|url\(", text)
    assert text.startswith("<!doctype html>") and text.endswith("</html>\n") and 'name="viewport"' in text


def test_text_is_escaped() -> None:
    nasty = "</title><script>"
    text = page(nasty, [heading(nasty, 2), paragraph(nasty), bullets([nasty])])
    assert "<script>" not in text and text.count("&lt;script&gt;") == 5


# Names that a module declares at its outermost level.
DECLARED = re.compile(r"^(?:async )?(?:function|class|const|let) (\w+)", re.MULTILINE)


def test_no_two_modules_declare_the_same_name() -> None:
    names = Counter(name for text in modules().values() for name in DECLARED.findall(text))
    assert len(names) > 50
    assert [name for name, times in names.items() if times > 1] == []


def test_nothing_of_the_module_syntax_is_left() -> None:
    assert not re.search(r"^\s*(import|export)\b", script(), re.MULTILINE)


def test_the_script_never_makes_markup_or_code_from_text() -> None:
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "fetch("):
        assert word not in script(), word


def test_nothing_in_it_ends_the_element_or_leaves_the_page() -> None:
    assert "</script" not in script() and "</style" not in style()
    assert set(re.findall(r"https?://[^\"' ]+", script() + style())) == {"http://www.w3.org/2000/svg"}
    assert "url(" not in style() and "@import" not in style()


def test_a_digest_is_of_the_text() -> None:
    # echo -n "alert(1)" | openssl dgst -sha256 -binary | base64
    assert digest("alert(1)") == "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"


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


@given(st.dictionaries(st.text(), st.lists(st.one_of(st.text(), st.integers(-(2**53), 2**53), st.none()))))
def test_any_text_comes_back_and_none_of_it_can_be_markup(report: dict[str, list[str | int | None]]) -> None:
    text = pack(report)
    assert unpack(text) == report
    assert re.fullmatch(r"[A-Za-z0-9+/=]*", text)


def test_the_same_report_gives_the_same_text() -> None:
    assert pack({"caption": "a dog"}) == pack({"caption": "a dog"})


def test_numbers_have_six_digits_and_what_does_not_exist_is_null() -> None:
    assert short(1234.56789) == 1234.57
    assert short_column(np.array([1 / 3, np.nan, np.inf])) == [0.333333, None, None]
