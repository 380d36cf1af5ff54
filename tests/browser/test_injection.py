"""Text that tries to be more than text: no page runs it, and every page shows it as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

import vericap
from tests.browser.chromium import Browser

FLAG = "window.broken = 1"
TEXTS = [
    f"<script>{FLAG}</script>",
    f"</script><script>{FLAG}</script>",
    f"--></style></title></textarea></noscript><script>{FLAG}</script>",
    f'<img src=x onerror="{FLAG}">',
    f'<svg onload="{FLAG}"><circle r=9></svg>',
    f'<svg><script>{FLAG}</script></svg> <math><mi xlink:href="javascript:{FLAG}">',
    f'"\' autofocus onfocus="{FLAG}" x="',
    f"<iframe srcdoc='<script>parent.{FLAG[7:]}</script>'>",
    f"javascript:{FLAG}",
    "${" + FLAG + "} {{" + FLAG + "}} %3Cscript%3E &lt;b&gt; &#60;i&#62;",
    "\u202ea dog \u2066on\u2069 the \u200fbeach\u202c \u061c",
    "כלב רץ על החוף ‏ with a dog",
    "a\u0000b \ufeff\u2028\u2029 \U0001f415\u200d\U0001f9ba zero\u200bwidth",
    "dog " * 2500,
    "x" * 10_000,
    "",
    "[]{}()<>|&;#&caption=1&theme=dark",
]


def candidates() -> list[dict[str, str]]:
    """Each text is a caption, an image id and a field."""
    return [
        {"image_id": f"{number} {text[:300]}", "caption": text, "kind": text[:100]} for number, text in enumerate(TEXTS)
    ]


def check(browser: Browser, page: Path, hash: str = "") -> str:
    """Opens a page; nothing has run, nothing was asked for; gives all that is to be read."""
    browser.open(page, hash)
    browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })")
    assert browser.run("return window.broken") is None
    assert browser.complaints() == [] and browser.requests() == []
    assert browser.run("return document.querySelectorAll('main script, main iframe, main img, main style').length") == 0
    text: str = browser.run("return document.body.textContent")
    return text


@pytest.fixture(scope="module")
def page(pages: Path) -> Path:
    rows = candidates()
    references = {row["image_id"]: [TEXTS[place - 1] or "a", "a dog"] for place, row in enumerate(rows)}
    objects = {row["image_id"]: [row["caption"][:200] or "dog"] for row in rows}
    result = vericap.evaluate(
        rows,
        references,
        objects=objects,
        metrics="bleu-1,cider-d,ter,spice,chair-i,fluency",
        group_by="kind",
        label=TEXTS[1],
    )
    result.to_html(pages / "injection.html", explain="all")
    return pages / "injection.html"


def test_every_text_is_shown_as_it_is(browser: Browser, page: Path) -> None:
    seen = check(browser, page)
    assert browser.run("return document.title") == TEXTS[1]
    for number in range(len(TEXTS)):
        browser.run("document.querySelector('#clear').click()")
        shown = browser.run(
            "return document.querySelector(`tr[data-place='${arguments[0]}'] td.text`)?.textContent", number
        )
        if shown is not None and TEXTS[number]:
            assert TEXTS[number].startswith(shown.rstrip()[:300]) or shown in TEXTS[number], number
    assert "onerror" in seen


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_each_opens_with_all_its_explanations(browser: Browser, page: Path, number: int) -> None:
    from urllib.parse import urlencode

    name = candidates()[number]["image_id"]
    check(browser, page, "#" + urlencode({"caption": name}))
    assert not browser.run("return document.getElementById('detail').hidden")
    shown = browser.run("return document.querySelector('.caption-text').textContent")
    assert shown == (TEXTS[number] or "(an empty caption)")
    assert browser.run("return document.querySelectorAll('#detail details.explanation').length") == 6
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")


def test_names_of_files_and_systems_are_text_too(browser: Browser, pages: Path) -> None:
    plain = dict.fromkeys(range(8), "a dog runs")
    systems = {TEXTS[1]: plain, TEXTS[3]: dict.fromkeys(plain, "a cat")}
    found = vericap.compare(systems, {i: ["a dog runs"] for i in plain}, metrics="rouge-l", bootstrap=50)
    found.to_html(pages / "injection-compare.html")
    seen = check(browser, pages / "injection-compare.html", "#caption=1")
    assert TEXTS[1] in seen and TEXTS[3] in seen


def test_a_link_cannot_inject(browser: Browser, page: Path) -> None:
    from urllib.parse import urlencode

    nasty = {
        "search": TEXTS[3],
        "filter": TEXTS[1],
        "sort": TEXTS[3],
        "caption": TEXTS[1],
        "theme": TEXTS[3],
        "x": "</",
    }
    check(browser, page, "#" + urlencode(nasty))


def test_exported_text_is_what_was_given(browser: Browser, page: Path) -> None:
    import csv
    import io

    browser.open(page)
    browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    browser.run("document.querySelector(`#captions [data-format='CSV']`).click()")
    rows = list(csv.reader(io.StringIO(browser.wait("return window.copied"), newline="")))
    assert [row[1] for row in rows[1:]] == TEXTS
    assert rows[0][:2] == ["image_id", "caption"]


def test_folders_of_pictures_with_such_names(browser: Browser, pages: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow makes the pictures")
    folder = pages / "a '\"><img src=x onerror=alert(1)> & #%"
    folder.mkdir()
    image.new("RGB", (64, 32), "green").save(folder / "7.png")
    found = vericap.evaluate({7: "a dog"}, {7: ["a dog"]}, metrics="bleu-1")
    found.to_html(pages / "pictures.html", images=folder)
    browser.open(pages / "pictures.html", "#caption=7")
    assert browser.wait("return document.querySelector('#detail img').naturalWidth") == 64
    assert browser.complaints() == []
    found.to_html(pages / "embedded.html", images=folder, embed_images=True)
    browser.open(pages / "embedded.html", "#caption=7")
    assert browser.wait("return document.querySelector('#detail img').naturalWidth") == 64
    assert browser.requests() == []
