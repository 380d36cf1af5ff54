"""A scene graph as a tree of text, as JSON, and as SVG with objects, attributes and relations in three colours."""

from __future__ import annotations

import math
from html import escape

import orjson

from vericap.scene.graph import Concept, SceneGraph
from vericap.show.screen import visible

OBJECT, ATTRIBUTE, RELATION = "#b3312c", "#2e7d32", "#1f4e9c"  # as in the SPICE paper: red, green, blue


def draw_tree(graph: SceneGraph) -> list[str]:
    """Lines for a fixed-width screen: an object, its attributes, and what it does to others.

    >>> print("\\n".join(draw_tree(SceneGraph.of([("girl", "young"), ("girl", "court", "stand on")]))))
    girl
    ├── young
    └── stand on → court
    court
    """
    lines: list[str] = []
    for concept in graph.objects:
        lines.append(str(concept))
        below = [str(attribute) for attribute in graph.attributes[concept]]
        below += [
            f"{relation} → {target}"
            for (subject, target), relations in graph.relations.items()
            if subject is concept
            for relation in relations
        ]
        lines += [f"{'└' if i == len(below) - 1 else '├'}── {text}" for i, text in enumerate(below)]
    return list(map(visible, lines)) or ["(no objects)"]


def draw_svg(graph: SceneGraph, title: str = "") -> str:
    """Return an SVG drawing: objects on a circle, attributes outside it, relations on arrows between the objects.

    >>> svg = draw_svg(SceneGraph.of([("girl", "young"), ("girl", "court", "on")]), "a young girl on a court")
    >>> svg.startswith("<svg"), svg.count("<rect"), "girl" in svg
    (True, 5, True)
    """
    radius = 0 if len(graph.objects) < 2 else max(130, 46 * len(graph.objects))
    center = radius + 200
    width, height = 2 * center, 2 * center + 30
    places: _Places = {}
    for i, concept in enumerate(graph.objects):
        angle = 2 * math.pi * i / len(graph.objects) - math.pi / 2
        places[concept] = center + radius * math.cos(angle), center + 30 + radius * math.sin(angle), angle
    relations, relation_boxes = _relations(graph, places)
    attributes, attribute_boxes = _attributes(graph, places)
    object_boxes = [_box(str(concept), x, y, OBJECT) for concept, (x, y, _) in places.items()]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
            f'font-size="14" role="img" aria-label="{escape(title)}">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            f'<text x="{center}" y="24" text-anchor="middle" fill="#222">{escape(title)}</text>',
            *relations,
            *attributes,
            *relation_boxes,
            *attribute_boxes,
            *object_boxes,
            f'<text x="12" y="{height - 12}" font-size="12"><tspan fill="{OBJECT}">objects</tspan> '
            f'<tspan fill="{ATTRIBUTE}">attributes</tspan> <tspan fill="{RELATION}">relations</tspan></text>',
            "</svg>",
        ]
    )


# An object's x and y, and the angle that points away from the centre.
_Places = dict[Concept, tuple[float, float, float]]


def _relations(graph: SceneGraph, places: _Places) -> tuple[list[str], list[str]]:
    """Lines between objects, and the boxes on them."""
    lines, boxes = [], []
    for (subject, target), relations in graph.relations.items():
        (x1, y1, _), (x2, y2, _) = places[subject], places[target]
        # Bent to one side, so that the arrow back does not cover this one.
        bend = 0.18
        xm, ym = (x1 + x2) / 2 + bend * (y2 - y1), (y1 + y2) / 2 - bend * (x2 - x1)
        if subject is target:
            xm, ym = x1, y1 - 70
        lines.append(
            f'<path d="M{x1:.0f} {y1:.0f} Q{2 * xm - (x1 + x2) / 2:.0f} {2 * ym - (y1 + y2) / 2:.0f} '
            f'{x2:.0f} {y2:.0f}" fill="none" stroke="{RELATION}" stroke-width="1.5"/>'
        )
        boxes.append(_box(" | ".join(map(str, relations)) + " ▸", xm, ym, RELATION))
    return lines, boxes


def _attributes(graph: SceneGraph, places: _Places) -> tuple[list[str], list[str]]:
    """Lines from objects outward, and the boxes at their ends."""
    lines, boxes = [], []
    for concept, attributes in graph.attributes.items():
        x, y, outward = places[concept]
        for i, attribute in enumerate(attributes):
            angle = outward + 0.5 * (i - (len(attributes) - 1) / 2)
            ax, ay = x + 105 * math.cos(angle), y + 75 * math.sin(angle)
            lines.append(f'<path d="M{x:.0f} {y:.0f} L{ax:.0f} {ay:.0f}" stroke="{ATTRIBUTE}" stroke-width="1.5"/>')
            boxes.append(_box(str(attribute), ax, ay, ATTRIBUTE))
    return lines, boxes


def _box(text: str, x: float, y: float, colour: str) -> str:
    width = 8 * len(text) + 16
    return (
        f'<rect x="{x - width / 2:.0f}" y="{y - 13:.0f}" width="{width}" height="26" rx="6" fill="{colour}"/>'
        f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle" fill="white">{escape(text)}</text>'
    )


def graph_json(graph: SceneGraph, caption: str) -> str:
    """Return the graph as `spice(parser=graphs)` reads it back."""
    rows = [{"caption": caption, "graph": [list(map(str, each)) for each in graph.tuples()]}]
    return orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode()
