"""The metrics faier, fier and aier: what they say, and that a score depends on its caption alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import orjson
import pytest
from typer.testing import CliRunner

from tests.metrics.faier.faier_captions import CAPTIONS, OBJECTS, REFERENCES, Make, key, model, scores
from vericap import evaluate
from vericap.cli import app
from vericap.corpus import Corpus
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.metrics.faier.metric import calibrate, load
from vericap.readers.objects import add_objects
from vericap.views import Views


@pytest.mark.parametrize("variant", ["faier", "fier", "aier"])
def test_batch_results_equal_single_results(variant: str, tiny: Make) -> None:
    metric = key(model(tiny, variant), variant)
    together = scores(metric)
    for place, image in enumerate(CAPTIONS):
        alone = evaluate(
            {image: CAPTIONS[image]}, {image: REFERENCES[image]}, objects={image: OBJECTS[image]}, metrics=[metric]
        )
        assert alone[metric].captions[0] == together[place]
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


@pytest.mark.parametrize(
    "wrong", ["faier(relations=maybe)", "faier(scale=log)", "faier(references=7)", "fier(variant=x)"]
)
def test_unknown_choices(wrong: str) -> None:
    with pytest.raises(InputError):
        parse(wrong)


def test_listing_metrics_imports_no_torch() -> None:
    code = (
        "import sys, vericap.metrics as m; [each.make() for each in m.registry().values()]; "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_regions_file_on_the_command_line(tiny: Make, tmp_path: Path) -> None:
    captions, regions, out = (tmp_path / name for name in ("captions.json", "regions.npz", "out.json"))
    captions.write_bytes(orjson.dumps(CAPTIONS, option=orjson.OPT_NON_STR_KEYS))
    features = np.eye(5, 6, dtype=np.float32)
    np.savez(regions, image_id=np.array(list(CAPTIONS)), num_boxes=np.ones(5, int), features=features)
    words = ["score", captions, "--regions", regions, "--metrics", key(tiny(features=6)), "--json", out]
    CliRunner().invoke(app, list(map(str, words)), catch_exceptions=False)
    assert len(orjson.loads(out.read_bytes())["captions"]) == 5


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


def test_a_model_trained_with_two_references_is_asked_for_by_name(tiny: Make) -> None:
    assert np.isfinite(scores(key(tiny(references="2"), references="2"), references={**REFERENCES})).all()


def test_three_variants_in_a_table_are_read_once_each(tiny: Make) -> None:
    load.cache_clear()
    metrics = [key(model(tiny, name), name) for name in ("faier", "fier", "aier")]
    evaluate(CAPTIONS, REFERENCES, objects=OBJECTS, metrics=metrics)
    assert load.cache_info().misses == 3
