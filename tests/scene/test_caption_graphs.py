"""What captions say: facts of the rules, on the trees the shipped parser finds, and captions that are no captions."""

from __future__ import annotations

import pytest

from vericap.scene.caption_graphs import caption_propositions, remembering, scene_graph, split_sentences
from vericap.scene.parser import MAX_WORDS, Parser

CAPTIONS = [
    "a man riding a wave on top of a surfboard",
    "two women are sitting at a white table",
    "a black and white cat lies on a bed",
    "a dog",
    "a person holding a cell phone in front of a mirror",
    "there are three zebras standing in the grass near a tree",
]


def tuples(caption: str) -> set[tuple[str, ...]]:
    return set(caption_propositions([caption.split()])[0])


def test_prepositions_of_three_words_reach_their_noun() -> None:
    assert ("person", "mirror", "in front of") in tuples(CAPTIONS[4]) or ("phone", "mirror", "in front of") in tuples(
        CAPTIONS[4]
    )


def test_conjoined_adjectives_both_describe_the_noun() -> None:
    assert {("cat", "black"), ("cat", "white")} <= tuples(CAPTIONS[2])


def test_numbers_are_attributes_of_plural_nouns() -> None:
    assert ("woman", "two") in tuples(CAPTIONS[1])
    assert ("zebra", "three") in tuples(CAPTIONS[5])


def test_a_quantifier_leaves_its_article_with_the_noun() -> None:
    # "a couple of people": the original gives (people, a), and `couple` stays an object.
    found = tuples("a couple of people standing around by a horse")
    assert {("people", "a"), ("couple",), ("people", "horse", "stand around by")} <= found


def test_a_pronoun_stands_for_the_first_noun() -> None:
    assert ("man", "produce", "have") in tuples("a man stands with his produce in baskets")


def test_sentences_are_read_one_by_one() -> None:
    graph = scene_graph("A dog is sleeping. Two cats are playing!")
    assert [str(o) for o in graph.objects] == ["dog", "cat"]


@pytest.mark.parametrize(
    "caption",
    ["dog", "😀 🐕 der 草", "ein hund läuft über die wiese", "собака бежит", "a" * 5000, "( )", "🐕 on the grass"],
)
def test_any_text_has_a_graph_of_its_objects(caption: str) -> None:
    """Attributes and relations are of objects that the graph has."""
    graph = scene_graph(caption)
    assert set(graph.attributes) == set(graph.objects)
    assert {concept for pair in graph.relations for concept in pair} <= set(graph.objects)
    assert len(graph.tuples()) >= len(graph.objects)


@pytest.mark.parametrize("caption", ["", " ", "...", "😀"])
def test_a_text_without_words_has_an_empty_graph(caption: str) -> None:
    assert scene_graph(caption).tuples() == []


def test_a_caption_of_any_length_is_cut_into_sentences_that_the_parser_takes() -> None:
    assert [len(s) for s in split_sentences(["dog"] * 300)] == [MAX_WORDS] * (300 // MAX_WORDS) + [300 % MAX_WORDS]
    words = ("a dog runs on the grass near a tree " * 500).split()
    cut = split_sentences(words)
    assert max(map(len, cut)) <= MAX_WORDS and [word for sentence in cut for word in sentence] == words
    assert {("dog",), ("tree",), ("dog", "grass", "run on")} <= set(caption_propositions([words])[0])


def test_a_caption_is_parsed_once_while_it_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[object] = []
    parse_each = Parser.parse_each

    def counted(self, sentences, use, workers=1):
        parsed.extend(sentences)
        return parse_each(self, sentences, use, workers)

    monkeypatch.setattr(Parser, "parse_each", counted)
    dog, cat = ["a", "dog"], ["two", "cats"]
    with remembering():
        first = caption_propositions([dog])
        with remembering():  # the inner one adds to the outer one
            assert caption_propositions([cat, dog]) == [[("cat", "two"), ("cat",)], *first]
        assert len(parsed) == 2
    caption_propositions([dog])
    assert len(parsed) == 3
