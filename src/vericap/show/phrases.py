"""A tree of phrases as lines for a fixed-width screen, and as SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape

from vericap.scene.stanford.tree import Node, Tree
from vericap.show.graphs import ATTRIBUTE, OBJECT
from vericap.show.screen import visible

_LEVEL, _LETTER, _GAP = 44, 8, 14  # pixels between levels, of a letter, and between words
_SIZE = re.compile(r'viewBox="0 0 (\d+) (\d+)"')


def draw_phrases(tree: Tree) -> list[str]:
    """Return lines with each phrase above its parts.

    >>> print("\\n".join(draw_phrases(Tree.read("(ROOT (NP (NP (DT a) (NN dog)) (PP (IN on) (NP (NN grass)))))"))))
    ROOT
    └── NP
        ├── NP
        │   ├── DT a
        │   └── NN dog
        └── PP
            ├── IN on
            └── NP
                └── NN grass
    """

    def lines(node: Node, before: str) -> Iterator[str]:
        for place, child in enumerate(node.children, 1):
            last = place == len(node.children)
            yield f"{before}{'└' if last else '├'}── {_named(tree, child)}"
            yield from lines(child, before + ("    " if last else "│   "))

    return [visible(line) for line in (_named(tree, tree.root), *lines(tree.root, ""))]


def draw_phrases_svg(trees: Sequence[Tree], title: str = "") -> str:
    """Return an SVG drawing of trees, one below the other: words in a row, and each phrase above its own.

    >>> svg = draw_phrases_svg([Tree.read("(ROOT (NP (DT a) (NN dog)))")])
    >>> svg.startswith("<svg"), svg.count("<line"), svg.count("<text")
    (True, 5, 7)
    """
    pieces: list[str] = []
    width, top = 120, 64
    for tree in trees:
        drawn = _Drawing(tree, top)
        drawn.add(tree.root, 0)
        pieces += drawn.lines + drawn.texts
        width, top = max(width, round(drawn.right)), top + drawn.height + _LEVEL
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" font-family="sans-serif" '
            f'font-size="14" role="img" aria-label="{escape(title)}">',
            f'<rect width="{width}" height="{top}" fill="white"/>',
            f'<text x="12" y="22" fill="#222">{escape(title)}</text>',
            *pieces,
            "</svg>",
        ]
    )


def side_by_side(left: str, right: str) -> str:
    """Return two of our SVG drawings in one.

    >>> tree = draw_phrases_svg([Tree.read("(NN dog)")])
    >>> side_by_side(tree, tree).count("<svg")
    3
    """
    sizes = [tuple(map(int, found.groups())) for found in map(_SIZE.search, (left, right)) if found]
    (width, height), (more, other) = sizes
    places = [f'x="0" y="0" width="{width}" height="{height}"', f'x="{width}" y="0" width="{more}" height="{other}"']
    inner = [svg.replace("<svg ", f"<svg {place} ", 1) for svg, place in zip((left, right), places, strict=True)]
    size = f'viewBox="0 0 {width + more} {max(height, other)}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *inner, "</svg>"])


def _named(tree: Tree, node: Node) -> str:
    return node.label if node.word < 0 else f"{node.label} {tree.words[node.word]}"


class _Drawing:
    """The lines and texts of a tree; the words are below its deepest phrase."""

    def __init__(self, tree: Tree, top: int) -> None:
        self.tree, self.top, self.right = tree, top, float(_GAP)
        self.height = _depth(tree.root) * _LEVEL
        self.lines: list[str] = []
        self.texts: list[str] = []

    def add(self, node: Node, depth: int) -> float:
        """Draw a node and all below it; return the middle of its width."""
        y = self.top + depth * _LEVEL
        if node.word >= 0:
            word = self.tree.words[node.word]
            half = _LETTER * max(len(word), len(node.label)) / 2
            x = self.right + half
            self.right = x + half + _GAP
            bottom = self.top + self.height
            self.lines.append(_line(x, y + 5, x, bottom - 14))
            self.texts += [_text(word, x, bottom, OBJECT), _text(node.label, x, y, ATTRIBUTE)]
            return x
        middles = [self.add(child, depth + 1) for child in node.children]
        x = (middles[0] + middles[-1]) / 2
        self.lines += [_line(x, y + 5, middle, y + _LEVEL - 14) for middle in middles]
        self.texts.append(_text(node.label, x, y, "#222"))
        return x


def _depth(node: Node) -> int:
    return 1 + max(map(_depth, node.children), default=0)


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}" stroke="#999"/>'


def _text(text: str, x: float, y: float, colour: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" fill="{colour}">{escape(text)}</text>'
