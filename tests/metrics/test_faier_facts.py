"""The metrics faier, fier and aier: what they need, what they say, and that a score depends on its caption alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from typer.testing import CliRunner

from vericap import evaluate, explain
from vericap.cli import app
from vericap.corpus import Corpus, Regions
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.faier import _load, calibrate
from vericap.readers.objects import add_objects
from vericap.views import Views

pytest.importorskip("torch")

CAPTIONS = {
    1: "a dog runs on the grass near a ball",
    2: "two cats",
    3: "a man riding a horse on the beach while a woman watches",
    4: "",
    5: "a dog runs on the grass near a ball",
}
REFERENCES = {
    1: ["a brown dog plays with a ball", "dog on grass", "the dog is in a park"],
    2: ["cats on a sofa", "two cats are sleeping on a red couch"],
    3: ["a man on a horse"],
    4: ["an empty street", "street", "a street at night"],
    5: ["a brown dog plays with a ball", "dog on grass", "the dog is in a park"],
}
OBJECTS = {
    1: ["dog", "sports ball"],
    2: ["cat", "cat", "couch"],
    3: ["person", "horse", "person", "boat"],
    4: [],
    5: ["dog", "sports ball"],
}
Make = Callable[..., str]


def key(folder: str, name: str = "faier", **parameters: str) -> str:
    inside = ",".join(f"{name}={value}" for name, value in {**parameters, "checkpoint": folder}.items())
    return str(parse(f"{name}({inside})"))


def model(tiny: Make, variant: str) -> str:
    """A model of a variant, trained with as many references as its key says."""
    return tiny(variant, references="4" if variant == "aier" else "r")


def scores(metric: str, **given: Any) -> np.ndarray:
    return evaluate(CAPTIONS, metrics=[metric], **{"references": REFERENCES, "objects": OBJECTS, **given})[
        metric
    ].captions


@pytest.mark.parametrize("variant", ["faier", "fier", "aier"])
def test_batch_results_equal_single_results(variant: str, tiny: Make) -> None:
    metric = key(model(tiny, variant), variant)
    together = scores(metric)
    for place, image in enumerate(CAPTIONS):
        alone = evaluate(
            {image: CAPTIONS[image]}, {image: REFERENCES[image]}, objects={image: OBJECTS[image]}, metrics=[metric]
        )
        assert alone[metric].captions[0] == pytest.approx(together[place], abs=1e-5)
    assert len(set(together[:3].round(4))) == 3


def test_order_of_captions_and_workers_do_not_change_a_byte(tiny: Make) -> None:
    metric = key(tiny())
    one = evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics=[metric], workers=1)
    two = evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics=[metric], workers=2)
    assert orjson.dumps(one.to_dict()) == orjson.dumps(two.to_dict())


def test_equal_captions_of_equal_images_have_equal_scores(tiny: Make) -> None:
    found = scores(key(tiny()))
    assert found[0] == found[4]


def test_no_reference_is_needed(tiny: Make) -> None:
    metric = key(tiny())
    without = scores(metric, references=None)
    assert np.isfinite(without).all()
    assert not np.allclose(without, scores(metric))
    empty = [[] for _ in CAPTIONS]
    corpus = add_objects(Corpus.from_lists(list(CAPTIONS.values()), empty, list(CAPTIONS)), OBJECTS)
    faier = parse(metric)
    np.testing.assert_array_equal(faier.score(faier.statistics(Views(corpus))), without)


def test_each_variant_looks_at_its_own_side(tiny: Make) -> None:
    other_objects = {image: ["zebra"] for image in OBJECTS}
    other_references = {image: ["a zebra grazes"] for image in REFERENCES}
    fier, aier, faier = (key(model(tiny, name), name) for name in ("fier", "aier", "faier"))
    np.testing.assert_array_equal(scores(fier), scores(fier, references=other_references))
    np.testing.assert_array_equal(scores(aier), scores(aier, objects=other_objects))
    assert not np.allclose(scores(fier), scores(fier, objects=other_objects))
    assert not np.allclose(scores(aier), scores(aier, references=other_references))
    assert not np.allclose(scores(faier), scores(faier, objects=other_objects))
    assert not np.allclose(scores(faier), scores(faier, references=other_references))


def test_aier_needs_no_picture(tiny: Make) -> None:
    assert np.isfinite(scores(key(tiny("aier", references="4"), "aier"), objects=None)).all()


def test_score_is_the_sum_of_its_levels(tiny: Make) -> None:
    metric = parse(key(tiny()))
    corpus = add_objects(Corpus.from_lists(list(CAPTIONS.values()), list(REFERENCES.values()), list(CAPTIONS)), OBJECTS)
    total, objects, relations, counts = metric.statistics(Views(corpus)).T
    np.testing.assert_allclose(total, objects + relations, atol=1e-6)
    assert counts.tolist() == [3, 2, 1, 3, 3]
    assert relations[1] == relations[3] == 0  # no relation in "two cats", nor in nothing
    assert relations[0] != 0


def test_relations_off_has_no_second_level(tiny: Make) -> None:
    metric = parse(key(tiny(relations=False), relations="off"))
    corpus = add_objects(Corpus.from_lists(list(CAPTIONS.values()), list(REFERENCES.values()), list(CAPTIONS)), OBJECTS)
    assert not metric.statistics(Views(corpus))[:, 2].any()


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


def test_signature_says_all_that_changes_the_number(tiny: Make) -> None:
    metric = key(tiny())
    result = evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics=[metric])[metric]
    parts = dict(part.partition(":")[::2] for part in result.signature.split("|"))
    assert parts["weights"] == "features"
    assert parts["references"] == "1-3"
    assert parts["trained-references"] == "r"
    assert len(parts["checkpoint"]) == 12
    assert parts["vectors"]
    assert parts["parser"].startswith("vericap-")
    others = evaluate(CAPTIONS, REFERENCES, objects={**OBJECTS, 4: ["dog"]}, metrics=[metric])[metric]
    assert others.signature != result.signature


def test_references_are_nothing_to_fier_and_to_its_signature(tiny: Make) -> None:
    metric = key(tiny("fier"), "fier")
    given = evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics=[metric])[metric]
    none = evaluate(CAPTIONS, objects=OBJECTS, metrics=[metric])[metric]
    assert given.captions.tolist() == none.captions.tolist()
    assert given.signature == none.signature


def test_regions_go_to_a_model_trained_on_vectors(tiny: Make) -> None:
    random = np.random.default_rng(0)
    regions = Regions(list(CAPTIONS), np.array([0, 3, 4, 9, 9, 12]), random.normal(size=(12, 6)).astype(np.float32))
    metric = key(tiny(features=6))
    found = scores(metric, objects=None, regions=regions)
    assert np.isfinite(found).all()
    wider = Regions(list(CAPTIONS), regions.offsets, np.zeros((12, 5), np.float32), source="five.npz")
    with pytest.raises(InputError, match=r'five.npz, field "features": vectors of 5 numbers, and .* takes 6'):
        scores(metric, objects=None, regions=wider)
    with pytest.raises(InputError, match="was trained on vectors of regions"):
        scores(metric)


def test_boxes_weigh_where_the_model_has_them(tiny: Make) -> None:
    random = np.random.default_rng(0)
    features, offsets = random.normal(size=(5, 6)).astype(np.float32), np.arange(6)
    corner = random.uniform(0, 50, size=(5, 2))
    boxes = np.hstack([corner, corner + 20]).astype(np.float32)
    metric = key(tiny(features=6, boxes=True))
    with_boxes = Regions(list(CAPTIONS), offsets, features, boxes)
    result = evaluate(CAPTIONS, REFERENCES, regions=with_boxes, metrics=[metric])[metric]
    assert "|weights:boxes|" in result.signature
    with pytest.raises(InputError, match='field "boxes": no boxes'):
        scores(metric, objects=None, regions=Regions(list(CAPTIONS), offsets, features))


def test_labels_of_regions_serve_a_model_trained_on_labels(tiny: Make) -> None:
    labels = [label for own in OBJECTS.values() for label in own]
    offsets = np.cumsum([0, *map(len, OBJECTS.values())])
    regions = Regions(list(CAPTIONS), offsets, np.zeros((len(labels), 3), np.float32), labels=labels)
    metric = key(tiny())
    np.testing.assert_array_equal(scores(metric, objects=None, regions=regions), scores(metric))
    nameless = Regions(list(CAPTIONS), offsets, np.zeros((len(labels), 3), np.float32))
    with pytest.raises(InputError, match="was trained on labels of objects, and these regions have none"):
        scores(metric, objects=None, regions=nameless)


def test_image_without_regions_is_answered_for(tiny: Make) -> None:
    regions = Regions([1, 2, 3, 5], np.array([0, 1, 2, 3, 4]), np.ones((4, 6), np.float32))
    found = scores(key(tiny(features=6)), objects=None, regions=regions, missing="zero")
    assert np.isfinite(found).all()


def test_what_the_model_does_not_see_is_said(tiny: Make) -> None:
    """Labels without a word vector, and labels beyond the 36 regions that a model takes."""
    many = [
        f"{name} {color}"
        for name in ("dog", "cat", "cup", "bus", "tree", "boat")
        for color in "red blue green pink grey brown".split()
    ]
    metric = key(tiny())
    result = evaluate({1: "a dog", 2: "a cat"}, objects={1: ["犬", "dog"], 2: many}, metrics=[metric])
    assert f"{metric}: 1 label has no word vector and is seen as something unknown: 犬" in result.notes
    assert f"{metric}: 1 image has more than 36 regions, of which the first 36 count" in result.notes
    seen = evaluate({1: "a dog"}, objects={1: ["dog"]}, metrics=[metric])
    assert not seen.notes


def test_a_model_trained_with_two_references_is_asked_for_by_name(tiny: Make) -> None:
    assert np.isfinite(scores(key(tiny(references="2"), references="2"), references={**REFERENCES})).all()


def test_three_variants_in_a_table_are_read_once_each(tiny: Make) -> None:
    _load.cache_clear()
    metrics = [key(model(tiny, name), name) for name in ("faier", "fier", "aier")]
    evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics=metrics)
    assert _load.cache_info().misses == 3


def test_pictures_that_show_nothing_lack_no_box(tiny: Make) -> None:
    assert np.isfinite(scores(key(tiny(boxes=True)), objects={image: [] for image in CAPTIONS})).all()


def test_an_object_without_a_box_is_named(tiny: Make) -> None:
    image = next(iter(CAPTIONS))
    with pytest.raises(InputError, match=rf"'dog' of image '?{image}'? has none; give each its box"):
        scores(key(tiny(boxes=True)), objects={one: ["dog"] for one in CAPTIONS})


def test_boxes_are_in_the_signature(tiny: Make) -> None:
    metric = key(tiny(boxes=True))
    found = [
        evaluate({1: "a dog"}, objects={1: [{"name": "dog", "bbox": [0, 0, width, 9]}]}, metrics=[metric])[metric]
        for width in (5, 6)
    ]
    assert found[0].signature != found[1].signature


def test_what_is_lacking_is_named(tiny: Make) -> None:
    metric = key(tiny())
    with pytest.raises(InputError, match=r"neither its objects nor its regions were given; add --objects FILE or"):
        scores(metric, objects=None)
    with pytest.raises(InputError, match="trained on English"):
        scores(metric, language="de", tokenizer="unicode")
    with pytest.raises(InputError, match="compares with reference captions"):
        scores(key(tiny("aier", references="4"), "aier"), references=None)
    fixed = key(tiny(references="4"), references="4")
    with pytest.raises(InputError, match="was trained with references, and some images have none"):
        scores(fixed, references=None)


def test_a_model_of_another_kind_is_refused(tiny: Make) -> None:
    with pytest.raises(InputError, match=r'field "variant": the model was made with variant=fier'):
        scores(key(tiny("fier")))
    with pytest.raises(InputError, match=r'field "relations": the model was made with relations=off'):
        scores(key(tiny(relations=False)))
    with pytest.raises(InputError, match=r"no checkpoint ships for faier\(references=1,variant=fier\+aier\)"):
        scores("faier(references=1,variant=fier+aier)")


@pytest.mark.parametrize(
    "wrong", ["faier(relations=maybe)", "faier(scale=log)", "faier(references=7)", "fier(variant=x)"]
)
def test_unknown_choices(wrong: str) -> None:
    with pytest.raises(InputError):
        parse(wrong)


@pytest.mark.parametrize(
    "spelled",
    [
        "faier",
        "fier",
        "aier",
        "faier(relations=off)",
        "faier(references=4,variant=fier+aier)",
        "fier(scale=calibrated)",
    ],
)
def test_key_parses_back(spelled: str) -> None:
    assert str(parse(spelled)) == spelled


def test_calibrated_scores_keep_their_order(tiny: Make) -> None:
    folder = tiny()
    raw, mapped = scores(key(folder)), scores(key(folder, scale="calibrated"))
    assert ((mapped >= 0) & (mapped <= 1)).all()
    same_count = np.array([0, 3, 4])  # images with three references
    assert (np.diff(mapped[same_count][np.argsort(raw[same_count])]) >= 0).all()
    assert parse(key(folder, scale="calibrated")).range == (0.0, 1.0)


def test_calibration_is_of_the_number_of_references() -> None:
    tables = {
        "n": {
            "0": {"matched": [1.0, 2.0], "mismatched": [0.0, 1.0]},
            "4": {"matched": [3.0, 4.0], "mismatched": [2.0, 3.0]},
        }
    }
    at = calibrate(np.array([1.0, 1.0, 3.0, 3.0, 3.5]), np.array([0, 3, 3, 4, 48]), tables)
    assert at.tolist() == [0.5, 0.5, 1.0, 0.5, 0.75]


def test_without_torch_the_error_names_the_extra(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vericap.metrics.faier.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"torch is not installed; pip install 'vericap\[neural\]'"):
        scores("faier")
    result = evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics="all", missing="zero")
    assert "faier" not in result
    assert any(note.startswith("faier left out:") and "vericap[neural]" in note for note in result.notes)


def test_a_broken_torch_is_an_error_that_says_so(tiny: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vericap.neural.faier.scorer", None)
    _load.cache_clear()
    with pytest.raises(InputError, match="the neural network cannot be loaded"):
        scores("faier")


def test_where_nothing_can_be_drawn_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "captions.json").write_text('[{"image_id": 1, "caption": "a dog"}]')
    words = ["explain", str(tmp_path / "captions.json"), "--id", "1", "--metrics", "fluency"]
    words += ["--html", str(tmp_path / "why.html"), "--png", str(tmp_path / "why.png")]
    with pytest.raises(InputError, match="none of these metrics has a matrix"):
        CliRunner().invoke(app, words, catch_exceptions=False)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["captions.json"]


def test_listing_metrics_imports_no_torch() -> None:
    code = (
        "import sys, vericap.metrics as m; [each.make() for each in m.registry().values()]; "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


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
    matrix = orjson.loads(data.read_bytes())[0]["matrices"]["objects × words, after fusion"]
    assert matrix["rows"] == ["(picture)", "dog", "sports ball"]


def test_regions_file_on_the_command_line(tiny: Make, tmp_path: Path) -> None:
    captions, regions, out = (tmp_path / name for name in ("captions.json", "regions.npz", "out.json"))
    captions.write_bytes(orjson.dumps(CAPTIONS, option=orjson.OPT_NON_STR_KEYS))
    features = np.eye(5, 6, dtype=np.float32)
    np.savez(regions, image_id=np.array(list(CAPTIONS)), num_boxes=np.ones(5, int), features=features)
    words = ["score", captions, "--regions", regions, "--metrics", key(tiny(features=6)), "--json", out]
    CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    assert len(orjson.loads(out.read_bytes())["captions"]) == 5
