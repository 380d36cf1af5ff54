"""FAIEr explains itself: what each word and relation matched, as a list and as matrices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest
from typer.testing import CliRunner

from tests.metrics.faier.faier_captions import CAPTIONS, OBJECTS, REFERENCES, Make, key, model, scores
from vericap import explain
from vericap.cli import app
from vericap.errors import InputError


def test_explain_says_what_each_word_and_relation_matched(tiny: Make) -> None:
    metric = key(tiny())
    [why] = explain(CAPTIONS, REFERENCES, image_id=1, objects=OBJECTS, metrics=[metric])
    assert why.score == pytest.approx(scores(metric)[0], abs=1e-5)
    words = why.sections["words and what they match"]
    assert [part.text for part in words] == CAPTIONS[1].split()
    assert {part.values["match"] for part in words} <= {"(picture)", "dog", "sports ball"}
    assert np.mean([part.values["score"] for part in words]) == pytest.approx(why.values["S^o, objects"], abs=1e-5)  # type: ignore[misc]
    relations = why.sections["relations and what they match"]
    assert relations[0].text == "dog – run on – grass"
    assert np.mean([part.values["score"] for part in relations]) == pytest.approx(  # type: ignore[misc]
        why.values["S^r, relations"], abs=1e-5
    )
    shapes = {name: matrix.values.shape for name, matrix in why.matrices.items()}
    assert shapes == {
        "objects × words of reference 1": (3, 7),
        "objects × words of reference 2": (3, 3),
        "objects × words of reference 3": (3, 6),
        "objects × words, before fusion": (3, 9),
        "objects × words, after fusion": (3, 9),
        "objects × relations, before fusion": (3, len(relations)),
        "objects × relations, after fusion": (3, len(relations)),
    }


def test_explain_says_that_a_caption_has_no_relation(tiny: Make) -> None:
    [why] = explain(CAPTIONS, REFERENCES, image_id=2, objects=OBJECTS, metrics=[key(tiny())])
    assert why.values["S^r, relations"] == "0: the caption has no relation triplets"
    assert why.sections["relations and what they match"] == []


def test_explain_says_that_no_object_and_no_reference_is_known(tiny: Make) -> None:
    [why] = explain(CAPTIONS, image_id=4, objects=OBJECTS, metrics=[key(tiny())])
    assert "no object is known" in str(why.values["picture"])
    assert "none" in str(why.values["references"])


@pytest.mark.parametrize("variant", ["fier", "aier"])
def test_variants_explain_themselves(variant: str, tiny: Make) -> None:
    metric = key(model(tiny, variant), variant)
    [why] = explain(CAPTIONS, REFERENCES, image_id=3, objects=OBJECTS, metrics=[metric])
    assert why.score == pytest.approx(scores(metric)[2], abs=1e-5)
    assert ("objects × words" if variant == "fier" else "reference words × words") in why.matrices


def test_explain_draws_heat_maps_from_the_command_line(tiny: Make, tmp_path: Path) -> None:
    files = {"captions": CAPTIONS, "references": REFERENCES, "objects": OBJECTS}
    paths = {name: tmp_path / f"{name}.json" for name in files}
    for name, content in files.items():
        paths[name].write_bytes(orjson.dumps(content, option=orjson.OPT_NON_STR_KEYS))
    page, picture, data = tmp_path / "why.html", tmp_path / "why.png", tmp_path / "why.json"
    words = ["explain", paths["captions"], "--references", paths["references"], "--objects", paths["objects"]]
    words += ["--id", "1", "--metrics", key(tiny()), "--html", page, "--png", picture, "--json", data]
    done = CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    assert "objects × words, after fusion" in done.stdout
    assert "dog – run on – grass" in page.read_text("utf-8")
    assert picture.read_bytes().startswith(b"\x89PNG")
    matrix = orjson.loads(data.read_bytes())["explanations"][0]["matrices"]["objects × words, after fusion"]
    assert matrix["rows"] == ["(picture)", "dog", "sports ball"]


def test_a_picture_that_cannot_be_drawn_does_not_cost_the_page(tmp_path: Path) -> None:
    (tmp_path / "captions.json").write_text('[{"image_id": 1, "caption": "a dog"}]')
    words = ["explain", str(tmp_path / "captions.json"), "--id", "1", "--metrics", "fluency"]
    words += ["--html", str(tmp_path / "why.html"), "--png", str(tmp_path / "why.png")]
    with pytest.raises(InputError, match="none of these metrics has a matrix"):
        CliRunner().invoke(app, words, catch_exceptions=False)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["captions.json", "why.html"]
