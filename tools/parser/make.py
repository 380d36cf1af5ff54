"""Trains the caption parser from silver trees to the files that ship, in one command.

    python -m tools.parser.make --silver SILVER --work WORK --out src/vericap/data/parser
    python -m tools.parser.make --silver SILVER --work WORK --out OUT --small            # minutes, to try every stage
    python -m tools.parser.make … --start src/vericap/data/parser --steps 2000 --rate 0.001   # go on from what ships

SILVER is the folder with train-*.jsonl.xz, raw.jsonl.xz and dev.jsonl.xz (one caption per line: words, tags, lemmas,
heads and relations of each sentence). Stages, each with its files in WORK:

    silver    train.jsonl, dev.jsonl      the captions to train on, with cut ones (`silver.py`), and those to choose by
    network   weights.pt                  the network, its steps annealed to zero (`train.py`); checkpoint.pt meanwhile
    rounded   rounded/parser.*            its weights in 8 bits, vocabulary (`export.py`)
    grammar   trained/parser.*            the grammar, and how much the network weighs, chosen on dev (`grammar.py`)
    ship      OUT/parser.npz, parser.json

A stage is skipped if its settings, its inputs and its outputs are those of the last time, by their hashes
(WORK/stages.json). A run that was stopped goes on from the stage, and inside the network's training from the
checkpoint, and ends with the same bytes on the same machine. Needs torch.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import torch

from tools.parser import grammar
from tools.parser.export import description, restored, rounded
from tools.parser.network import Vocabulary
from tools.parser.silver import DEV, TRAIN, cut_captions, data_hash, file_hash, read, read_lines, write_lines
from tools.parser.train import Schedule, save, train

PARSER = ("parser.npz", "parser.json")


@dataclass(frozen=True)
class Settings:
    """The settings that the result depends on, besides the silver trees."""

    schedule: Schedule = field(default_factory=Schedule)
    cut_share: float = 0.08  # of the captions that are cut besides
    captions: int | None = None  # of each silver file; None: all
    dev_captions: int | None = None
    grammar_sentences: int = 90_000
    epochs: int = 3
    seed: int = 1


SMALL = Settings(Schedule(steps=150, words=900), captions=1000, dev_captions=300, grammar_sentences=2000, epochs=2)


class Stages:
    """The stages that are done, with their settings, inputs and outputs."""

    def __init__(self, work: Path) -> None:
        self.work, self.file = work, work / "stages.json"
        self.done: dict[str, dict[str, object]] = json.loads(self.file.read_text()) if self.file.exists() else {}

    def run(self, name: str, settings: object, inputs: list[Path], outputs: list[Path], do: Callable[[], None]) -> bool:
        """Run a stage unless it is done, and return whether it ran."""
        told = json.dumps([settings, [file_hash(path) for path in inputs]], default=str)
        key = hashlib.sha256(told.encode()).hexdigest()
        before = self.done.get(name)
        if before and before["key"] == key and before["outputs"] == _hashes(outputs):
            print(f"{name}: done before", flush=True)
            return False
        start = time.process_time()
        do()
        seconds = time.process_time() - start
        print(f"{name}: {seconds:.0f} s of processor time", flush=True)
        self.done[name] = {"key": key, "outputs": _hashes(outputs), "seconds": round(seconds, 1)}
        unfinished = self.file.with_suffix(".tmp")
        unfinished.write_text(json.dumps(self.done, indent=1))
        unfinished.replace(self.file)
        return True


def _hashes(paths: list[Path]) -> list[str | None]:
    return [file_hash(path) if path.exists() else None for path in paths]


def make(silver: Path, work: Path, out: Path, settings: Settings, start: Path | None = None) -> None:
    """All stages, from silver trees to the parser in `out`; `start` is the folder of a parser to go on from."""
    work.mkdir(parents=True, exist_ok=True)
    stages, folder = Stages(work), work / "silver"
    folder.mkdir(exist_ok=True)
    train_file, dev_file, weights = folder / "train.jsonl", folder / "dev.jsonl", work / "weights.pt"
    files = [silver / f"{name}.jsonl.xz" for name in (*TRAIN, DEV)]
    begun = [start / name for name in PARSER] if start else []
    at_rounding, trained = ([work / stage / name for name in PARSER] for stage in ("rounded", "trained"))
    s = settings
    chosen = [s.captions, s.dev_captions, s.cut_share, s.seed]
    stages.run("silver", chosen, files, [train_file, dev_file], lambda: _silver(silver, folder, s))
    schedule = [asdict(s.schedule)]
    stages.run("network", schedule, [train_file, *begun], [weights], lambda: _network(train_file, work, s, start))
    stages.run("rounded", schedule, [train_file, weights], at_rounding, lambda: _rounded(train_file, work, s, start))
    grown = [s.grammar_sentences, s.epochs, s.seed, data_hash(silver)]
    stages.run("grammar", grown, [train_file, dev_file, *at_rounding], trained, lambda: _grammar(silver, work, s))
    stages.run("ship", [str(out)], trained, [out / name for name in PARSER], lambda: _ship(trained, out))


def _silver(silver: Path, folder: Path, settings: Settings) -> None:
    sentences = [s for name in TRAIN for s in read(silver, name, settings.captions)]
    cuts = list(cut_captions(sentences, settings.cut_share, settings.seed))
    write_lines(folder / "train.jsonl", [*sentences, *cuts])
    write_lines(folder / "dev.jsonl", read(silver, DEV, settings.dev_captions))
    print(f"silver: {len(sentences):,} sentences, {len(cuts):,} cut ones", flush=True)


def _network(train_file: Path, work: Path, settings: Settings, start: Path | None) -> None:
    sentences = read_lines(train_file)
    vocabulary = Vocabulary(sentences)
    begun = None
    if start is not None:
        begun = work / "start.pt"
        arrays, about = grammar.load(start)
        if (about["words"], about["tags"]) != (vocabulary.words, vocabulary.tags):
            raise SystemExit(f"{start} has another vocabulary: train without --start, or on the same silver trees")
        save(restored(vocabulary, arrays), begun)
    # A checkpoint of other settings or other captions would be gone on from in error.
    told = json.dumps([asdict(settings.schedule), file_hash(train_file), str(start)])
    checkpoint = work / f"checkpoint-{hashlib.sha256(told.encode()).hexdigest()[:12]}.pt"
    save(train(vocabulary, sentences, settings.schedule, checkpoint, begun), work / "weights.pt")
    checkpoint.unlink(missing_ok=True)


def _rounded(train_file: Path, work: Path, settings: Settings, start: Path | None) -> None:
    sentences = read_lines(train_file)
    vocabulary = Vocabulary(sentences)
    weights = torch.load(work / "weights.pt", weights_only=True)
    arrays = rounded(vocabulary, weights, sentences[:20_000])
    training = {**asdict(settings.schedule), "cut_share": settings.cut_share, "torch": torch.__version__}
    if start is not None:
        training["start"] = grammar.load(start)[1]["hash"]
    grammar.write(work / "rounded", arrays, description(vocabulary, training))


def _grammar(silver: Path, work: Path, settings: Settings) -> None:
    sentences, dev = read_lines(work / "silver" / "train.jsonl"), read_lines(work / "silver" / "dev.jsonl")
    arrays, about = grammar.load(work / "rounded")
    about["data_hash"] = data_hash(silver)
    grown = grammar.train_on(sentences, about, arrays, settings.grammar_sentences, settings.epochs, settings.seed)
    grammar.write(work / "trained", *grammar.best(grown, dev, work / "trial"))
    shutil.rmtree(work / "trial")


def _ship(trained: list[Path], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for path in trained:
        shutil.copyfile(path, out / path.name)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--silver", type=Path, required=True)
    options.add_argument("--work", type=Path, required=True)
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--small", action="store_true", help="few captions and steps: every stage, in minutes")
    options.add_argument("--start", type=Path, help="folder of a parser to go on from")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--steps", type=int, help="of the network's training")
    options.add_argument("--rate", type=float, help="highest learning rate")
    given = options.parse_args()
    settings = replace(SMALL if given.small else Settings(), seed=given.seed)
    schedule = replace(settings.schedule, seed=given.seed)
    schedule = replace(schedule, steps=given.steps or schedule.steps, rate=given.rate or schedule.rate)
    make(given.silver, given.work, given.out, replace(settings, schedule=schedule), given.start)


if __name__ == "__main__":
    main()
