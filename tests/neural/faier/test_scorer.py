"""The scorer: any order, any batch and any number of workers give the same; details add up to the score."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from vericap.errors import InputError  # noqa: E402
from vericap.neural.faier import checkpoint  # noqa: E402
from vericap.neural.faier.config import Config, ModelConfig  # noqa: E402
from vericap.neural.faier.model import Model  # noqa: E402
from vericap.neural.faier.scenes import Scenes  # noqa: E402
from vericap.neural.faier.scorer import Scorer  # noqa: E402
from vericap.neural.faier.symbolic import feature_size  # noqa: E402
from vericap.neural.faier.triplets import Caption  # noqa: E402
from vericap.neural.faier.words import shipped_vectors  # noqa: E402

LABELS = [["dog", "ball"], ["person", "horse", "car"], [], ["pizza"]]
CAPTIONS = [
    Caption.of("a dog chases a ball".split(), [("dog", "ball", "chase")]),
    Caption.of("two people".split()),
    Caption.of("a man rides a horse near cars".split(), [("man", "horse", "ride"), ("horse", "car", "near")]),
    Caption.of([]),
    Caption.of("xyzzyx".split()),
    Caption.of("pizza on a table".split(), [("pizza", "table", "on")]),
]
SCENE = np.array([0, 1, 1, 2, 3, 3])
REFERENCES = [[CAPTIONS[2], CAPTIONS[1]], [], [CAPTIONS[3]], [CAPTIONS[5], CAPTIONS[0], CAPTIONS[4]]]


@pytest.fixture(scope="module", params=["faier", "fier", "aier", "fier+aier"])
def scorer(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scorer:
    folder: Path = tmp_path_factory.mktemp("faier")
    vectors = shipped_vectors()
    config = Config(ModelConfig(request.param, dimension=16, boxes=False))
    features, words = feature_size(vectors.dimension), [".", "a", "dog"]
    torch.manual_seed(4)
    model = Model(config.model, features, vectors.dimension, len(words) + 1)
    facts = {"word_dimension": vectors.dimension, "vectors": vectors.hash, "symbolic": True, "features": features}
    checkpoint.save(folder, dict(model.named_parameters()), config, words, facts)
    return Scorer.load(folder)


def test_batches_and_workers_change_nothing(scorer: Scorer) -> None:
    scenes = Scenes(CAPTIONS, SCENE, REFERENCES, scorer.label_regions(LABELS), np.arange(4))
    whole = scorer.score(scenes)
    assert np.array_equal(whole.total, whole.objects + whole.relations)
    assert np.isfinite(whole.total).all()
    single = scorer.score(scenes, batch=1)
    assert np.allclose(single.total, whole.total, atol=1e-5)
    for first, second in ((1, 2), (2, 3)):
        one = scorer.score(scenes, batch=2, workers=first)
        other = scorer.score(scenes, batch=2, workers=second)
        assert np.array_equal(one.total, other.total)
    back = np.arange(6)[::-1]
    turned = scorer.score(replace(scenes, candidates=[CAPTIONS[i] for i in back], scene=SCENE[back]))
    assert np.allclose(turned.total[back], whole.total, atol=1e-5)


def test_details_add_up(scorer: Scorer) -> None:
    scenes = Scenes(CAPTIONS, SCENE, REFERENCES, scorer.label_regions(LABELS), np.arange(4))
    whole = scorer.score(scenes)
    for i, caption in enumerate(CAPTIONS):
        found = scorer.details(scenes, i)
        assert found.total == pytest.approx(whole.total[i], abs=1e-5)
        assert found.objects_before.shape[1] == len(caption.words)
        if scorer.config.variant in ("faier", "fier"):
            assert found.objects_after.shape == (len(found.labels), len(caption.words))
            assert found.objects == pytest.approx(found.objects_after.max(axis=0).mean(), abs=1e-5)
            if caption.triplets:
                assert found.relations == pytest.approx(found.relations_after.max(axis=0).mean(), abs=1e-5)
            else:
                assert found.relations == 0


def test_before_fusion_is_what_the_model_attends_to(scorer: Scorer) -> None:
    """The softmax of a region's row over a reference's words is equation 2's α."""
    from vericap.neural.faier.inputs import CaptionColumns, region_batch

    if scorer.config.variant != "faier":
        pytest.skip("fuses nothing")
    regions = scorer.label_regions(LABELS)
    scenes = Scenes(CAPTIONS[:1], np.array([0]), [[CAPTIONS[2]]], regions, np.array([1]))
    found = scorer.details(scenes, 0).reference_matches[0]
    vocabulary: dict[str, int] = {}
    texts = CaptionColumns.encode([CAPTIONS[2]], vocabulary).batch(np.arange(1))
    with torch.inference_mode():
        said = scorer.model.encode_captions(texts, scorer.lexicon(list(vocabulary))).objects
        seen = scorer.model.encode_images(region_batch(regions, np.array([1]), 36)).objects
        alpha = scorer.model.fusion["objects"].attention(seen.padded(), said.padded(), said.mask)[0].numpy()
    assert np.allclose(np.exp(found) / np.exp(found).sum(axis=1, keepdims=True), alpha, atol=1e-5)


def test_regions_of_another_detector_are_refused(scorer: Scorer) -> None:
    from vericap.corpus import Regions

    if scorer.config.variant == "aier":
        pytest.skip("sees no image")
    with pytest.raises(InputError, match="regions have 5 features"):
        regions = Regions([1], np.array([0, 1]), np.ones((1, 5), np.float32))
        scorer.score(Scenes(CAPTIONS[:1], np.array([0]), [()], regions, np.array([0])))


def test_other_vectors_are_refused(scorer: Scorer) -> None:
    from vericap.neural.faier.words import load_vectors

    with pytest.raises(InputError, match="trained with the word vectors 000000"):
        load_vectors("000000", "folder")
