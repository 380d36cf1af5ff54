"""docs/metrics/*.md: what a program can say about each metric, put between the marks of its page.

    python tools/make_metric_pages.py [--check]

Facts come from the metric's class, the formula from its docstring, the worked example from `vericap explain` on
captions that ship, agreement with people from docs/agreement.md. What is outside the marks is written by hand. --check
writes nothing and names the pages that are out of date.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.pages import filled  # noqa: E402
from vericap.metrics import parse, registry  # noqa: E402
from vericap.metrics.base import Metric  # noqa: E402

PAGES = ROOT / "docs" / "metrics"
AGREEMENT = ROOT / "docs" / "agreement.md"
DEMO = ROOT / "src" / "vericap" / "data" / "demo"
LINES = 34  # of a worked example; the program prints the rest

# The page, the metrics that it describes, and those of them that explain the example: none where weights do not ship,
# so that there is no example, and no agreement that was measured here.
METRICS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "bleu": (("bleu-1", "bleu-2", "bleu-3", "bleu-4", "bleu-unigram", "bleu-smoothed"), ("bleu-2",)),
    "rouge-l": (("rouge-l",), ("rouge-l",)),
    "rouge-su4": (("rouge-su4",), ("rouge-su4",)),
    "meteor": (("meteor",), ("meteor",)),
    "ter": (("ter",), ("ter",)),
    "cider": (("cider",), ("cider",)),
    "cider-d": (("cider-d",), ("cider-d",)),
    "cider-r": (("cider-r",), ("cider-r",)),
    "spice": (("spice", "spice-exact"), ("spice",)),
    "wmd": (("wmd",), ("wmd",)),
    "vifidel": (("vifidel",), ("vifidel",)),
    "chair": (("chair-i", "chair-s"), ("chair-i",)),
    "fluency": (("fluency",), ("fluency",)),
    "sbert": (("sbert",), ("sbert",)),
    "bertscore": (("bertscore",), ("bertscore",)),
    "soft-spice": (("soft-spice",), ("soft-spice",)),
    "faier": (("faier", "fier", "aier"), ("aier",)),
    "clipscore": (("clipscore", "refclipscore"), ()),
    "pacscore": (("pacscore", "refpacscore"), ()),
    "mid": (("mid",), ()),
    "verity": (("verity", "verity.fidelity", "verity.adequacy"), ("verity",)),
}
# Columns of docs/agreement.md that a metric's page repeats.
COLUMNS = ("Flickr8k-Expert τ-c", "Flickr8k-CF τ-b", "Composite τ-c", "Composite COCO, 1 ref. τ-c", "PASCAL-50S")


def facts(keys: Sequence[str]) -> str:
    """Return a table: question, needs, range, direction."""
    lines = ["| key | question | needs | range | better |", "| --- | --- | --- | --- | --- |"]
    for key in keys:
        metric = parse(key)
        low, high = ("−∞" if metric.range[0] is None else f"{metric.range[0]:g}"), metric.range[1]
        needs = ", ".join(metric.needs) or "nothing else"
        better = "higher" if metric.higher_is_better else "lower"
        bounds = f"{low} to {'∞' if high is None else f'{high:g}'}"
        lines.append(f"| `{key}` | {metric.question} | {needs} | {bounds} | {better} |")
    return "\n".join([*lines, "", f"Cite: {parse(keys[0]).citation}"])


def formula(metric: Metric) -> str:
    """Return the docstring up to its example, or that of the class below where this one has no formula."""
    documented = [kind for kind in type(metric).__mro__ if "$$" in (kind.__dict__.get("__doc__") or "")]
    text = inspect.cleandoc((documented or [type(metric)])[0].__doc__ or "").partition("\n>>>")[0].rstrip()
    # A formula is a paragraph of its own, on one line: Markdown would otherwise read its stars and underscores.
    return re.sub(r"\$\$(.+?)\$\$", lambda found: f"$$ {' '.join(found[1].split())} $$", text, flags=re.S)


def example(keys: Sequence[str]) -> str:
    """Return what `vericap explain` prints for a shipped caption."""
    words = ["explain", "middling.json", "-r", "references.json"]
    if any(set(parse(key).needs) & {"objects", "objects or regions"} for key in keys):
        words += ["--objects", "objects.json"]
    words += ["--id", "1", "--metrics", ",".join(keys)]
    shown = run(words).rstrip().splitlines()
    more = [f"… ({len(shown) - LINES} more lines)"] if len(shown) > LINES else []
    return "\n".join(["```console", f"$ vericap {' '.join(words)}", *shown[:LINES], *more, "```"])


def run(words: Sequence[str]) -> str:
    """Return what the command line prints in the folder of the shipped captions."""
    from vericap.cli import main

    printed, given = io.StringIO(), sys.argv
    try:
        sys.argv = ["vericap", *words]
        with contextlib.chdir(DEMO), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            main()
    except SystemExit as end:
        if end.code:
            raise RuntimeError(f"vericap {' '.join(words)} ended with {end.code}") from None
    finally:
        sys.argv = given
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines())


def agreement(keys: Sequence[str]) -> str:
    """Return the rows of these metrics in docs/agreement.md, in a few of its columns."""
    rows = [
        [cell.strip() for cell in line.strip("|\n ").split("|")]
        for line in AGREEMENT.read_text("utf-8").splitlines()
        if line.startswith("| metric |") or any(line.startswith(f"| `{key}` |") for key in keys)
    ]
    head, *body = [row for row in rows if len(row) == len(rows[0])]
    chosen = [0, *(head.index(column) for column in COLUMNS)]
    table = [head, ["---"] + ["---:"] * (len(head) - 1), *body]
    return "\n".join(f"| {' | '.join(row[place] for place in chosen)} |" for row in table)


def citations() -> str:
    """Return a table of all metrics with whom to cite; those of one paper share a row."""
    papers: dict[str, list[str]] = {}
    pages = {key: name for name, (keys, _) in METRICS.items() for key in keys}
    for key, entry in registry().items():
        name = pages.get(key, "spice" if key.startswith("spice.") else "")
        papers.setdefault(entry.make().citation, []).append(f"[`{key}`]({name}.md)" if name else f"`{key}`")
    rows = [f"| {' '.join(keys)} | {citation} |" for citation, keys in papers.items()]
    return "\n".join(["| metrics | cite |", "| --- | --- |", *rows])


def index() -> str:
    """Return the page that lists them all."""
    return filled((PAGES / "index.md").read_text("utf-8"), "citations", citations(), "index.md")


def page(name: str) -> str:
    """Return the page with its marked parts made again."""
    keys, explained = METRICS[name]
    text = (PAGES / f"{name}.md").read_text("utf-8")
    parts = {"facts": facts(keys), "formula": formula(parse((explained or keys)[0]))}
    if explained:
        parts |= {"example": example(explained), "agreement": agreement(keys)}
    for part, content in parts.items():
        text = filled(text, part, content, f"{name}.md")
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a page is out of date")
    check = parser.parse_args().check
    made = {"index": index(), **{name: page(name) for name in METRICS}}
    stale = [name for name, text in made.items() if text != (PAGES / f"{name}.md").read_text("utf-8")]
    if check and stale:
        raise SystemExit(f"out of date: {', '.join(stale)}; run tools/make_metric_pages.py")
    for name in stale:
        (PAGES / f"{name}.md").write_text(made[name], "utf-8")


if __name__ == "__main__":
    main()
