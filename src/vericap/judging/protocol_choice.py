"""The protocol that a user asks for: its name, and single choices that differ from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class ProtocolChoice:
    """A named protocol and what is changed in it; None leaves a choice as the protocol has it.

    The command line makes its options from the fields that have a `help` text. `Protocol` says what each choice means.

    >>> ProtocolChoice("own-kept", ties="lose").changes()
    {'ties': 'lose'}
    """

    protocol: str | None = field(
        default=None, metadata={"help": "Named protocol; without it, the first that `judge list` names."}
    )
    subset: str | None = field(default=None, metadata={"help": "Part of the benchmark, such as coco of composite."})
    references_used: int | None = field(default=None, metadata={"help": "Number of references per image; 0 for none."})
    drawn: Literal["all", "first", "random"] | None = field(
        default=None,
        metadata={"help": "Which references are used: all, the first, or a random sample.", "flags": ("--sampling",)},
    )
    draws: int | None = field(default=None, metadata={"help": "Number of random samples of references."})
    judges: Literal["apart", "averaged"] | None = field(
        default=None, metadata={"help": "Ratings of several judges: one row each, or their mean."}
    )
    ties: Literal["half", "random", "lose", "win"] | None = field(
        default=None, metadata={"help": "What equal scores earn in a forced choice."}
    )
    label: str | None = field(default=None, metadata={"help": "Human label to use, where there are several."})
    df: Literal["rows", "images", "coco"] | None = field(
        default=None, metadata={"help": "What counts as a document in CIDEr's document frequencies."}
    )
    level: Literal["caption", "system"] | None = field(
        default=None, metadata={"help": "Compare captions, or the means of systems."}
    )
    over: Literal["pooled", "image"] | None = field(
        default=None,
        metadata={"help": "One correlation over all captions, or the mean over images.", "flags": ("--correlation",)},
    )
    tokenizer: str | None = field(default=None, metadata={"help": "Tokenizer to use instead of the protocol's."})
    measure: str | None = None
    own: str | None = None
    rows: str | None = None

    def changes(self) -> dict[str, Any]:
        """The choices that differ from the protocol, by the names that `Protocol` has for them."""
        return {name: value for name, value in vars(self).items() if name != "protocol" and value is not None}
