"""How a run reads its inputs: everything that several verbs let a user choose, once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

from vericap.choices import Missing, Repeated, Uncaptioned
from vericap.declared import Between, check_fields


@dataclass(frozen=True, eq=False)
class Settings:
    """The command line makes its options from these fields, with `help` as their text.

    >>> Settings(tokenizer="unicode").missing
    'error'
    """

    tokenizer: str = field(
        default="ptb", metadata={"help": "ptb (COCO's), unicode (any language), whitespace, rouge or none."}
    )
    language: str = field(default="en", metadata={"help": "Language of the captions."})
    df: Any = field(  # "corpus", "coco", a path, or a `DocumentFrequencies`
        default="corpus",
        metadata={"help": "Document frequencies of CIDEr: corpus, coco, or a file.", "type": str},
    )
    missing: Missing = field(
        default="error",
        metadata={"help": "Images without references or objects: refuse, leave out, or score 0."},
    )
    repeated: Repeated = field(
        default="error",
        metadata={"help": "Several candidates for one image: refuse, the first, all, or the best by the first metric."},
    )
    uncaptioned: Uncaptioned = field(
        default="skip",
        metadata={"help": "Images of the references without a caption: refuse, leave out, or score an empty caption."},
    )
    workers: Annotated[int, Between(0, 4096)] = field(
        default=1, metadata={"help": "Cores to use; 0 means all of them.", "command_line": 0}
    )
    seed: Annotated[int, Between(0, 2**63 - 1)] = field(default=0, metadata={"help": "Seed of everything random."})

    def __post_init__(self) -> None:
        check_fields(self, "a run")
