"""Verity's features in NumPy are those of the network that was trained, and keep what their formulas promise."""

from __future__ import annotations

import numpy as np
import pytest

from tests.encoders.models import PIECES
from tests.metrics.verity.models import CAPTIONS, REFERENCES, write_small
from vericap.encoders.wordpiece import WordPiece
from vericap.metrics.verity.matching import LEAST, EncodedReferences, Text, gather_references, match
from vericap.metrics.verity.model import Model


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verity")
    write_small(folder)
    return Model(folder)


def of_network(network, captions, groups):
    """Features [captions, pictures, 8], the yardstick and z, by the network."""
    import torch

    texts = [*captions, *(text for group in groups for text in group)]
    with torch.no_grad():
        read = network.texts(list(WordPiece(PIECES)(texts, 20).ids))
        picture = torch.tensor([number for number, group in enumerate(groups) for _ in group])
        split = read.rows(0, len(captions)), read.rows(len(captions))
        features, yardstick, counts = network.features(*split, picture)
        return features.numpy(), yardstick.numpy(), network.logits(features, yardstick, counts).numpy()


@pytest.mark.torch
@pytest.mark.parametrize("groups", [[REFERENCES], [REFERENCES[:1]], [REFERENCES * 3], [REFERENCES[:2], CAPTIONS[1:2]]])
def test_features_and_logits_are_those_of_the_network(tmp_path, groups):
    from tests.tools.verity.networks import export_small

    network, model = export_small(tmp_path), Model(tmp_path)
    features, yardstick, z = of_network(network, CAPTIONS, groups)
    captions, pictures = model.read(CAPTIONS, [tuple(group) for group in groups])
    for number, picture in enumerate(pictures):
        assert isinstance(picture, EncodedReferences)
        assert picture.yardstick == pytest.approx(yardstick[number], abs=1e-4)
        found = np.array([match(caption, picture) for caption in captions])
        assert found == pytest.approx(features[:, number], abs=1e-4)
        alone = np.full(len(found), model.head.sums.alone(picture))
        assert model.head.sums.statistics(found, alone)[:, :4].sum(axis=1) == pytest.approx(z[:, number], abs=1e-4)


def test_a_reference_itself_is_fully_supported(model):
    captions, (picture,) = model.read(REFERENCES, [tuple(REFERENCES)])
    for caption in captions:
        support, _, unsupported, _, best_coverage, _, nearest, _ = match(caption, picture)
        assert (support, best_coverage, nearest) == pytest.approx((1, 1, 1), abs=1e-5)
        assert unsupported == pytest.approx(0, abs=1e-3)


def test_the_order_of_references_does_not_matter(model):
    captions, pictures = model.read(CAPTIONS, [tuple(REFERENCES), tuple(REFERENCES[::-1])])
    for caption in captions:
        assert match(caption, pictures[0]) == pytest.approx(match(caption, pictures[1]), abs=1e-5)


def unit(*rows: list[float]) -> np.ndarray:
    return np.array(rows, np.float32)


def test_by_hand():
    # Two words; the second is in no reference (cosine 0) and weighs three times as much as the first (cosine 1).
    caption = Text(unit([1, 0, 0], [0, 1, 0]), np.float32([1, 3]), unit([1, 0, 0])[0])
    reference = Text(unit([1, 0, 0], [0, 0, 1]), np.float32([1, 1]), unit([0, 1, 0])[0])
    references = gather_references([reference])
    assert match(caption, references) == pytest.approx([0.25, 0.25, -np.sqrt(0.75), 0.5, 0.5, 0.5, 0, 0])


def test_a_caption_without_a_word_has_the_least_of_all_features():
    empty = Text(np.zeros((0, 3), np.float32), np.zeros(0, np.float32), unit([1, 0, 0])[0])
    reference = Text(unit([1, 0, 0]), np.float32([1]), unit([1, 0, 0])[0])
    assert match(empty, gather_references([reference, empty])).tolist() == LEAST.tolist()


def test_references_without_a_word_do_not_count():
    empty = Text(np.zeros((0, 3), np.float32), np.zeros(0, np.float32), unit([1, 0, 0])[0])
    reference = Text(unit([1, 0, 0]), np.float32([1]), unit([1, 0, 0])[0])
    assert gather_references([empty]) is None
    assert gather_references([empty, reference]).number == 1
