"""A corpus as FAIEr takes it: equal scenes are one, and a few rows give the scenes they have in the whole."""

from __future__ import annotations

import numpy as np
import pytest

from tests.metrics.faier.faier_captions import CAPTIONS, OBJECTS, REFERENCES, Make, key, model
from vericap.corpus import Corpus
from vericap.metrics import parse
from vericap.metrics.faier import FaierFamily
from vericap.metrics.faier.scenes import captions_of, scenes_of
from vericap.readers.objects import add_objects
from vericap.views import Views


@pytest.fixture
def views() -> Views:
    corpus = Corpus.from_lists(list(CAPTIONS.values()), list(REFERENCES.values()), list(CAPTIONS))
    return Views(add_objects(corpus, OBJECTS))


def family(tiny: Make, variant: str) -> FaierFamily:
    metric = parse(key(model(tiny, variant), variant))
    assert isinstance(metric, FaierFamily)
    return metric


def test_captions_with_the_same_picture_and_references_share_a_scene(tiny: Make, views: Views) -> None:
    scenes = scenes_of(family(tiny, "faier"), views)
    assert scenes.scene.tolist() == [0, 1, 2, 3, 0]  # images 1 and 5 have the same of both
    assert [len(given) for given in scenes.references] == [3, 2, 1, 3]
    assert scenes.rows is not None and scenes.regions is not None and len(scenes.rows) == 4


def test_each_variant_has_what_it_uses(tiny: Make, views: Views) -> None:
    assert scenes_of(family(tiny, "aier"), views).regions is None
    assert set(scenes_of(family(tiny, "fier"), views).references) == {()}


def test_triplets_are_those_of_the_scene_graph_unless_relations_are_off(views: Views) -> None:
    (first, *_), references = captions_of(views, relations=True)
    assert ("dog", "run on", "grass") in first.triplets and len(references) == sum(map(len, REFERENCES.values()))
    (first, *_), _ = captions_of(views, relations=False)
    assert first.words == tuple(CAPTIONS[1].split()) and first.triplets == ()


def test_a_few_rows_are_explained_as_in_the_whole(tiny: Make, views: Views) -> None:
    metric = family(tiny, "faier")
    for row in range(len(CAPTIONS)):
        whole, alone = metric.explain(views, row), metric.explain(views.rows([row]), 0)
        assert alone.values == whole.values and alone.sections == whole.sections
        for name, matrix in whole.matrices.items():
            np.testing.assert_array_equal(alone.matrices[name].values, matrix.values)
