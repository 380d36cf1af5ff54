"""FAIEr compared with people and with other metrics: the tables and the curve of Wang et al. (2021), on the data at
hand.

    python -m benchmarks.papers.faier [--write] [--only NAME …] [--checkpoints DIR] [--draws N]

With `--write` each table goes into docs/faier.md, where it replaces the one of the same name. The judgements come
from VERICAP_DATA; Table 4's variants from the folder of checkpoints that `tools/train_faier_variants.py` fills.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

from benchmarks.pages import replace, table
from benchmarks.papers.faier_figures import Figures, judged
from benchmarks.places import COCO_LABELS, DATA, INPUT, ROOT, VOC_OBJECTS
from vericap.metrics import parse
from vericap.metrics.faier import FaierFamily
from vericap.scene.caption_graphs import remembering

PAGE = ROOT / "docs" / "faier.md"
NGRAMS = ("bleu-1", "bleu-4", "rouge-l", "meteor", "cider-d")
OTHERS = (*NGRAMS, "spice", "wmd")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the tables into docs/faier.md")
    parser.add_argument("--only", nargs="*", choices=list(TABLES), default=list(TABLES), help="some of the tables")
    parser.add_argument("--checkpoints", type=Path, default=ROOT / "build" / "faier", help="Table 4's variants")
    parser.add_argument("--draws", type=int, default=5, help="how often references are drawn")
    parser.add_argument("--resamples", type=int, default=1000, help="resamples of images behind an interval")
    options = parser.parse_args()
    with remembering():  # a caption is parsed once for all tables
        for name in options.only:
            text = TABLES[name](options)
            print(f"{name}\n\n{text}\n", flush=True)
            if options.write:
                replace(PAGE, name, text)


def composite(options: argparse.Namespace) -> str:
    """Kendall's tau-c on Composite's COCO part, candidate 0 removed from the references, by number of references."""
    by_count = {
        count: on_composite(options, count, ("faier", "fier", "vifidel", *(OTHERS if count else ())), "human-removed")
        for count in (0, 1, 4)
    }
    lines = [["metric", "no reference", "1 reference", "4 references", "FAIEr's lead with 1 (95 %)"]]
    for metric in by_count[1]:
        cells = [by_count[count][metric].cell("kendall_c") if metric in by_count[count] else "–" for count in by_count]
        lines.append([f"`{metric}`", *cells, lead(by_count[1], "faier", metric)])
    free = lead(by_count[0], "faier", "vifidel")
    return table(lines) + (
        f"\n\nKendall's τ-c × 100 over {by_count[1]['faier'].n:,} captions; 1 and 4 references are drawn "
        f"{times(options)}, and figures are means. Without references FAIEr leads VIFIDEL by {free}."
    )


def on_composite(
    options: argparse.Namespace, count: int, metrics: Iterable[str], protocol: str, resamples: int | None = None
) -> dict[str, Figures]:
    return judged(
        "composite",
        metrics,
        protocol=protocol,
        subset="coco",
        objects=COCO_LABELS,
        references_used=count,
        sampling="random",
        draws=options.draws if count else 1,
        bootstrap=(options.resamples if count < 2 else 0) if resamples is None else resamples,
    )


def lead(figures: Mapping[str, Figures], first: str, second: str, measure: str = "kendall_c") -> str:
    """Return the 95 % interval of a difference over the same resamples of images."""
    if first == second:
        return "–"
    one, two = (np.array(figures[metric].replicates[measure]) for metric in (first, second))
    low, high = np.quantile(one - two, (0.025, 0.975))
    return f"[{100 * low:.1f}, {100 * high:.1f}]"


def pascal(options: argparse.Namespace) -> str:
    """Accuracy on PASCAL-50S, with the annotated objects of VOC (Table 3)."""
    groups = ("HC", "HI", "HM", "MM", "all")
    lines = [["metric", "references", *groups]]
    for count in (0, 5):
        metrics = ("faier", "fier", "vifidel") if not count else ("faier", "aier", "vifidel", *OTHERS)
        found = judged(
            "pascal-50s",
            metrics,
            protocol="faier",
            objects=VOC_OBJECTS,
            references_used=count,
            draws=options.draws if count else 1,
            bootstrap=0,
        )
        for metric, figures in found.items():
            lines.append([f"`{metric}`", str(count), *(figures.cell(f"accuracy.{group}") for group in groups)])
    return table(lines) + (
        f"\n\nPer cent of pairs; five references are drawn {times(options)}, ± is the deviation over draws. The "
        "paper's FAIEr-4 ref, which sees the pictures, has 59.7, 99.9, 92.7 and 73.4."
    )


def human_machine(options: argparse.Namespace) -> str:
    """Human captions of COCO against captions of the nearest neighbour's picture (Table 2)."""
    given = json.loads((DATA / "oracle" / "coco" / "k5k_nn.input.json").read_text("utf-8"))
    with_labels = {line.split("\t")[0] for line in COCO_LABELS.read_text("utf-8").splitlines()}
    rows = [
        (image, caption, references)
        for image, caption, references in zip(given["ids"], given["cands"], given["refs"], strict=True)
        if str(image) in with_labels
    ][:1000]
    annotations = [{"image_id": i, "caption": text} for i, _, references in rows for text in references]
    folder = INPUT / "hm-pairs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "annotations.json").write_text(json.dumps({"annotations": annotations}))
    (folder / "results.json").write_text(json.dumps([{"image_id": i, "caption": c} for i, c, _ in rows]))
    found = judged(
        "hm-pairs",
        ("faier", "fier", "aier", "vifidel", *OTHERS),
        data=folder,
        objects=COCO_LABELS,
        bootstrap=options.resamples,
    )
    lines = [["metric", "human wins", "95 %"]]
    for metric, figures in found.items():
        low, high = np.quantile(figures.replicates["accuracy.all"], (0.025, 0.975))
        lines.append([f"`{metric}`", figures.cell("accuracy.all"), f"[{100 * low:.1f}, {100 * high:.1f}]"])
    return table(lines) + (
        f"\n\nPer cent of {found['faier'].n:,} pairs of {len(rows):,} pictures of val2017, each human caption in turn "
        "with the other four as references; equal scores are lost. The machine's caption is one of a nearest-neighbour "
        "captioner: a human caption of another picture. The paper's captioner is another; it has 76.8 for FAIEr-4 ref."
    )


def curve(options: argparse.Namespace) -> str:
    """Spearman's rho by number of references (Figure 4), candidate and references drawn as in the paper."""
    counts = range(6)
    metrics = ("faier", "fier", "vifidel", *NGRAMS)
    found = {
        count: on_composite(options, count, metrics if count else metrics[:3], "own-kept", resamples=0)
        for count in counts
    }
    lines = [["metric", *map(str, counts)]]
    for metric in metrics:
        cells = [found[count][metric].cell("spearman") if metric in found[count] else "–" for count in counts]
        lines.append([f"`{metric}`", *cells])
    return table(lines) + (
        f"\n\nSpearman's ρ × 100 on Composite's COCO part by number of references, drawn {times(options)}; as "
        "in the paper the human candidate stays among the references, which favours what compares words the more "
        "references there are."
    )


def variants(options: argparse.Namespace) -> str:
    """Table 4's variants on Composite's COCO part with one reference."""
    spelled = {name: parse(key.replace("{}", str(options.checkpoints))) for name, key in VARIANTS.items()}
    keys = {
        name: str(metric)
        for name, metric in spelled.items()
        if isinstance(metric, FaierFamily) and metric.folder.is_dir()
    }
    missing = [name for name in VARIANTS if name not in keys]
    one = on_composite(options, 1, keys.values(), "human-removed")
    none = on_composite(options, 0, [key for name, key in keys.items() if name in FREE], "human-removed")
    lines = [
        ["model", "r Pearson", "ρ Spearman", "τ-c", "τ-c, no reference", "paper's τ", "FAIEr-r's lead in τ-c (95 %)"]
    ]
    for name, key in keys.items():
        cells = [one[key].cell(measure) for measure in ("pearson", "spearman", "kendall_c")]
        without = none[key].cell("kendall_c") if name in FREE else "–"
        lines.append([name, *cells, without, PAPER[name], lead(one, keys["FAIEr-r ref"], key)])
    note = f" Not trained here: {', '.join(missing)}." if missing else ""
    return table(lines) + (
        f"\n\n× 100, one reference drawn {times(options)}. All but the last row are trained alike, "
        "for six epochs with d = 128 (`tools/train_faier_variants.py`). The paper's τ is over all of Composite with "
        f"features of a detector: its order can be compared, not its height.{note}"
    )


def retrieval(options: argparse.Namespace) -> str:
    """R@k on 1,000 held-out pictures of COCO (Table 6's protocol), and that of VIFIDEL."""
    from benchmarks.papers.faier_retrieval import table_rows

    return table(table_rows(DATA)) + (
        "\n\nPer cent of 1,000 queries whose own counterpart is among the first k; a tie counts as it would on "
        "average. Pictures are COCO's that neither training nor validation saw; the candidate is a picture's first "
        "caption, its references are the others. The last row is no metric: a bag of words that was trained to tell "
        "labels from captions (`benchmarks/papers/label_likelihood.py`), a yardstick for how far labels alone lead."
    )


def times(options: argparse.Namespace) -> str:
    return "once" if options.draws == 1 else f"{options.draws} times"


# `{}` is the folder of checkpoints that do not ship.
VARIANTS: Mapping[str, str] = {
    "FIEr": "fier(checkpoint={}/fier-r)",
    "AIEr-4 ref": "aier(checkpoint={}/aier-4)",
    "FIEr+AIEr-4 ref": "faier(references=4,variant=fier+aier,checkpoint={}/fier+aier-4)",
    "FAIEr\\rel-4 ref": "faier(relations=off,references=4,checkpoint={}/faier-objects-4)",
    "FAIEr-4 ref": "faier(references=4,checkpoint={}/faier-4)",
    "FAIEr\\rel-1 ref": "faier(relations=off,references=1,checkpoint={}/faier-objects-1)",
    "FAIEr-1 ref": "faier(references=1,checkpoint={}/faier-1)",
    "FAIEr\\rel-r ref": "faier(relations=off,checkpoint={}/faier-objects-r)",
    "FAIEr-r ref": "faier(checkpoint={}/faier-r)",
    "FAIEr-r ref as it ships": "faier",
}
FREE = ("FIEr", "FAIEr\\rel-r ref", "FAIEr-r ref", "FAIEr-r ref as it ships")
PAPER = {
    "FIEr": "47.1", "AIEr-4 ref": "12.5", "FIEr+AIEr-4 ref": "13.6", "FAIEr\\rel-4 ref": "47.2", "FAIEr-4 ref": "48.7",
    "FAIEr\\rel-1 ref": "50.9", "FAIEr-1 ref": "51.4", "FAIEr\\rel-r ref": "51.4", "FAIEr-r ref": "51.3",
    "FAIEr-r ref as it ships": "–",
}  # fmt: skip


def grounding(options: argparse.Namespace) -> str:
    from benchmarks.papers.faier_grounding import matched_words

    return matched_words(COCO_LABELS, DATA / "oracle" / "coco" / "k5k_nn.input.json")


TABLES: dict[str, Callable[[argparse.Namespace], str]] = {
    "composite": composite,
    "pascal": pascal,
    "human-machine": human_machine,
    "references": curve,
    "variants": variants,
    "retrieval": retrieval,
    "grounding": grounding,
}

if __name__ == "__main__":
    main()
