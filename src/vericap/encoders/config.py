"""The description of a network in a BERT folder: config.json, tokenizer_config.json and the files of
sentence-transformers: sizes, how text is split, how a sentence's vector is made from those of its pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias

from vericap.errors import InputError

Pooling: TypeAlias = Literal["mean", "cls"]


@dataclass(frozen=True)
class Config:
    """Sizes of a network, and what is done before and after it."""

    size: int  # of a vector
    layers: int
    heads: int
    inner_size: int  # of the feed-forward layers
    positions: int  # the most pieces that a text may have
    limit: int  # pieces after which a text is cut off, [CLS] and [SEP] among them
    epsilon: float = 1e-12  # of layer normalisation
    lower: bool = True  # lower case, without accents
    pooling: Pooling = "mean"
    normalised: bool = True  # sentence vectors have unit length

    def __post_init__(self) -> None:
        numbers = {"size": self.size, "layers": self.layers, "heads": self.heads, "inner_size": self.inner_size}
        for name, number in {**numbers, "positions": self.positions}.items():
            if number < 1:
                raise InputError(f"{name} is {number}", field=name, fix="it must be at least 1")
        if self.size % self.heads:
            raise InputError(f"{self.heads} heads do not divide vectors of {self.size} numbers", field="heads")
        if not 2 < self.limit <= self.positions:
            raise InputError(
                f"texts are cut off after {self.limit} pieces", field="limit", fix=f"3 to {self.positions} are possible"
            )

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> Config:
        """From the header of a file that `facts` was written to."""
        return cls(**{each.name: facts[each.name] for each in fields(cls)})

    def facts(self) -> dict[str, Any]:
        """Return all of it, for the header of a file.

        >>> Config.of_facts(Config(384, 6, 12, 1536, 512, 256).facts()).limit
        256
        """
        return asdict(self)

    @classmethod
    def of_folder(cls, folder: Path) -> Config:
        """From a folder as transformers or sentence-transformers saves it; an error for what is not a plain BERT."""
        about = read_json(folder / "config.json")
        _check_architecture(about, folder / "config.json")
        tokenizer = read_json(folder / "tokenizer_config.json", optional=True)
        sentence = read_json(folder / "sentence_bert_config.json", optional=True)
        pooling, normalised = sentence_modules(folder)
        try:
            positions = int(about["max_position_embeddings"])
            limit = sentence.get("max_seq_length") or tokenizer.get("model_max_length") or positions
            return cls(
                size=int(about["hidden_size"]),
                layers=int(about["num_hidden_layers"]),
                heads=int(about["num_attention_heads"]),
                inner_size=int(about["intermediate_size"]),
                positions=positions,
                limit=int(min(limit, positions)),
                epsilon=float(about.get("layer_norm_eps", 1e-12)),
                lower=bool(tokenizer.get("do_lower_case", True)),
                pooling=pooling,
                normalised=normalised,
            )
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                f"the sizes of the network are not all there ({error})",
                source=str(folder / "config.json"),
                fix="give a folder as transformers saves it",
            ) from None


def is_plain_bert(folder: Path) -> bool:
    """Return whether a folder holds a BERT that the NumPy network runs, rather than another architecture."""
    about = read_json(folder / "config.json")
    try:
        _check_architecture(about, folder / "config.json")
        sentence_modules(folder)
    except InputError:
        return False
    return (folder / "model.safetensors").is_file() and (folder / "vocab.txt").is_file()


def read_json(path: Path, *, optional: bool = False) -> dict[str, Any]:
    """Return a JSON object; an empty one for a file that is missing and optional."""
    if not path.is_file():
        if optional:
            return {}
        raise InputError(f"this is not a model: {path.name} is missing", source=str(path.parent), fix="give its folder")
    try:
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"this file is not valid JSON ({error})", source=str(path), fix="copy it again") from None
    if not isinstance(found, dict):
        raise InputError("this file does not hold a JSON object", source=str(path), fix="copy it again")
    return found


def _check_architecture(about: Mapping[str, Any], source: Path) -> None:
    """Raise an error for a network that is not the BERT of 2019: other activations and positions give other numbers."""
    wanted = {
        "model_type": ("bert", ("bert", None)),
        "hidden_act": ("gelu", ("gelu", None)),
        "position_embedding_type": ("absolute", ("absolute", None)),
        "is_decoder": (False, (False, None)),
    }
    for field, (name, allowed) in wanted.items():
        if about.get(field) not in allowed:
            raise InputError(
                f"{field} is {about[field]!r}, and the NumPy network needs {name!r}",
                source=str(source),
                field=field,
                fix="give the folder of a BERT model",
            )


_POOLING: dict[str, Pooling] = {"pooling_mode_mean_tokens": "mean", "pooling_mode_cls_token": "cls"}


def sentence_modules(folder: Path) -> tuple[Pooling, bool]:
    """Return how sentence-transformers makes a sentence's vector, and whether it has unit length; the mean of all
    pieces where the folder does not say."""
    path = folder / "modules.json"
    if not path.is_file():
        return "mean", True
    try:
        modules = json.loads(path.read_text("utf-8"))
        kinds = [(str(module["type"]).rpartition(".")[2], str(module["path"])) for module in modules]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise InputError(f"the file is not a list of modules ({error})", source=str(path)) from None
    names = [kind for kind, _ in kinds]
    if names[:2] != ["Transformer", "Pooling"] or names[2:] not in ([], ["Normalize"]):
        fix = "Transformer, Pooling and Normalize are supported"
        raise InputError(f"the modules are {', '.join(names)}", source=str(path), fix=fix)
    about = read_json(folder / kinds[1][1] / "config.json")
    on = [name for name, value in about.items() if name.startswith("pooling_mode_") and value is True]
    given = about.get("pooling_mode")
    chosen = _POOLING.get(on[0]) if len(on) == 1 else given if given in ("mean", "cls") and not on else None
    if chosen is None:
        raise InputError(
            f"the pooling is {', '.join(on) or given}",
            source=str(folder / kinds[1][1] / "config.json"),
            fix="mean and cls are supported",
        )
    return chosen, names[2:] == ["Normalize"]
