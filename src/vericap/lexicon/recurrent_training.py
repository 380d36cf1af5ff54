"""Trains the recurrent language model: seeded, resumable to the same weights, nothing but captions needed."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.torch import save_file

from vericap.arrays import Ragged
from vericap.errors import InputError
from vericap.lexicon.recurrent import (
    BATCH,
    FIRST_WORD,
    UNKNOWN,
    CheckpointFacts,
    RecurrentLanguageModel,
    RecurrentNetwork,
    Shape,
    batch,
    load,
    save,
)
from vericap.text.tokenizers import tokenizer as tokenizer_by_name
from vericap.text.vocabulary import split_at_white_space
from vericap.written import whole_path

STATE = "state.safetensors"
POOL = 50  # batches whose captions are sorted by length together
CLIP = 1.0  # longest gradient
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class LanguageModelSettings:
    """Settings of the training. A step is a batch; the learning rate falls linearly to 0 at the last."""

    width: int = 192
    layers: int = 1
    dropout: float = 0.1
    min_word_count: int = 5  # words that occur less often are unknown
    steps: int = 20_000
    batch: int = 64
    learning_rate: float = 0.003
    seed: int = 0
    validation: int = 1_000  # captions held out
    save_every: int = 1_000  # steps

    def __post_init__(self) -> None:
        for name in ("width", "layers", "min_word_count", "steps", "batch", "save_every"):
            if getattr(self, name) < 1:
                raise InputError(f"{getattr(self, name)} is out of range", field=name, fix="use 1 or more")


def train(
    captions: Sequence[str],
    folder: str | Path,
    settings: LanguageModelSettings,
    *,
    name: str,
    tokenizer: str = "ptb",
    language: str = "en",
    resume: bool = False,
    progress: Progress | None = None,
) -> RecurrentLanguageModel:
    """Train a model into `folder`. `resume` continues from the last state saved there; the result is the same as
    without the break."""
    folder = Path(folder)
    vocabulary: dict[str, int] = {}
    tokens, words = split_at_white_space(tokenizer_by_name(tokenizer)(captions, vocabulary), list(vocabulary))
    if len(tokens) <= settings.validation:
        raise InputError(
            f"{len(tokens)} captions were given, and {settings.validation} of them are to be held out",
            fix="give more captions, or lower the setting validation",
        )
    facts, numbers = _vocabulary(tokens, words, settings, name, tokenizer, language)
    shuffled = np.random.default_rng(settings.seed).permutation(len(tokens))
    held_out = [numbers[tokens[row]] for row in shuffled[: settings.validation].tolist()]
    training = [numbers[tokens[row]] for row in shuffled[settings.validation :].tolist()]
    identity = _identity(settings, captions)

    torch.manual_seed(settings.seed)
    network = RecurrentNetwork(facts.shape)
    optimizer = torch.optim.Adam(network.parameters(), lr=settings.learning_rate)
    done = _restore(folder / STATE, network, optimizer, identity) if resume else 0
    history: list[Any] = list(load(folder).facts.training["history"]) if done else []
    tell = progress or (lambda what, done, steps: None)
    network.train()
    for step, chosen in _batches(training, settings, done):
        loss = _step(network, optimizer, chosen, step, settings)
        tell(f"loss {loss:.3f}", step + 1, settings.steps)
        if (step + 1) % settings.save_every == 0 or step + 1 == settings.steps:
            network.eval()
            history.append({"step": step + 1, "perplexity": _perplexity(network, held_out)})
            network.train()
            save(folder, network, replace(facts, training={**asdict(settings), "history": history}))
            _keep(folder / STATE, network, optimizer, step + 1, identity)
    return load(folder)


def _vocabulary(
    tokens: Ragged, words: Sequence[str], settings: LanguageModelSettings, name: str, tokenizer: str, language: str
) -> tuple[CheckpointFacts, NDArray[np.int64]]:
    """Facts of the model to be, and the number of each word in it."""
    times = Counter(dict(enumerate(np.bincount(tokens.values, minlength=len(words)).tolist())))
    known = [word for word, count in times.most_common() if count >= settings.min_word_count]
    numbers = np.full(len(words), UNKNOWN)
    numbers[known] = np.arange(FIRST_WORD, FIRST_WORD + len(known))
    rare = [count for count in times.values() if 0 < count < settings.min_word_count]
    facts = CheckpointFacts(
        name,
        tokenizer,
        language,
        Shape(len(known) + FIRST_WORD, settings.width, settings.layers, settings.dropout),
        [words[i] for i in known],
        [len(tokens), sum(rare), *(times[i] for i in known)],
        len(rare),
    )
    return facts, numbers


def _batches(
    training: Sequence[NDArray[np.int64]], settings: LanguageModelSettings, first: int
) -> Iterator[tuple[int, list[NDArray[np.int64]]]]:
    """The steps from `first` on, with their captions. Each pass takes all captions in a new order, those of like length
    in one batch; the order depends on the seed and the number of the pass alone."""
    lengths = np.array([len(caption) for caption in training])
    each, pool = settings.batch, settings.batch * POOL
    batches = -(-len(training) // each)
    for epoch in range(first // batches, -(-settings.steps // batches)):
        random = np.random.default_rng((settings.seed, epoch))
        order = random.permutation(len(training))
        pools = [order[start : start + pool] for start in range(0, len(order), pool)]
        order = np.concatenate([rows[np.argsort(lengths[rows], kind="stable")] for rows in pools])
        for step, number in enumerate(random.permutation(batches).tolist(), epoch * batches):
            if first <= step < settings.steps:
                yield step, [training[row] for row in order[number * each : (number + 1) * each].tolist()]


def _step(
    network: RecurrentNetwork,
    optimizer: Any,
    captions: Sequence[NDArray[np.int64]],
    step: int,
    settings: LanguageModelSettings,
) -> float:
    """Update the weights once; return the loss before it."""
    for group in optimizer.param_groups:
        group["lr"] = settings.learning_rate * (1 - step / settings.steps)
    # Dropout depends on the step alone, so that a run that was interrupted continues as if it had not been.
    torch.manual_seed(settings.seed * 1_000_003 + step)
    before, after = batch(captions)
    inside = after >= 0
    loss = network.output(network.hidden(before)[inside], after[inside]).loss
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
    optimizer.step()
    return float(loss.detach())


def _perplexity(network: RecurrentNetwork, captions: Sequence[NDArray[np.int64]]) -> float | None:
    """Of held-out captions, unknown words as one; None without any."""
    logs, words = 0.0, 0
    for first in range(0, len(captions), BATCH):
        before, after = batch(captions[first : first + BATCH])
        inside = after >= 0
        with torch.inference_mode():
            logs += float(network.output(network.hidden(before)[inside], after[inside]).output.double().sum())
        words += int(inside.sum())
    return float(np.exp(-logs / words)) if words else None


def _identity(settings: LanguageModelSettings, captions: Sequence[str]) -> str:
    """Return what has to be the same for a run to continue."""
    digest = hashlib.sha256(repr(asdict(settings)).encode())
    for caption in captions:
        digest.update(caption.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def _keep(path: Path, network: RecurrentNetwork, optimizer: Any, step: int, identity: str) -> None:
    """Saves weights, Adam's moments and the step."""
    tensors = {f"weight.{name}": tensor.detach().clone() for name, tensor in network.state_dict().items()}
    for name, parameter in network.named_parameters():
        for moment, tensor in optimizer.state[parameter].items():
            tensors[f"{moment}.{name}"] = tensor.detach().clone()
    with whole_path(path) as partial:
        save_file(tensors, partial, {"step": str(step), "identity": identity})


def _restore(path: Path, network: RecurrentNetwork, optimizer: Any, identity: str) -> int:
    """Put a saved state back; return the number of completed steps."""
    if not path.is_file():
        return 0
    with safe_open(path, "pt") as state:
        about = state.metadata()
        if about["identity"] != identity:
            raise InputError(
                "the state was saved by a run with other captions or settings",
                source=str(path),
                fix="use the same captions and settings, or another folder",
            )
        network.load_state_dict({name: state.get_tensor(f"weight.{name}") for name in network.state_dict()})
        for name, parameter in network.named_parameters():
            optimizer.state[parameter] = {
                moment: state.get_tensor(f"{moment}.{name}") for moment in ("step", "exp_avg", "exp_avg_sq")
            }
    return int(about["step"])
