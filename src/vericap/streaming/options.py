"""The options of a stream: batches, checkpoints, bad rows, and the engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from vericap.options.choices import BadRows, EngineName
from vericap.options.declared import Between, Checked, option

if TYPE_CHECKING:
    from vericap.engine import Engine


@dataclass(frozen=True)
class StreamOptions(Checked):
    """The command line makes its options from these fields, with `help` as their text.

    >>> StreamOptions(batch_size=0)
    Traceback (most recent call last):
    vericap.errors.InputError: field "batch_size": batch_size=0 is out of bounds for a stream; use a whole number ...
    """

    stream: bool = option(False, "Read, score and write in batches: for input that does not fit into memory.")
    batch_size: Annotated[int, Between(1, 10_000_000)] = option(10_000, "Rows of a stream that are scored at once.")
    checkpoint: Annotated[int, Between(1, 1_000_000_000)] = option(
        100_000, "Number of rows between checkpoints, from which a stopped stream goes on."
    )
    bad_rows: BadRows = option("error", "Rows of a stream that cannot be scored: stop, or collect them in a file.")
    engine: EngineName = option("local", "Where a stream is scored: processes of this machine, or Ray.")
    ray_address: str | None = option(None, "Ray cluster to use, such as auto; without it Ray starts on this machine.")

    called = "a stream"

    @property
    def spans_per_checkpoint(self) -> int:
        """Checkpoints are between batches."""
        return max(self.checkpoint // self.batch_size, 1)

    def engine_for(self, workers: int) -> Engine:
        """The engine with this many workers."""
        from vericap.engine import Engine

        return Engine(self.engine, workers, self.ray_address)
