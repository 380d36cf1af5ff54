"""Conditions on a node of a prepared tree, from which the tables of relations are written. Each function here returns a
condition; labels are given as `constituents.labels` reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from vericap.scene.stanford.constituents import Constituent, labels

Condition: TypeAlias = Callable[[Constituent], bool]


def both(*conditions: Condition) -> Condition:
    """All of the conditions; without any, it always holds."""
    if len(conditions) == 1:
        return conditions[0]
    if len(conditions) == 2:
        first, second = conditions
        return lambda x: first(x) and second(x)

    def test(x: Constituent) -> bool:
        for condition in conditions:  # noqa: SIM110 (a third faster than all())
            if not condition(x):
                return False
        return True

    return test


def either(*conditions: Condition) -> Condition:
    """At least one of the conditions."""

    def test(x: Constituent) -> bool:
        for condition in conditions:  # noqa: SIM110
            if condition(x):
                return True
        return False

    return test


def no(condition: Condition) -> Condition:
    """The condition does not hold."""
    return lambda x: not condition(x)


def word(*words: str | Iterable[str]) -> Condition:
    """A word that is one of these."""
    wanted = frozenset(w for each in words for w in ((each,) if isinstance(each, str) else each))
    return lambda x: x.text in wanted


def label(names: str) -> Condition:
    """A label of these."""
    wanted = labels(names)
    return lambda x: x.label in wanted


def _some(names: str, conditions: tuple[Condition, ...]) -> Callable[[list[Constituent]], bool]:
    wanted = labels(names)
    if not conditions:

        def has_label(nodes: list[Constituent]) -> bool:
            for node in nodes:  # noqa: SIM110
                if node.label in wanted:
                    return True
            return False

        return has_label
    condition = both(*conditions)

    def has_node(nodes: list[Constituent]) -> bool:
        for node in nodes:  # noqa: SIM110
            if node.label in wanted and condition(node):
                return True
        return False

    return has_node


def has(names: str, *conditions: Condition) -> Condition:
    """Some child is such a node."""
    some = _some(names, conditions)
    return lambda x: some(x.children)


def first(names: str, *conditions: Condition) -> Condition:
    """The first child is such a node."""
    some = _some(names, conditions)
    return lambda x: some(x.children[:1])


def second(names: str, *conditions: Condition) -> Condition:
    """The second child is such a node."""
    some = _some(names, conditions)
    return lambda x: some(x.children[1:2])


def last(names: str, *conditions: Condition) -> Condition:
    """The last child is such a node."""
    some = _some(names, conditions)
    return lambda x: some(x.children[-1:])


def only(names: str, *conditions: Condition) -> Condition:
    """There is a single child, and it is such a node."""
    some = _some(names, conditions)
    return lambda x: len(x.children) == 1 and some(x.children)


def head(names: str, *conditions: Condition) -> Condition:
    """The head child is such a node."""
    some = _some(names, conditions)
    return lambda x: some([x.plain_head])


def _sisters(x: Constituent) -> list[Constituent]:
    return x.parent.children if x.parent else [x]


def follows(names: str, *conditions: Condition, over: Condition | None = None) -> Condition:
    """Some sister before it is such a node, with no node of `over` between."""
    some = _some(names, conditions)

    def test(x: Constituent) -> bool:
        if not x.place:
            return False
        if over is None:
            return some(_sisters(x)[: x.place])
        for node in reversed(_sisters(x)[: x.place]):
            if some([node]):
                return True
            if over(node):
                return False
        return False

    return test


def precedes(names: str, *conditions: Condition, over: Condition | None = None) -> Condition:
    """Some sister after it is such a node, with no node of `over` between."""
    some = _some(names, conditions)

    def test(x: Constituent) -> bool:
        if over is None:
            return some(_sisters(x)[x.place + 1 :])
        for node in _sisters(x)[x.place + 1 :]:
            if some([node]):
                return True
            if over(node):
                return False
        return False

    return test


def just_follows(names: str, *conditions: Condition) -> Condition:
    """The sister just before it is such a node."""
    some = _some(names, conditions)
    return lambda x: x.place > 0 and some([_sisters(x)[x.place - 1]])


def just_precedes(names: str, *conditions: Condition) -> Condition:
    """The sister just after it is such a node."""
    some = _some(names, conditions)
    return lambda x: some(_sisters(x)[x.place + 1 : x.place + 2])


def under(names: str, *conditions: Condition) -> Condition:
    """The parent is such a node."""
    some = _some(names, conditions)
    return lambda x: x.parent is not None and some([x.parent])


def reaches(names: str, *conditions: Condition, through: str) -> Condition:
    """Some child is such a node, or some child of a chain of nodes with the labels of `through`."""
    some, chain = _some(names, conditions), labels(through)

    def test(x: Constituent) -> bool:
        return some(x.children) or any(test(child) for child in x.children if child.label in chain)

    return test


def is_first(x: Constituent) -> bool:
    """It is the first child."""
    return x.place == 0


def before_head(x: Constituent) -> bool:
    """It comes before the head child of its parent."""
    return x.parent is not None and x.place < x.parent.plain_head.place


def after_head(x: Constituent) -> bool:
    """It comes after the head child of its parent."""
    return x.parent is not None and x.place > x.parent.plain_head.place


def just_before_head(x: Constituent) -> bool:
    """It comes just before the head child of its parent."""
    return x.parent is not None and x.place == x.parent.plain_head.place - 1


def just_after_head(x: Constituent) -> bool:
    """It comes just after the head child of its parent."""
    return x.parent is not None and x.place == x.parent.plain_head.place + 1


def between_head(names: str) -> Condition:
    """Some sister between it and the head child of its parent has one of the labels."""
    wanted = labels(names)

    def test(x: Constituent) -> bool:
        if x.parent is None:
            return False
        low, high = sorted((x.place, x.parent.plain_head.place))
        return any(node.label in wanted for node in x.parent.children[low + 1 : high])

    return test


def right_edge(condition: Condition) -> Condition:
    """It, its last child, that one's last child or so on meets the condition."""

    def test(x: Constituent) -> bool:
        while not condition(x):
            if not x.children:
                return False
            x = x.children[-1]
        return True

    return test


def left_edge(condition: Condition) -> Condition:
    """Its first child, that one's first child or so on meets the condition."""

    def test(x: Constituent) -> bool:
        while x.children:
            x = x.children[0]
            if condition(x):
                return True
        return False

    return test
