"""The recurrent language model: an LSTM over words (the "LM" of Madhyastha et al. 2019), in a folder of weights
(safetensors) and facts (JSON). Same interface as the n-gram model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import nn

from vericap.arrays import Ragged
from vericap.engine.progress import counted
from vericap.errors import InputError
from vericap.lexicon.language_model import END, WordProbabilities
from vericap.written import whole_file, whole_path

KIND = "recurrent language model"
FORMAT = 1
WEIGHTS, FACTS = "model.safetensors", "model.json"
BATCH = 64  # captions scored at once
BORDER, UNKNOWN, FIRST_WORD = 0, 1, 2  # numbers of the mark before and behind a caption, and of unknown words


@dataclass(frozen=True)
class Shape:
    """The description of a network: words of its vocabulary with the two marks, and the width of its layers."""

    words: int
    width: int
    layers: int = 1
    dropout: float = 0.0


@dataclass(frozen=True)
class CheckpointFacts:
    """All of a model but its weights. `words` are in the order of their frequency; `counts` begin with those of the
    border and of unknown words, and `unknown` is how many different words were unknown in training."""

    name: str
    tokenizer: str
    language: str
    shape: Shape
    words: list[str]
    counts: list[int]
    unknown: int
    training: dict[str, Any] = field(default_factory=dict)


class RecurrentNetwork(nn.Module):
    """Embedding, LSTM, and a softmax in which rare words share clusters (Grave et al. 2017)."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.words, shape.width)
        self.dropout = nn.Dropout(shape.dropout)
        self.recurrence = nn.LSTM(shape.width, shape.width, shape.layers, batch_first=True)
        cutoffs = [c for c in (1000, 4000) if c < shape.words - 1] or [max(1, shape.words // 2)]
        self.output = nn.AdaptiveLogSoftmaxWithLoss(shape.width, shape.words, cutoffs)

    def hidden(self, before: Any) -> Any:
        """States after each word, [captions, words, width], from the numbers of the words before."""
        states, _ = self.recurrence(self.dropout(self.embedding(before)))
        return self.dropout(states)


class RecurrentLanguageModel:
    """A trained network with its vocabulary."""

    def __init__(self, network: RecurrentNetwork, facts: CheckpointFacts, digest: str) -> None:
        self.network = network.eval()
        self.facts = facts
        self.tokenizer, self.language = facts.tokenizer, facts.language
        self.source = f"{facts.name}@{digest[:12]}"
        self._number = {word: i for i, word in enumerate(facts.words, FIRST_WORD)}
        counts = np.array(facts.counts) + 1.0
        self._alone = np.log(counts / counts.sum())
        self._unknown_words = np.log(max(facts.unknown, 1))

    def numbers(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the model's numbers of words."""
        return np.fromiter((self._number.get(word, UNKNOWN) for word in words), np.int64, len(words))

    def probabilities(self, captions: Ragged, words: Sequence[str]) -> WordProbabilities:
        number = self.numbers(words)
        offsets = captions.offsets + np.arange(len(captions) + 1)
        in_context, alone = np.zeros(offsets[-1]), np.zeros(offsets[-1])
        # Captions of like length go together, so that little is padding.
        by_length = np.argsort(captions.lengths, kind="stable").tolist()
        for first in counted(range(0, len(by_length), BATCH)):
            rows = by_length[first : first + BATCH]
            numbers = [number[captions[row]] for row in rows]
            before, after = batch(numbers)
            with torch.inference_mode():
                states = self.network.hidden(before)
                inside = after >= 0
                logs = self.network.output(states[inside], after[inside]).output.double().numpy()
            start = 0
            for row, own in zip(rows, numbers, strict=True):
                predicted = np.append(own, BORDER)
                place = slice(offsets[row], offsets[row + 1])
                unknown = predicted == UNKNOWN
                in_context[place] = logs[start : start + len(predicted)] - self._unknown_words * unknown
                by_itself = self._alone[predicted] - self._unknown_words * unknown
                alone[place] = np.where(unknown, np.maximum(by_itself, in_context[place]), by_itself)
                start += len(predicted)
        return WordProbabilities(in_context, alone, offsets)

    def distribution(self, context: Sequence[str]) -> NDArray[np.float64]:
        """p(w | start of the caption, context) of the border, unknown words and every word; they sum to 1."""
        before = torch.from_numpy(np.concatenate([[BORDER], self.numbers(context)]))[None]
        with torch.inference_mode():
            logs = self.network.output.log_prob(self.network.hidden(before)[0, -1:])[0].double().numpy()
        return np.asarray(np.exp(logs))

    def expected(self, context: Sequence[str], most: int) -> list[tuple[str, float]]:
        p = self.distribution(context)
        p[UNKNOWN] = 0.0
        likeliest = np.argsort(-p, kind="stable")[:most].tolist()
        return [(END if i == BORDER else self.facts.words[i - FIRST_WORD], float(p[i])) for i in likeliest]


def batch(captions: Sequence[NDArray[np.int64]]) -> tuple[Any, Any]:
    """Return the word before each word and end, [captions, longest + 1], and the word or end itself; -1 beyond."""
    longest = max(len(caption) for caption in captions) + 1
    before = np.zeros((len(captions), longest), np.int64)
    after = np.full((len(captions), longest), -1)
    for row, caption in enumerate(captions):
        before[row, 1 : len(caption) + 1] = caption
        after[row, : len(caption)] = caption
        after[row, len(caption)] = BORDER
    return torch.from_numpy(before), torch.from_numpy(after)


def save(folder: Path, network: RecurrentNetwork, facts: CheckpointFacts) -> None:
    """Write weights and facts."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = {name: tensor.detach().contiguous() for name, tensor in network.state_dict().items()}
    with whole_path(folder / WEIGHTS) as partial:
        save_file(weights, partial)
    data = {"kind": KIND, "format": FORMAT, **asdict(facts)}
    with whole_file(folder / FACTS) as file:
        file.write(json.dumps(data, ensure_ascii=False, indent=1).encode())


def _fits(shape: Shape, weights: Mapping[str, Any]) -> bool:
    """Have the weights the sizes that the facts say? Asked before a network is made: a file may say any size."""
    numbers = (shape.words, shape.width, shape.layers)
    if not all(type(each) is int and each > 0 for each in numbers) or shape.layers > 64:
        return False
    with torch.device("meta"):
        wanted = RecurrentNetwork(shape).state_dict()
    return {name: each.shape for name, each in wanted.items()} == {name: each.shape for name, each in weights.items()}


def load(folder: str | Path) -> RecurrentLanguageModel:
    """Return the model of a folder that `save` wrote; nothing is unpickled."""
    path = Path(folder)
    wrong = InputError(
        "this is not a recurrent language model", source=str(folder), fix="see vericap train language-model --kind rnn"
    )
    try:
        content = (path / FACTS).read_bytes()
        data = json.loads(content)
        if data.pop("kind") != KIND or data.pop("format") != FORMAT:
            raise wrong
        facts = CheckpointFacts(**{**data, "shape": Shape(**data["shape"])})
        weights = load_file(path / WEIGHTS)
        if not _fits(facts.shape, weights):
            raise wrong
        network = RecurrentNetwork(facts.shape)
        network.load_state_dict(weights)
    except OSError as error:
        name = Path(error.filename or WEIGHTS).name
        raise InputError(f"{name} cannot be read", source=str(folder), fix="give the folder of a model") from None
    except (ValueError, KeyError, TypeError, AttributeError, RuntimeError):
        raise wrong from None
    except Exception as error:  # safetensors has an error of its own for files cut off
        raise InputError(f"{WEIGHTS} is damaged ({error})", source=str(folder), fix="train the model again") from None
    if len(facts.counts) != len(facts.words) + FIRST_WORD or len(facts.counts) != facts.shape.words:
        raise wrong
    digest = hashlib.sha256(content + (path / WEIGHTS).read_bytes()).hexdigest()
    return RecurrentLanguageModel(network, facts, digest)
