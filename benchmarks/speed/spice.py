"""SPICE on COCO val2017, 5,000 images with five references, cold: vericap's command line, in every way in which this
machine computes the parser, compared with the rate measured for the original (41 captions a second on two cores,
4–5.6 GB) and, as a yardstick for the machine,
pycocoevalcap's CIDEr on the same captions. The original's parser needs models that come from no package registry: where
they are in pycocoevalcap's `spice/lib`, the jar itself is timed, too. Both of our parsers are measured: SPICE's own,
cold and with the references in the cache, and the one that ships."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from shutil import which
from typing import Any

from benchmarks.places import DATA, INPUT, ROOT
from benchmarks.speed.environment import SCRIPTS, peer_file, peer_python
from benchmarks.speed.measure import (
    TWO_CORES,
    Command,
    at_least,
    at_most,
    contest,
    in_ways,
    kernel_ways,
    row,
    run,
    scaling,
)
from benchmarks.speed.ngrams import score

ORIGINAL = 41  # captions a second, spice-1.0.jar with CoreNLP 3.6.0 on two cores
MODELS = "stanford-corenlp-3.6.0-models.jar"
JAR_IMAGES = 500
EXACT, FAST = "spice(parser=stanford)", "spice(parser=vericap)"
PACKAGES = ("pycocoevalcap",)
YARDSTICK = "3.3–3.9 s"  # pycocoevalcap's CIDEr where that was measured


def files(images: int) -> tuple[Path, Path, int]:
    """Results, annotations and the number of captions."""
    given = json.loads((DATA / "oracle" / "coco" / "k5k_nn.input.json").read_text("utf-8"))
    ids, candidates, references = (given[name][:images] for name in ("ids", "cands", "refs"))
    INPUT.mkdir(parents=True, exist_ok=True)
    results, annotations = INPUT / "k5k_results.json", INPUT / "k5k_annotations.json"
    results.write_text(
        json.dumps([{"image_id": i, "caption": c} for i, c in zip(ids, candidates, strict=True)]), "utf-8"
    )
    captions = [(i, caption) for i, group in zip(ids, references, strict=True) for caption in group]
    annotations.write_text(
        json.dumps(
            {
                "images": [{"id": i} for i in ids],
                "annotations": [{"id": n, "image_id": i, "caption": c} for n, (i, c) in enumerate(captions)],
            }
        ),
        "utf-8",
    )
    return results.relative_to(ROOT), annotations.relative_to(ROOT), len(ids) + len(captions)


def benchmark(images: int, repetitions: int) -> dict[str, Any]:
    images = min(images, 5000)
    results, annotations, captions = files(images)
    out = INPUT.relative_to(ROOT) / "spice.json"
    peer = [peer_python(), SCRIPTS / "pycocoevalcap_cider.py", DATA / "oracle" / "coco" / "k5k_nn.tokenized.json"]
    ways = kernel_ways()
    races = contest(
        {
            **in_ways("two cores", Command(score(results, annotations, out, FAST, 2), core=TWO_CORES)),
            **in_ways("one core", Command(score(results, annotations, out, FAST, 1), core=0)),
            "yardstick": Command(peer),
        },
        repetitions=repetitions,
        at_most={f"{cores}, plain": 1 for cores in ("two cores", "one core")},
    )
    two, one = ([races.seconds(f"{cores}, {way}") for way in ways] for cores in ("two cores", "one core"))
    original = captions / ORIGINAL
    (fast, *fast_others), (slow, *slow_others) = ([captions / seconds for seconds in each] for each in (two, one))
    exact = Command([*score(results, annotations, out, EXACT, 2), "--no-keep-graphs"], core=TWO_CORES)
    cold, second = run(exact).seconds, second_system(results, annotations, out)
    used = (run(exact, memory=True).proportional or 0) / 1e6
    jar, remark = jar_rows(images, captions / cold)
    return {
        "title": f"SPICE, {captions:,} captions of {images:,} images: {captions / cold:,.0f} a second to the "
        f"original's digits, {fast:,.0f} with our own parser",
        "peer": f"spice-1.0.jar at {ORIGINAL}/s",
        "ways": ways,
        "command": str(Command(score(results, annotations, out, EXACT))),
        "peer_repetitions": 1,
        "rows": [
            at_least("exact, two cores, cold (once)", cold, original, 6),
            row("exact, captions, two cores", captions / cold, ORIGINAL, unit="captions/s"),
            at_most("exact, another system on the same references (once)", second, bar=20, unit="s"),
            at_most("exact, peak memory, PSS", used, 5600.0, bar=500, unit="MB"),
            row(
                "two cores, cold",
                two[0],
                original,
                unit="s",
                bar="≥ 100×",
                met=original / two[0] >= 100,
                others=two[1:],
            ),
            row("one core, cold (the peer on two)", one[0], original, unit="s", others=one[1:]),
            scaling(one[0], two[0]),
            row("captions, two cores", fast, ORIGINAL, unit="captions/s", others=fast_others),
            row("captions, one core (the peer on two)", slow, ORIGINAL, unit="captions/s", others=slow_others),
            *jar,
            at_most("peak memory, PSS", races.megabytes(f"two cores, {ways[0]}"), 5600.0, bar=300, unit="MB"),
            row(
                f"yardstick, pycocoevalcap's CIDEr ({YARDSTICK} where the jar was measured)",
                races.seconds("yardstick"),
                unit="s",
            ),
        ],
        "remarks": [remark, "The ways of computing the parser give the same scores, bit by bit."],
        "runs": races.to_dict(),
    }


def second_system(results: Path, annotations: Path, out: Path) -> float:
    """Return the seconds of a system whose references are in the cache: those of the system before it."""
    with tempfile.TemporaryDirectory() as folder:
        kept = ["--cache", folder]
        first = INPUT / "k5k_first.json"
        given = json.loads((DATA / "oracle" / "coco" / "k5k_nn.input.json").read_text("utf-8"))
        said = {image: group[0] for image, group in zip(given["ids"], given["refs"], strict=True)}
        ids = [each["image_id"] for each in json.loads((ROOT / results).read_text("utf-8"))]
        first.write_text(json.dumps([{"image_id": image, "caption": said[image]} for image in ids]), "utf-8")
        run(Command([*score(first, annotations, out, EXACT, 2), *kept], core=TWO_CORES))
        return run(Command([*score(results, annotations, out, EXACT, 2), *kept], core=TWO_CORES)).seconds


def jar_rows(images: int, ours: float) -> tuple[list[dict[str, object]], str]:
    """Return the original's speed in this run where Java and its parser's models are there, and what is to say about
    it."""
    jar = peer_file("pycocoevalcap/spice/spice-1.0.jar")
    lacking = "Java is not installed" if which("java") is None else f"the peer has no `spice/lib/{MODELS}`"
    if which("java") is None or not (jar.parent / "lib" / MODELS).exists():
        return [], (
            f"The original was not run here: {lacking}. Its figures, {ORIGINAL} captions per second and 4 to 5.6 GB, "
            "are of another run on two cores; the yardstick compares the speed of that machine with this one."
        )
    given = json.loads((DATA / "oracle" / "coco" / "k5k_nn.input.json").read_text("utf-8"))
    columns = (given[name][: min(images, JAR_IMAGES)] for name in ("ids", "cands", "refs"))
    rows = [{"image_id": i, "test": candidate, "refs": group} for i, candidate, group in zip(*columns, strict=True)]
    asked, answered = INPUT / "spice-jar.json", INPUT / "spice-jar-scores.json"
    asked.write_text(json.dumps(rows), "utf-8")
    done = run(Command(["java", "-Xmx8G", "-jar", jar, asked, "-out", answered, "-subset", "-silent"], core=TWO_CORES))
    captions = sum(1 + len(each["refs"]) for each in rows)
    what = f"captions, two cores (the jar in this run, {captions:,} captions, once)"
    return [row(what, ours, captions / done.seconds, unit="captions/s")], "The jar was run without its cache."
