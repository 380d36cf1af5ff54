"""The tables of Madhyastha, Wang and Specia (2019) with Vericap's vifidel, wmd, fluency and their combinations.

    python -m benchmarks.papers.vifidel [--write] [--only pascal composite objects vectors] [--parts FOLDER]

With `--write` the tables go into docs/vifidel.md. Needs the benchmarks' data (VERICAP_DATA). `--parts` is a folder that
`tools/make_vectors.py --parts` wrote: GloVe and COCO's vectors alone, for the table of vectors.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from benchmarks.pages import replace
from benchmarks.places import COCO_LABELS, DATA, ROOT, VOC_OBJECTS
from vericap import evaluate
from vericap.judging import judge

PAGE = ROOT / "docs" / "vifidel.md"

GROUPS = ("HC", "HI", "HM", "MM", "all")
# Tables 5 and 6, gold rows.
PAPER_PASCAL = {
    0: (0.57, 0.91, 0.53, 0.68, 0.67),
    1: (0.62, 0.96, 0.65, 0.69, 0.73),
    5: (0.65, 0.98, 0.66, 0.70, 0.75),
    48: (0.64, 0.98, 0.67, 0.71, 0.75),
}
LM, CIDER = "mean(vifidel,fluency)", "mean(vifidel,cider-d)"
# Table 1: machine against machine.
PAPER_MM = {
    "bleu-1": {1: 0.58, 5: 0.61, 48: 0.62},
    "wmd": {1: 0.66, 5: 0.70, 48: 0.70},
    "wmd(reduce=worst)": {1: 0.66, 5: 0.66, 48: 0.66},
    "fluency": {0: 0.54, 1: 0.54, 5: 0.54, 48: 0.54},
    "vifidel": {0: 0.68, 1: 0.69, 5: 0.70, 48: 0.71},
    "vifidel(frequency=no)": {},
    "vifidel(p=2)": {},
    LM: {0: 0.69, 1: 0.70, 5: 0.71, 48: 0.71},
    CIDER: {1: 0.71, 5: 0.72, 48: 0.72},
}
# Table 2, relevance; VIFIDEL's rows there are of gold and detections together, Table 3 has gold alone: .25.
PAPER_COMPOSITE = {
    "bleu-1": {1: 0.23, 5: 0.26},
    "cider-d": {1: 0.26, 5: 0.32},
    "wmd": {1: 0.28, 5: 0.30},
    "wmd(reduce=worst)": {1: 0.28, 5: 0.29},
    "fluency": {0: -0.10, 1: -0.10, 5: -0.10},
    "vifidel": {0: 0.21, 1: 0.29, 5: 0.30},
    "mean(vifidel(references=no),fluency)": {0: 0.21, 1: 0.21, 5: 0.21},
    CIDER: {1: 0.29, 5: 0.29},
}
WITHOUT_REFERENCES = ("fluency", "vifidel", "vifidel(frequency=no)", "vifidel(p=2)", LM)


def pascal() -> str:
    """Tables 1, 5 and 6: accuracy of forced choices, the mean over five draws of references."""
    return pascal_tables({references: pascal_figures(references) for references in PAPER_PASCAL})


Figures = tuple[dict[str, list[float]], dict[str, float]]


def pascal_figures(references: int) -> Figures:
    """Accuracy by metric and group, and VIFIDEL's deviation over the draws."""
    keys = [key for key in PAPER_MM if references or key in WITHOUT_REFERENCES]
    verdict = judge(
        "pascal-50s",
        DATA,
        metrics=keys,
        protocol="vifidel",
        references_used=references,
        objects=VOC_OBJECTS,
        bootstrap=0,
    )
    figures = {key: [verdict[key].value(f"accuracy.{group}") for group in GROUPS] for key in keys}
    print(references, figures, dict(verdict["vifidel"].deviation or {}), flush=True)
    return figures, dict(verdict["vifidel"].deviation or {})


def pascal_tables(measured: dict[int, Figures]) -> str:
    """Return the figures as three tables."""
    found = {references: figures for references, (figures, _) in measured.items()}
    deviation = {references: spread for references, (_, spread) in measured.items()}
    lines = ["| references | HC | HI | HM | MM | all | the paper's | deviation over draws |"]
    lines.append("|---|" + "---:|" * 5 + "---|---|")
    for references, published in PAPER_PASCAL.items():
        ours = " | ".join(map(number, found[references]["vifidel"]))
        spread = " ".join(number(deviation[references].get(f"accuracy.{group}")) for group in GROUPS[:4])
        lines.append(f"| {references} | {ours} | {' '.join(map(number, published))} | {spread} |")
    text = "\n".join(lines)
    lines = ["| machine against machine | none | 1 | 5 | 48 | the paper's |", "|---|---:|---:|---:|---:|---|"]
    for key, published in PAPER_MM.items():
        cells = [number(found[n][key][3]) if key in found[n] else "" for n in PAPER_PASCAL]
        lines.append(f"| `{key}` | {' | '.join(cells)} | {' '.join(map(number, published.values()))} |")
    counts = ["| counts of objects | references | HC | HI | HM | MM |", "|---|---:|---:|---:|---:|---:|"]
    for references in PAPER_PASCAL:
        for name, key in (("with", "vifidel"), ("without", "vifidel(frequency=no)")):
            counts.append(f"| {name} | {references} | {' | '.join(map(number, found[references][key][:4]))} |")
    return f"### PASCAL-50S, gold objects of VOC\n\n{text}\n\n" + "\n".join(lines) + "\n\n" + "\n".join(counts)


def composite() -> str:
    """Tables 2 and 3: Spearman's correlation with relevance on the COCO part."""
    parts = []
    for title, protocol in (
        ("machine captions (candidates 1 and 2), as in the paper", "vifidel"),
        ("all three candidates, the human one removed from the references", "human-removed"),
    ):
        columns: dict[int, dict[str, float]] = {}
        for references in (0, 1, 5):
            keys = [key for key in PAPER_COMPOSITE if 0 in PAPER_COMPOSITE[key] or references]
            choices = {} if references == 5 else {"references_used": references, "sampling": "random", "draws": 5}
            verdict = judge(
                "composite",
                DATA,
                metrics=keys,
                protocol=protocol,
                subset="coco",
                measure="spearman",
                objects=COCO_LABELS,
                missing="drop",
                bootstrap=0,
                **choices,
            )
            columns[references] = {key: verdict[key].value("spearman") for key in keys}
            print(title, references, columns[references], verdict.notes, flush=True)
        lines = [
            "| | none | 1 reference | all references | the paper's |",
            "|---|---:|---:|---:|---|",
        ]
        for key, published in PAPER_COMPOSITE.items():
            cells = [number(columns[n].get(key)) for n in (0, 1, 5)]
            lines.append(f"| `{key}` | {' | '.join(cells)} | {' '.join(map(number, published.values()))} |")
        parts.append(f"### Composite, COCO part: {title}\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


CAPTION = "a table full of people at the restaurant"
REFERENCES = [
    "A group of people sitting around a wooden table with food.",
    "The nine people smile as they sit at a dinner table.",
    "A table full of people that are eating at a restaurant.",
    "Co-workers often get together after a long day at work.",
    "A group of people that are sitting around a table.",
]
SEEN = (
    "person,dining-table,umbrella,handbag,bottle,car,backpack,wine-glass,cup,fork,knife,spoon,bowl,broccoli,chair"
).split(",")
PAPER_OBJECTS = {1: 0.75, 2: 0.83, 5: 0.74, 10: 0.73, 15: 0.70}


def objects() -> str:
    """Table 4 and its figure: one caption, more and more objects of its image."""
    lines = ["| objects | without references | with five | the paper's |", "|---:|---:|---:|---:|"]
    for size, published in PAPER_OBJECTS.items():
        shown = {1: SEEN[:size]}
        cells = [
            evaluate({1: CAPTION}, references, objects=shown, metrics="vifidel")["vifidel"].score
            for references in (None, {1: REFERENCES})
        ]
        lines.append(f"| {size} | {' | '.join(map(number, cells))} | {number(published)} |")
    text = f"“{CAPTION}”, objects in the order {', '.join(SEEN)}"
    return f"### Number of objects\n\n{text}:\n\n" + "\n".join(lines)


def vectors(folder: Path) -> str:
    """Compare vectors: those that ship, GloVe alone, COCO's captions alone."""
    names = {"shipped": "shipped", "GloVe": str(folder / "glove.npy"), "COCO's captions": str(folder / "captions.npy")}
    lines = [
        "| vectors | PASCAL-50S none: HC HI HM MM | five: HC HI HM MM | Composite machine: none, all |",
        "|---|---|---|---|",
    ]
    for name, path in names.items():
        key = "vifidel" if path == "shipped" else f'vifidel(vectors="{path}")'
        cells = []
        for n in (0, 5):
            choices = {"protocol": "vifidel", "references_used": n, "draws": 1, "objects": VOC_OBJECTS, "bootstrap": 0}
            [found] = judge("pascal-50s", DATA, metrics=key, **choices).rows
            cells.append(" ".join(number(found.value(f"accuracy.{group}")) for group in GROUPS[:4]))
        both = []
        for n in (0, None):
            given = {} if n is None else {"references_used": n}
            common = {"protocol": "vifidel", "objects": COCO_LABELS, "missing": "drop", "bootstrap": 0}
            [found] = judge("composite", DATA, metrics=key, **common, **given).rows
            both.append(number(found.value("spearman")))
        lines.append(f"| {name} | {' | '.join(cells)} | {', '.join(both)} |")
        print(lines[-1], flush=True)
    return "### Vectors\n\n" + "\n".join(lines)


def number(value: float | None) -> str:
    """Three digits after the point without the zero before it, nothing for nothing."""
    return "" if value is None or value != value else re.sub(r"^(-?)0\.", r"\1.", f"{value:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", nargs="*", default=["pascal", "composite", "objects", "vectors"])
    parser.add_argument("--parts", type=Path)
    given = parser.parse_args()
    made = {
        "pascal": pascal,
        "composite": composite,
        "objects": objects,
        "vectors": lambda: vectors(given.parts) if given.parts else "",
    }
    for name in given.only:
        text = made[name]()
        print(text)
        if given.write and text:
            replace(PAGE, name, text)


if __name__ == "__main__":
    main()
