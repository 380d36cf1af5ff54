"""Human captions spoilt in known ways: a good metric gives the spoilt caption less than the original.

Each way is a function of a caption's words that gives other words, or None where the caption offers nothing to spoil.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

OBJECTS = [
    line.split()
    for line in (
        "dog cat horse sheep cow elephant bear zebra giraffe bird",
        "car bus truck train motorcycle bicycle boat plane airplane van taxi",
        "man woman boy girl child baby lady guy",
        "men women boys girls children people kids",
        "pizza sandwich cake donut banana apple orange broccoli carrot salad soup burger bread",
        "chair couch bed table desk bench sofa toilet sink bathtub",
        "cup bottle bowl glass plate fork knife spoon vase pot",
        "laptop phone television tv keyboard mouse remote book clock camera computer",
        "umbrella suitcase backpack handbag tie hat helmet shirt jacket",
        "skateboard surfboard frisbee snowboard kite ball bat racket skis",
        "street beach park kitchen bathroom field room road river forest snow ocean lake city",
        "oven microwave refrigerator stove toaster",
        "dogs cats horses cows birds sheep elephants zebras giraffes bears",
        "cars buses trucks trains motorcycles bicycles boats planes",
        "table floor wall grass sidewalk roof shelf",
    )
]
ATTRIBUTES = [
    line.split()
    for line in (
        "red blue green yellow black white brown orange pink purple gray",
        "large small big tiny little huge tall short",
        "young old elderly",
        "wooden metal plastic glass stone",
        "wet dry dirty clean",
        "empty full",
        "happy sad angry",
        "open closed",
        "round square",
    )
]
ACTIONS = [
    line.split()
    for line in (
        "sitting standing lying walking running jumping flying sleeping",
        "eating drinking holding throwing catching kicking carrying cutting reading",
        "riding pushing pulling washing driving",
        "smiling crying laughing",
    )
]
NUMBERS = "two three four five six".split()
OPPOSITES = {
    "on": "under", "under": "on", "above": "below", "below": "above", "in": "outside", "inside": "outside",
    "outside": "inside", "left": "right", "right": "left", "behind": "before", "before": "behind", "with": "without",
    "up": "down", "down": "up", "near": "away from", "over": "under", "into": "out of", "through": "around",
}  # fmt: skip
NEGATED = {"a", "an", "the", "some", "two", "three", "several"}
FUNCTION_WORDS = set(
    "a an the of on in with and to at is are by for from while near behind under his her it its their next that there "
    "this as into over two three some one other up down out off front side top very".split()
)
OBJECT_GROUP = {word: group for group in OBJECTS for word in group}
ATTRIBUTE_GROUP = {word: group for group in ATTRIBUTES for word in group}
ACTION_GROUP = {word: group for group in ACTIONS for word in group}
ALL_OBJECTS = [word for group in OBJECTS for word in group]


class Pool(NamedTuple):
    """The material in the captions of a corpus: nouns, ends of captions, content words."""

    nouns: list[str]
    is_noun: set[str]
    tails: list[list[str]]
    content: set[str]


Words: TypeAlias = list[str]
Spoil: TypeAlias = Callable[[Words, Random, Pool], Words | None]


def split(caption: str) -> Words:
    """Return the words of a caption, as they are written.

    >>> split("A man's dog, running.")
    ['A', "man's", 'dog', ',', 'running', '.']
    """
    return re.findall(r"[A-Za-z0-9'-]+|[^\sA-Za-z0-9]", caption)


def _places(words: Words, among: Iterable[str]) -> list[int]:
    known = among if isinstance(among, set | dict) else set(among)
    return [place for place, word in enumerate(words) if word.lower() in known]


def _other(group: Sequence[str], word: str, random: Random) -> str:
    return random.choice([other for other in group if other != word])


def _replaced(words: Words, place: int, by: Sequence[str]) -> Words:
    return [*words[:place], *by, *words[place + 1 :]]


def objects(words: Words, random: Random, pool: Pool) -> Words | None:
    """Replace an object by another, mostly one of the same kind: a dog by a cat."""
    if not (places := _places(words, OBJECT_GROUP)):
        return None
    place = random.choice(places)
    word = words[place].lower()
    group = OBJECT_GROUP[word] if random.random() < 0.7 else ALL_OBJECTS
    return _replaced(words, place, [_other(group, word, random)])


def nouns(words: Words, random: Random, pool: Pool) -> Words | None:
    """Any noun becomes any other."""
    if not (places := _places(words, pool.is_noun)):
        return None
    place = random.choice(places)
    return _replaced(words, place, [_other(pool.nouns, words[place].lower(), random)])


def _within_group(words: Words, random: Random, groups: dict[str, list[str]]) -> Words | None:
    if not (places := _places(words, groups)):
        return None
    place = random.choice(places)
    word = words[place].lower()
    return _replaced(words, place, [_other(groups[word], word, random)])


def attribute(words: Words, random: Random, pool: Pool) -> Words | None:
    """Red becomes blue."""
    return _within_group(words, random, ATTRIBUTE_GROUP)


def action(words: Words, random: Random, pool: Pool) -> Words | None:
    """Sitting becomes running."""
    return _within_group(words, random, ACTION_GROUP)


def count(words: Words, random: Random, pool: Pool) -> Words | None:
    """Change a number: two becomes five."""
    return _within_group(words, random, dict.fromkeys(NUMBERS, NUMBERS))


def relation(words: Words, random: Random, pool: Pool) -> Words | None:
    """On becomes under."""
    if not (places := _places(words, OPPOSITES)):
        return None
    place = random.choice(places)
    return _replaced(words, place, OPPOSITES[words[place].lower()].split())


def negation(words: Words, random: Random, pool: Pool) -> Words | None:
    """Negate: a dog becomes no dog."""
    if not (places := _places(words, NEGATED)):
        return None
    return _replaced(words, random.choice(places), ["no"])


def roles(words: Words, random: Random, pool: Pool) -> Words | None:
    """Swap the first object with another."""
    places = _places(words, {*OBJECT_GROUP, *pool.is_noun})
    others = [place for place in places if words[place].lower() != words[places[0]].lower()]
    if not others:
        return None
    first, second = places[0], random.choice(others)
    found = list(words)
    found[first], found[second] = found[second], found[first]
    return found


def invented(words: Words, random: Random, pool: Pool) -> Words | None:
    """Add the end of another caption."""
    return [*(word for word in words if word != "."), *random.choice(pool.tails)]


def repeated(words: Words, random: Random, pool: Pool) -> Words | None:
    """Repeat the last words, once to three times."""
    if len(words) < 6:
        return None
    place = random.randrange(2, len(words) - 2)
    number = random.randrange(2, min(6, place + 1))
    found = [word for word in words if word != "."]
    return found + found[-number:] * random.randrange(1, 4)


def truncated(words: Words, random: Random, pool: Pool) -> Words | None:
    """End the caption early."""
    if len(words) < 7:
        return None
    return words[: random.randrange(max(3, len(words) // 3), len(words) - 2)]


def shuffled(words: Words, random: Random, pool: Pool) -> Words | None:
    """Return the words in another order."""
    found = [word for word in words if word != "."]
    random.shuffle(found)
    return found if found != words else None


def dropped(words: Words, random: Random, pool: Pool) -> Words | None:
    """Leave out all from a preposition on."""
    places = _places(words, "with on in near at by behind under".split())
    places = [place for place in places if place >= 3]
    return words[: random.choice(places)] if places else None


def keywords(words: Words, random: Random, pool: Pool) -> Words | None:
    """Only words that mean something are left."""
    found = [word for word in words if word.lower() in pool.content]
    return found if 2 <= len(found) < len(words) - 1 else None


KINDS: dict[str, Spoil] = {
    "objects": objects,
    "nouns": nouns,
    "attribute": attribute,
    "count": count,
    "relation": relation,
    "action": action,
    "negation": negation,
    "roles": roles,
    "invented": invented,
    "repeated": repeated,
    "truncated": truncated,
    "shuffled": shuffled,
    "dropped": dropped,
    "keywords": keywords,
}


def make_pool(captions: Sequence[str], random: Random) -> Pool:
    """Nouns, ends of captions and content words of captions. A noun is between an article and a word that often
    follows nouns."""
    between: Counter[str] = Counter()
    frequency: Counter[str] = Counter()
    tails = []
    articles = ("a", "an", "the")
    followers = ("is", "are", "on", "in", "with", "and", ".", "at", "of", "by", "near")
    openers = ("with", "on", "in", "near", "next", "behind", "and")
    for caption in captions:
        words = [word.lower() for word in split(caption)]
        for before, word, after in zip(words, words[1:], [*words[2:], "."], strict=False):
            if before in articles and after in followers:
                between[word] += 1
        frequency.update(words)
        places = [place for place, word in enumerate(words) if word in openers and 3 < place < len(words) - 2]
        if places and random.random() < 0.3:
            place = random.choice(places)
            tails.append([word for word in words[place : place + 7] if word != "."])
    found = [
        word
        for word, times in between.most_common(900)
        if times >= 20 and times > 0.2 * frequency[word] and word.isalpha() and len(word) > 2
    ]
    kept = [word for word in found if word not in FUNCTION_WORDS]
    content = {
        word for word, times in frequency.items() if times >= 3 and word.isalpha() and word not in FUNCTION_WORDS
    }
    return Pool(kept, set(kept), tails, content)
