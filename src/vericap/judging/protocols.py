"""Protocols: every choice that moves an agreement figure, by name. Papers' own are presets of their benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias

from vericap.errors import InputError

Judges: TypeAlias = Literal["apart", "averaged"]
Drawn: TypeAlias = Literal["all", "first", "random"]
Ties: TypeAlias = Literal["half", "random", "lose", "win"]
Level: TypeAlias = Literal["caption", "system"]
Over: TypeAlias = Literal["pooled", "image"]
DocumentFrequency: TypeAlias = Literal["rows", "images", "coco"]
MEASURES = ("kendall_b", "kendall_c", "spearman", "pearson", "accuracy")


@dataclass(frozen=True)
class Protocol:
    """How judgements and scores are compared.

    `measure`: what the table is ordered and tested by. `judges`: each judge's rating is a row of its own (apart), or
    their mean is. `own`: what happens to a candidate that is one of its own references (each benchmark says what it
    offers). `drawn`: which of an item's references are used, `references_used` of them (None: all); random ones are
    drawn `draws` times from `seed`, and figures are means over the draws. `df`: a document of CIDEr's idf is an item
    as shown (rows), an image, or COCO's. `label`: which human label of several. `ties`: what a forced choice between
    two equal scores earns. `rows`: which candidates. `level`: captions, or means of systems. `over`: one correlation
    over all captions, or the mean of the images' own.

    >>> print(Protocol("mine", measure="kendall_b", references_used=5, drawn="random", draws=2).spell())
    measure kendall_b; judges apart; own captions kept; references 5 drawn at random, 2 draws, seed 0; df over rows;
    rows all; level caption, pooled; tokenizer ptb
    """

    name: str
    of: str = ""
    measure: str = "kendall_c"
    judges: Judges = "apart"
    own: str = "kept"
    references_used: int | None = None
    drawn: Drawn = "all"
    draws: int = 1
    seed: int = 0
    df: DocumentFrequency = "rows"
    label: str = ""
    ties: Ties | None = None
    rows: str = "all"
    level: Level = "caption"
    over: Over = "pooled"
    tokenizer: str = "ptb"
    # The program of a metric may read the text in its own way: metric's name → tokenizer.
    tokenizers: Mapping[str, str] = field(default_factory=dict)
    subset: str = ""

    def choices(self) -> dict[str, Any]:
        """Every choice, as plain data."""
        found = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("name", "of")}
        return {**found, "tokenizers": dict(self.tokenizers)}

    def scoring(self) -> tuple[Any, ...]:
        """The choices that scores of the same captions and references depend on."""
        names = ("references_used", "drawn", "draws", "seed", "df", "tokenizer")
        return (*(getattr(self, name) for name in names), tuple(self.tokenizers.items()))

    def spell(self) -> str:
        """Every choice, in one line."""
        used = "all" if self.references_used is None else str(self.references_used)
        drawn = {
            "all": "",
            "first": ", the first",
            "random": f" drawn at random, {self.draws} draws, seed {self.seed}",
        }[self.drawn]
        parts = [
            f"measure {self.measure}",
            f"judges {self.judges}",
            f"own captions {self.own}",
            f"references {used}{drawn}",
            f"df over {self.df}",
            *([f"label {self.label}"] if self.label else []),
            *([f"ties {self.ties}"] if self.ties else []),
            f"rows {self.rows}",
            *([f"subset {self.subset}"] if self.subset else []),
            f"level {self.level}, {self.over if self.over == 'pooled' else 'each image alone'}",
            f"tokenizer {self.tokenizer}",
            *(f"{metric} on {tokenizer}" for metric, tokenizer in self.tokenizers.items()),
        ]
        return "; ".join(parts)

    def changed(self, **choices: Any) -> Protocol:
        """The protocol with some choices changed; None leaves a choice as it is.

        >>> Protocol("mine").changed(judges="averaged", ties=None).judges
        'averaged'
        """
        known = {name: value for name, value in choices.items() if value is not None}
        for name, value in known.items():
            allowed = _ALLOWED.get(name)
            if allowed is not None and value not in allowed:
                raise InputError(f"{value!r} is not a choice", field=name, fix=f"use one of {', '.join(allowed)}")
        used = known.get("references_used")
        if used is not None and used < 0:
            raise InputError(f"{used} references cannot be used", field="references-used", fix="give 0 or more")
        if used is not None and self.drawn == "all" and "drawn" not in known:
            known["drawn"] = "first"
        changed = {name: value for name, value in known.items() if getattr(self, name) != value}
        return replace(self, **changed) if changed else self


_ALLOWED: dict[str, tuple[str, ...]] = {
    "measure": MEASURES,
    "judges": ("apart", "averaged"),
    "drawn": ("all", "first", "random"),
    "ties": ("half", "random", "lose", "win"),
    "level": ("caption", "system"),
    "over": ("pooled", "image"),
    "df": ("rows", "images", "coco"),
}


def named(protocols: tuple[Protocol, ...], name: str | None, benchmark: str) -> Protocol:
    """The protocol of a name; without one, the benchmark's first."""
    if name is None:
        return protocols[0]
    for protocol in protocols:
        if protocol.name == name:
            return protocol
    raise InputError(
        f"{benchmark} has no protocol {name!r}",
        field="protocol",
        fix=f"use one of {', '.join(protocol.name for protocol in protocols)}",
    )
