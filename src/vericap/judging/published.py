"""The values that papers print, read from the data that ships, compared with ours or listed with the reason why not."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from vericap.data import FOLDER
from vericap.results.verdict import PublishedValue, Verdict

INTER_HUMAN = "inter-human"


@dataclass(frozen=True)
class _Table:
    """A table of a paper. `benchmark`, `protocols`, `references` and `subset` say which run of ours it is compared
    with; `note` says what the paper did otherwise, where that moves its values."""

    paper: str
    where: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float, ...]]
    benchmark: str = ""
    protocols: tuple[str, ...] = ()
    references: int | None = None
    subset: str = ""
    scale: float = 1.0
    note: str = ""
    unmatched: str = ""
    unmatched_rows: Mapping[str, str] = field(default_factory=dict)


@cache
def tables() -> tuple[_Table, ...]:
    """Every table that ships.

    >>> sum(len(values) for table in tables() for values in table.rows.values()) > 500
    True
    """
    found = []
    for path in sorted((FOLDER / "published").glob("*.toml")):
        content = tomllib.loads(path.read_text("utf-8"))
        for each in content["table"]:
            listed = {name: tuple(values) for name, values in each.pop("rows").items()}
            columns, protocols = tuple(each.pop("columns")), tuple(each.pop("protocols", ()))
            found.append(_Table(content["paper"], columns=columns, rows=listed, protocols=protocols, **each))
    return tuple(found)


def belongs(table: _Table, verdict: Verdict) -> bool:
    """Return whether this is the table of such a run."""
    return (
        not table.unmatched
        and table.benchmark == verdict.benchmark
        and verdict.protocol in table.protocols
        and table.references == verdict.choices["references_used"]
        and table.subset == verdict.choices["subset"]
    )


# Rows of metrics that look at the picture: they are given with a run on pictures whether it computes them or not.
LOOKING = ("clipscore", "refclipscore", "pacscore", "refpacscore", "Polos", "Pearl")


def beside(verdict: Verdict, pictures: bool = False) -> list[PublishedValue]:
    """The published values of a run, beside ours, in the paper's unit. With `pictures`, those of metrics that look at
    pictures are there too where this run did not compute them: ours is NaN."""
    found = []
    ours = {row.metric: row for row in verdict.rows}
    for table in tables():
        if not belongs(table, verdict):
            continue
        for metric, values in table.rows.items():
            for measure, value in zip(table.columns, values, strict=False):
                if metric == INTER_HUMAN and measure in verdict.ceiling:
                    mine = verdict.ceiling[measure]
                elif metric in ours:
                    mine = ours[metric].value(measure)
                elif pictures and metric in LOOKING:
                    mine = float("nan")
                else:
                    continue
                where = (table.paper, table.where, table.note)
                found.append(PublishedValue(metric, measure, value, mine * table.scale, *where))
    return found


def unmatched(matched: Sequence[PublishedValue] = ()) -> Iterator[tuple[str, str, str, str]]:
    """Paper, table, row and reason of what is not among `matched`; a row of "" is the whole table."""
    there = {(each.paper, each.where, each.metric) for each in matched}
    for table in tables():
        if table.unmatched:
            yield table.paper, table.where, "", table.unmatched
            continue
        for metric in table.rows:
            if (table.paper, table.where, metric) not in there:
                reason = table.unmatched_rows.get(metric, _reason(metric))
                yield table.paper, table.where, metric, reason


def _reason(metric: str) -> str:
    from vericap.errors import InputError
    from vericap.metrics import parse

    try:
        parse(metric)
    except InputError:
        return "a method or a variant that Vericap does not compute here"
    return "not computed in this run"
