"""The page of `score` in a browser: what is on it, and what a reader can do with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import vericap
from tests.browser.chromium import Browser

ROWS = "return [...document.querySelectorAll('.windowed tr[data-place]')].map(row => row.cells[1].innerText)"


def column(browser: Browser, name: str) -> list[float]:
    """The numbers of a column of the rows in view."""
    heads = "return [...document.querySelectorAll('.windowed thead th')].map(head => head.dataset.name)"
    cells = "return [...document.querySelectorAll('tr[data-place]')].map(r => r.cells[arguments[0]].innerText)"
    texts = browser.run(cells, browser.run(heads).index(name))
    return [float(text) for text in texts]


def press(browser: Browser, name: str) -> None:
    browser.run("document.querySelector(`.windowed th[data-name='${arguments[0]}'] button`).click()", name)


def test_it_opens_without_a_complaint_and_asks_for_nothing(browser: Browser, score_page: Path) -> None:
    browser.open(score_page)
    assert browser.complaints() == []
    assert browser.requests() == []


def test_the_numbers_are_those_of_the_json(browser: Browser, score_page: Path, scored: vericap.Result) -> None:
    browser.open(score_page)
    data = json.loads(json.dumps(scored.to_dict()))
    for key, of in data["metrics"].items():
        shown = browser.run("return document.querySelector(`td.score[data-metric='${arguments[0]}']`).innerText", key)
        assert shown == f"{of['score']:.4f}", key
    text = browser.run("return document.getElementById('summary').textContent")
    assert all(of["signature"] in text for of in data["metrics"].values())
    first = data["captions"][0]
    cells = browser.run("return [...document.querySelector('tr[data-place]').cells].map(cell => cell.innerText)")
    assert cells[:2] == [str(first["image_id"]), first["caption"]]
    assert cells[3:-1] == [f"{score:.4f}" for score in first["scores"].values()]


def test_questions_come_in_the_order_fidelity_adequacy_fluency(browser: Browser, score_page: Path) -> None:
    browser.open(score_page)
    headings = browser.run("return [...document.querySelectorAll('.question-row')].map(row => row.innerText)")
    assert [text.split(":")[0] for text in headings] == ["Fidelity", "Adequacy", "Fluency"]


def test_a_heading_sorts_up_and_down_and_back(browser: Browser, score_page: Path, scored: vericap.Result) -> None:
    browser.open(score_page)
    before = browser.run(ROWS)
    press(browser, "cider-d")
    up = column(browser, "cider-d")
    assert up == sorted(up) and up[0] == round(float(scored["cider-d"].captions.min()), 4)
    press(browser, "cider-d")
    down = column(browser, "cider-d")
    assert down == sorted(down, reverse=True) and down[0] == round(float(scored["cider-d"].captions.max()), 4)
    press(browser, "cider-d")
    assert browser.run(ROWS) == before


def test_a_filter_keeps_what_it_says(browser: Browser, score_page: Path, scored: vericap.Result) -> None:
    browser.open(score_page, "#filter=cider-d+%3C+1+and+length+%3E%3D+9")
    wanted = [
        caption
        for caption, score in zip(scored.corpus.candidates, scored["cider-d"].captions.tolist(), strict=True)
        if score < 1 and len(caption.split()) >= 9
    ]
    assert 0 < len(wanted) < 30
    assert browser.run(ROWS) == wanted
    assert browser.run("return document.querySelector('.count').innerText") == f"{len(wanted)} of 30 captions"


@pytest.mark.parametrize(
    ("text", "says"),
    [("cidre-d < 1", "“cidre-d” is not a column"), ("(cider-d < 1", "bracket"), ("cider-d <", "value is missing")],
)
def test_a_wrong_filter_says_what_is_wrong(browser: Browser, score_page: Path, text: str, says: str) -> None:
    browser.open(score_page)
    field = browser.driver.find_element("id", "filter")
    field.send_keys(text)
    assert says in browser.wait("const e = document.querySelector('.wrong'); return e.hidden ? '' : e.innerText")
    assert browser.run("return document.querySelectorAll('tr[data-place]').length") > 5


def test_words_are_searched_in_references_too(browser: Browser, score_page: Path, scored: vericap.Result) -> None:
    browser.open(score_page)
    browser.driver.find_element("id", "search").send_keys("umbrella")
    wanted = [
        caption
        for row, caption in enumerate(scored.corpus.candidates)
        if "umbrella" in " ".join([caption, *scored.corpus.references_of(row)]).lower()
    ]
    assert 0 < len(wanted) < 10
    browser.wait("return document.querySelector('.count').innerText.includes(' of ')")
    assert browser.run(ROWS) == wanted


def test_a_caption_opens_with_its_references_scores_and_every_explanation(
    browser: Browser, score_page: Path, scored: vericap.Result
) -> None:
    browser.open(score_page)
    browser.run("document.querySelector('tr[data-place=\"1\"]').click()")
    panel = browser.run("return document.getElementById('detail').innerText")
    assert scored.corpus.candidates[1] in panel
    assert all(reference in panel for reference in scored.corpus.references_of(1))
    assert browser.run("return location.hash") == f"#caption={scored.corpus.image_ids[1]}"
    metrics = browser.run("return [...document.querySelectorAll('details.explanation')].map(d => d.dataset.metric)")
    assert metrics == list(scored)
    for key in scored:
        shown = browser.run("return document.querySelector(`#detail dd[data-score='${arguments[0]}']`).innerText", key)
        assert shown == f"{scored[key].captions[1]:.4f}"
    browser.run("document.querySelector('#detail .close').click()")
    assert browser.run("return document.getElementById('detail').hidden")


def test_explanations_are_drawn(browser: Browser, score_page: Path, scored: vericap.Result) -> None:
    """METEOR's links, SPICE's two graphs, bars of CIDEr, links of VIFIDEL, edits of TER, words of fluency."""
    browser.open(score_page, f"#caption={scored.corpus.image_ids[1]}")
    why = scored.explain_rows([1])[1]
    of = {each.metric: each for each in why}
    count = "return document.querySelectorAll(`details[data-metric='${arguments[0]}'] ${arguments[1]}`).length"
    links = sum(len(part.text.split(" = ")[0].split()) for part in of["meteor"].sections["matches"])
    assert browser.run(count, "meteor", "line.link") == links
    assert browser.run(count, "spice", ".graphs svg") == 2
    adding = [p for n, parts in of["cider-d"].sections.items() if "adds" in n for p in parts if p.values["adds"] > 0]
    assert browser.run(count, "cider-d", "rect.bar:not(.faded)") == len(adding)
    assert browser.run(count, "vifidel", "line.link") == len(of["vifidel"].sections["links, the dearest first"])
    assert browser.run(count, "ter", ".chips > .chip") == len(of["ter"].sections["edits"])
    assert browser.run(count, "fluency", "rect.bar") == len(of["fluency"].sections["words"])


def test_the_keyboard_moves_and_opens(browser: Browser, score_page: Path, scored: vericap.Result) -> None:
    browser.open(score_page)
    from selenium.webdriver.common.keys import Keys

    browser.driver.find_element("css selector", "tr[data-place='0']").send_keys(Keys.ARROW_DOWN)
    browser.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.run("return location.hash") == f"#caption={scored.corpus.image_ids[2]}"
    browser.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
    assert browser.run("return location.hash") in ("", "#")


def test_the_theme_is_switched_and_kept_in_the_address(browser: Browser, score_page: Path) -> None:
    ground = "return getComputedStyle(document.body).backgroundColor"
    browser.open(score_page)
    before = browser.run(ground)
    browser.run("document.getElementById('theme').click()")
    after = browser.run(ground)
    assert before != after and "theme=dark" in browser.run("return location.hash")
    browser.open(score_page, "#theme=dark")
    assert browser.run(ground) == after


def test_a_bar_of_a_distribution_selects(browser: Browser, score_page: Path, scored: vericap.Result) -> None:
    browser.open(score_page)
    browser.run("document.querySelector('.small-multiples figure g').dispatchEvent(new Event('click'))")
    low = scored["bleu-4"].captions.min()
    high = low + (scored["bleu-4"].captions.max() - low) / 24
    shown = browser.run("return document.querySelectorAll('tr[data-place]').length")
    assert shown == int((scored["bleu-4"].captions <= high * (1 + 1e-3)).sum())
    assert browser.run("return document.getElementById('filter').value").startswith("bleu-4 >= ")


def test_tables_are_given_as_csv_latex_and_markdown(browser: Browser, score_page: Path, scored: vericap.Result) -> None:
    browser.open(score_page)
    copied = []
    for format in ("CSV", "LaTeX", "Markdown"):
        browser.run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
        browser.run("document.querySelector(`#scores [data-format='${arguments[0]}']`).click()", format)
        copied.append(browser.wait("const text = window.copied; window.copied = ''; return text"))
    csv, latex, markdown = copied
    assert csv.splitlines()[0] == "metric,score,low,high,signature"
    scores = {line.split(",")[0]: float(line.split(",")[1]) for line in csv.splitlines()[1:]}
    assert scored.scores == scores
    assert latex.startswith("\\begin{tabular}{lrrrr}") and markdown.startswith("| metric | score |")


def test_nothing_is_cut_off_on_a_phone(browser: Browser, score_page: Path) -> None:
    try:
        browser.size(390, 800)
        browser.open(score_page, "#caption=2")
        assert browser.run("return document.documentElement.scrollWidth") == 390
    finally:
        browser.size(1280, 900)


def test_a_reader_filters_by_the_numbers_that_are_shown(browser: Browser, pages: Path, scored: vericap.Result) -> None:
    scored.to_html(pages / "scaled.html", 100, explain=0)
    browser.open(pages / "scaled.html", "#filter=cider-d+%3C+100&sort=cider-d")
    shown = column(browser, "cider-d")
    assert len(shown) == int((scored["cider-d"].captions < 1).sum()) and shown[0] == round(
        100 * float(scored["cider-d"].captions.min()), 1
    )


def test_paper_gets_the_captions_and_no_controls(browser: Browser, score_page: Path) -> None:
    browser.open(score_page)
    try:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        browser.run("dispatchEvent(new Event('beforeprint'))")
        assert browser.run("return document.querySelectorAll('tr[data-place]').length") == 30
        hidden = "return ['nav', '.controls', '.exports'].map(s => getComputedStyle(document.querySelector(s)).display)"
        assert browser.run(hidden) == ["none"] * 3
        assert browser.run("return getComputedStyle(document.querySelector('.window')).overflowY") == "visible"
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_boxes_are_drawn_on_the_picture(browser: Browser, pages: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="Pillow makes the pictures")
    folder = pages / "pictures"
    folder.mkdir()
    image.new("RGB", (640, 480), "white").save(folder / "000000000007.jpg")
    objects = {
        "images": [{"id": 7}],
        "categories": [{"id": 1, "name": "dog"}],
        "annotations": [{"image_id": 7, "category_id": 1, "bbox": [64, 48, 320, 240]}],
    }
    found = vericap.evaluate({7: "a dog"}, {7: ["a dog"]}, objects=objects, metrics="chair-i")
    for embed in (False, True):
        found.to_html(pages / "boxes.html", images=folder, embed_images=embed)
        browser.open(pages / "boxes.html", "#caption=7")
        box = browser.wait("return document.querySelector('.object-box')?.getBoundingClientRect().toJSON()")
        picture = browser.run("return document.querySelector('#detail img').getBoundingClientRect().toJSON()")
        # The box is half as wide as the picture and starts a tenth from its left, embedded smaller or not.
        assert box["width"] / picture["width"] == pytest.approx(0.5, abs=0.02)
        assert (box["left"] - picture["left"]) / picture["width"] == pytest.approx(0.1, abs=0.02)
