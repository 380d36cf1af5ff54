"""CIDEr-R's own experiments: Table 3 to the printed digit, the Portuguese triplets, length and repetition."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vericap import evaluate
from vericap.errors import InputError
from vericap.metrics import parse

# Table 3, scores × 100: the correct candidates, then the incorrect ones. Printed by the authors.
TABLE_3 = {
    "cider-r": (
        [452.3, 389.5, 238.1, 173.6, 78.7, 32.1, 89.1, 73.2, 168.7, 133.2, 160.1, 160.1, 160.1, 160.1, 160.1],
        [537.4, 537.4, 537.4, 537.4, 537.4, 129.6, 129.6, 129.6, 129.6, 129.6, 745.3, 415.8, 142.8, 332.5, 77.0],
    ),
    "cider-d": (
        [452.3, 384.9, 248.7, 138.0, 60.8, 7.5, 15.4, 25.9, 54.7, 12.5, 128.5, 128.5, 128.5, 128.5, 128.5],
        [537.4, 537.4, 537.4, 537.4, 537.4, 201.1, 201.1, 201.1, 201.1, 201.1, 745.3, 304.2, 151.6, 212.0, 54.8],
    ),
    "rouge-l": (
        [90.0, 86.5, 76.9, 66.4, 49.8, 22.9, 35.1, 27.9, 33.5, 36.9, 50.2, 50.2, 50.2, 50.2, 50.2],
        [90.0, 90.0, 90.0, 90.0, 90.0, 60.2, 60.2, 60.2, 60.2, 60.2, 91.7, 60.3, 53.7, 52.4, 31.4],
    ),
    "bleu-4": (
        [65.8, 58.8, 35.1, 24.6, 0.0, 0.0, 0.0, 0.0, 15.8, 9.8, 0.0, 0.0, 0.0, 0.0, 0.0],
        [70.7, 70.7, 70.7, 70.7, 70.7, 30.8, 30.8, 30.8, 30.8, 30.8, 90.4, 39.6, 0.0, 28.0, 0.0],
    ),
}


@pytest.fixture(scope="module")
def toy(data):
    """Scores of the toy set behind Table 3: for each side, key → scores × 100 in the order of ids."""
    folder = data / "ciderr"

    def score(side: str, keys: list[str]) -> dict[str, list[float]]:
        results = folder / f"toy_candidate_classification_{side}_candidates.json"
        result = evaluate(results, folder / "toy_candidate_classification_references.json", metrics=keys)
        assert list(result.corpus.image_ids) == list(range(15))
        return {key: (100 * result[key].captions).tolist() for key in keys}

    return score


@pytest.mark.parametrize("key", TABLE_3)
def test_table_3_to_the_printed_digit(toy, key):
    for side, printed in zip(("correct", "incorrect"), TABLE_3[key], strict=True):
        assert [f"{s:.1f}" for s in toy(side, [key])[key]] == [f"{s:.1f}" for s in printed]


def test_equation_6_as_printed_is_not_what_the_authors_computed(toy):
    """1 / length gives 164.3 for the caption with repetitions where Table 3 has 129.6."""
    key = "cider-r(repetition=length)"
    assert toy("incorrect", [key])[key][5] == pytest.approx(164.3, abs=0.05)


@pytest.fixture(scope="module")
def triplets(data):
    """Share of #PraCegoVer triplets in which the right caption scores above the wrong one, by key."""
    given = json.loads((data / "ciderr" / "pracegover_triplets.json").read_text("utf-8"))

    def accuracy(kind: str, keys: list[str]) -> dict[str, float]:
        rows = list(given[kind].values())
        references = [[row[0]] for row in rows]
        right = evaluate([row[1] for row in rows], references, metrics=keys, tokenizer="unicode", language="pt")
        wrong = evaluate([row[2] for row in rows], references, metrics=keys, tokenizer="unicode", language="pt")
        return {key: float(np.mean(right[key].captions > wrong[key].captions)) for key in keys}

    return accuracy


def test_portuguese_captions_cut_short_defeat_cider_d_but_not_cider_r(triplets):
    """HII: the right caption is a piece of a long one. The Gaussian length penalty of CIDEr-D drowns it."""
    accuracy = triplets("HII", ["cider-r", "cider-d"])
    assert accuracy["cider-r"] > 0.93
    assert accuracy["cider-r"] - accuracy["cider-d"] > 0.25


def test_portuguese_captions_with_advertising_added(triplets):
    """HCI: the right caption is the reference and more text. Both see it, CIDEr-R more often."""
    accuracy = triplets("HCI", ["cider-r", "cider-d"])
    assert accuracy["cider-r"] > accuracy["cider-d"] > 0.9


def test_a_repeated_post_is_nearer_to_its_first_than_another_post(data):
    """#PraCegoVer's repetitions: 2,271 groups of posts with much the same caption. The second caption of a group
    must score above that of the next group against the first caption; ties count as missed."""
    given = json.loads((data / "ciderr" / "pracegover_duplications.json").read_text("utf-8"))
    groups = [[post["caption"] for post in posts] for posts in given.values()]
    references, right = [[group[0]] for group in groups], [group[1] for group in groups]
    keys = ["cider-r", "cider-d"]
    ours = evaluate(right, references, metrics=keys, tokenizer="unicode", language="pt")
    others = evaluate(right[1:] + right[:1], references, metrics=keys, tokenizer="unicode", language="pt")
    accuracy = {key: float(np.mean(ours[key].captions > others[key].captions)) for key in keys}
    assert accuracy["cider-r"] > 0.9
    assert accuracy["cider-r"] - accuracy["cider-d"] > 0.02


LONG = (
    "a wide photograph of an old harbour in the evening with wooden boats tied to a stone pier while two "
    "fishermen mend their nets beside a stack of empty crates and a grey cat watches them from the wall"
)
REFERENCES = {1: [LONG], 2: ["a cat on a red sofa"], 3: ["two men play chess in a park"]}
OTHERS = {2: "a cat on a red sofa", 3: "two men play chess in a park"}


def test_a_short_right_caption_of_a_long_reference_is_not_lost():
    short = "an old harbour in the evening with wooden boats tied to a stone pier"
    result = evaluate({1: short, **OTHERS}, REFERENCES, metrics="cider-d,cider-r")
    whole = evaluate({1: LONG, **OTHERS}, REFERENCES, metrics="cider-d,cider-r")
    kept = {key: result[key].captions[0] / whole[key].captions[0] for key in result}
    assert kept["cider-d"] < 0.01
    assert kept["cider-r"] > 0.2


def test_repeating_a_word_to_gain_length_pays_under_cider_d_only():
    short = "an old harbour in the evening with wooden boats tied to a stone pier"
    padded = short + " boats" * 8
    keys = "cider-d,cider-r"
    plain = evaluate({1: short, **OTHERS}, REFERENCES, metrics=keys)
    repeated = evaluate({1: padded, **OTHERS}, REFERENCES, metrics=keys)
    assert repeated["cider-d"].captions[0] > plain["cider-d"].captions[0]
    assert repeated["cider-r"].captions[0] < plain["cider-r"].captions[0]


def test_k_r_weighs_repetition_against_length():
    padded = {1: "an old harbour harbour harbour harbour", **OTHERS}
    keys = ("cider-r(k_r=1)", "cider-r", "cider-r(k_r=0)")
    repetition, both, length = (evaluate(padded, REFERENCES, metrics=key)[key].captions[0] for key in keys)
    # The geometric mean of the two penalties lies between them: "harbour" four times costs less than the length.
    assert repetition > both > length
    with pytest.raises(InputError, match="from 0 to 1"):
        parse("cider-r(k_r=1.5)")
