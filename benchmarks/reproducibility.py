"""Do scores depend on the company of a caption, and on the processor? The two tables of docs/reproducibility.md.

    python -m benchmarks.reproducibility [--write]

The first table: the scores of captions in another order, in chunks, with two workers, in a stream, as rewards and from
the server, compared bit by bit with those of `vericap.evaluate` on the same machine. The second: the largest difference
of a caption's score between OpenBLAS's kernels, our own ways (`VERICAP_KERNELS`) and NumPy's loops with and without
AVX-512, each in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import vericap
from benchmarks.pages import replace, table
from benchmarks.places import COCO_LABELS, DATA, ROOT
from vericap.engine import Engine
from vericap.kernels import WAYS
from vericap.kernels.encoding import ways
from vericap.metrics import parse
from vericap.options.settings import Settings
from vericap.reward import Reward
from vericap.serve.request import ScoreRequest
from vericap.serve.scorer import Scorer

CLASSIC = (
    "bleu-1 bleu-2 bleu-3 bleu-4 bleu-unigram bleu-smoothed rouge-l rouge-su4 ter meteor cider cider-d cider-r spice "
    "spice-exact spice.object spice.relation spice.attribute wmd fluency spider vifidel chair-i"
).split()
LEARNED = "verity verity.fidelity verity.adequacy sbert bertscore soft-spice faier fier".split()
PICTURES = ("vifidel", "chair-i", "faier", "fier")  # not offered in streams, rewards and by the server
BLAS = ("", "Haswell", "Nehalem")  # "" for the machine's own
WITHOUT_AVX512 = "X86_V4 AVX512_ICL AVX512_SPR"
PAGE = ROOT / "docs" / "reproducibility.md"

Scores = dict[str, np.ndarray]
Rows = list[tuple[int, str, list[str]]]  # image id, caption, references


def evaluated(rows: Rows, metrics: list[str], **options: Any) -> tuple[Scores, Scores]:
    """Return the scores of rows and of all of them together by `vericap.evaluate`, with COCO's document frequencies
    unless told otherwise."""
    chosen = {"df": "coco", **options}
    if set(metrics) & set(PICTURES):
        chosen |= {"objects": COCO_LABELS, "missing": "drop"}
    found = vericap.evaluate(
        {image: caption for image, caption, _ in rows},
        {image: references for image, _, references in rows},
        metrics=metrics,
        **chosen,
    )
    return (
        {key: np.array(found[key].captions) for key in metrics},
        {key: np.array([found[key].score]) for key in metrics},
    )


def in_company(rows: Rows, metrics: list[str]) -> Iterator[tuple[str, Scores, Scores]]:
    """Yield ways to score rows, each with its scores and those that it must equal."""
    whole, corpus = evaluated(rows, metrics)
    text = [key for key in metrics if key not in PICTURES]
    order = np.random.default_rng(0).permutation(len(rows))
    weighed = any(parse(key).frequency_order() for key in metrics)
    for df in ("coco", "corpus") if weighed else ("coco",):
        expected, of_all = (whole, corpus) if df == "coco" else evaluated(rows, metrics, df=df)
        shuffled, total = evaluated([rows[i] for i in order], metrics, df=df)
        yield "order", {key: values[np.argsort(order)] for key, values in shuffled.items()}, expected
        yield "order", total, of_all
        for found, due in zip(evaluated(rows, metrics, df=df, workers=2), (expected, of_all), strict=True):
            yield "workers", found, due
        for found, due in zip(streamed(rows, text, df), (expected, of_all), strict=True):
            yield "stream", found, due
    parts = [evaluated(rows[start : start + 7], metrics)[0] for start in range(0, len(rows), 7)]
    yield "chunks", {key: np.concatenate([part[key] for part in parts]) for key in metrics}, whole
    yield "reward", rewards(rows, text), {key: whole[key].astype(np.float32) for key in text}
    yield "server", served(rows, text), whole


def streamed(rows: Rows, metrics: list[str], df: str) -> tuple[Scores, Scores]:
    """Return the scores of a stream of rows that have their own references, in batches of 11, by two workers."""
    import pyarrow as pa
    from pyarrow import parquet

    fields = [{"image_id": i, "caption": caption, "references": own} for i, caption, own in rows]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.parquet"
        parquet.write_table(pa.Table.from_pylist(fields), path, row_group_size=16)
        found = vericap.stream(path, metrics=metrics, df=df, batch_size=11, engine=Engine(workers=2))
        batches = pa.Table.from_batches(list(found))
    return (
        {key: batches[key].to_numpy() for key in metrics},
        {key: np.array([found.result[key].score]) for key in metrics},
    )


def rewards(rows: Rows, metrics: list[str]) -> Scores:
    """Return the rewards of rows, in batches of five."""
    references = {image: own for image, _, own in rows}
    found: Scores = {}
    for key in metrics:
        sign = -1.0 if key == "ter" else 1.0  # a reward for fewer errors
        reward = Reward({key: sign}, references, df="coco")
        batches = [rows[start : start + 5] for start in range(0, len(rows), 5)]
        values = [reward([caption for _, caption, _ in batch], [image for image, _, _ in batch]) for batch in batches]
        found[key] = np.concatenate(values) if sign > 0 else 0 - np.concatenate(values)
    return found


def served(rows: Rows, metrics: list[str]) -> Scores:
    """Return the scores of a server's answers, three captions per request."""
    scorer = Scorer.load(Settings(df="coco"), ",".join(metrics), {image: own for image, _, own in rows})
    found: dict[str, list[float]] = {key: [] for key in metrics}
    for start in range(0, len(rows), 3):
        some = rows[start : start + 3]
        request = ScoreRequest([image for image, _, _ in some], [caption for _, caption, _ in some], [None] * len(some))
        for answer in scorer.score(request)["captions"]:
            for key in metrics:
                found[key].append(answer["scores"][key])
    return {key: np.array(values, float) for key, values in found.items()}


def same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two arrays hold the same bits, NaN included.

    >>> same_bits(np.array([np.nan, 0.0]), np.array([np.nan, 0.0])), same_bits(np.array([0.0]), np.array([-0.0]))
    (True, False)
    """
    one, other = (np.where(np.isnan(each), np.float32(np.nan), each) for each in (one, other))  # NaN has many spellings
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


def coco_rows(count: int) -> Rows:
    """Return COCO's example captions with their references, of images whose objects are known."""
    known = {int(line.split("\t")[0]) for line in COCO_LABELS.read_text("utf-8").splitlines()}
    given = json.loads((DATA / "oracle" / "coco" / "fakecap1000.input.json").read_text("utf-8"))
    rows = zip(given["ids"], given["cands"], given["refs"], strict=True)
    return [(image, caption, references) for image, caption, references in rows if image in known][:count]


def company_table(rows: Rows, metrics: list[str]) -> list[list[str]]:
    """Return for each metric and way "=", or the largest difference."""
    found: dict[str, list[tuple[Scores, Scores]]] = {}
    for name, scores, expected in in_company(rows, metrics):
        found.setdefault(name, []).append((scores, expected))
    lines = [["metric", *found]]
    for key in metrics:
        cells = []
        for pairs in found.values():
            both = [(scores[key], expected[key]) for scores, expected in pairs if key in scores]
            largest = max((np.nanmax(np.abs(one - other)) for one, other in both), default=0)
            same = all(same_bits(one, other) for one, other in both)
            cells.append("" if not both else "=" if same else f"{largest:.1e}")
        lines.append([key, *cells])
    return lines


def settings() -> Iterator[dict[str, str]]:
    """Yield the environments of the second table."""
    own_ways = WAYS[ways() :: -1]
    for blas, way, features in product(BLAS, own_ways, ("", WITHOUT_AVX512)):
        yield {"OPENBLAS_CORETYPE": blas, "VERICAP_KERNELS": way, "NPY_DISABLE_CPU_FEATURES": features}


def processor_table(count: int, metrics: list[str]) -> list[list[str]]:
    """Return for each metric the largest difference between processors, and the two that differ most."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for given in settings():
        changed = {name: value for name, value in given.items() if value}
        environment = {**{k: v for k, v in os.environ.items() if k not in given}, **changed}
        name = ", ".join([given["OPENBLAS_CORETYPE"] or "own", given["VERICAP_KERNELS"]])
        name += ", no AVX-512 in NumPy" if given["NPY_DISABLE_CPU_FEATURES"] else ""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "scores.npz"
            line = [sys.executable, "-W", "ignore", "-m", "benchmarks.reproducibility", "--scores", str(out)]
            subprocess.run([*line, "--captions", str(count)], env=environment, cwd=ROOT, check=True)
            with np.load(out) as scores:
                found[name] = dict(scores)
        print(f"{name}: done", file=sys.stderr, flush=True)
    lines = [["metric", "largest difference", "between", "and"]]
    for key in metrics:
        largest, pair = 0.0, ("", "")
        for one, other in product(found, found):
            difference = float(np.nanmax(np.abs(found[one][key] - found[other][key])))
            if difference > largest:
                largest, pair = difference, (one, other)
        lines.append([key, f"{largest:.1e}" if largest else "0", *pair])
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/reproducibility.md")
    parser.add_argument("--captions", type=int, default=100)
    parser.add_argument("--scores", metavar="FILE", help="write the scores of this process and nothing else")
    options = parser.parse_args()
    metrics = [*CLASSIC, *LEARNED]
    rows = coco_rows(options.captions)
    if options.scores:
        np.savez(options.scores, **evaluated(rows, metrics)[0])
        return
    tables = {
        "company": table(company_table(rows, metrics)),
        "processors": table(processor_table(options.captions, metrics)),
    }
    for name, text in tables.items():
        print(f"{text}\n")
        if options.write:
            replace(PAGE, name, text)


if __name__ == "__main__":
    main()
