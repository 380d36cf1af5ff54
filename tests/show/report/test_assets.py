"""The script of pages: modules put one below the other."""

from __future__ import annotations

import re
from collections import Counter

from vericap.show.report.assets import digest, modules, script, style

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
