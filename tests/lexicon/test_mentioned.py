"""Words of captions that name objects are found by synonyms, in the caption as it was written."""

from __future__ import annotations

import pytest

from vericap.lexicon.mentioned import mentioned


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
