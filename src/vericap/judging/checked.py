"""One check of all judgements after they were read, whatever the benchmark: captions are strings, ids can be compared,
references are lists of strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vericap.errors import InputError
from vericap.judging.judgements import Benchmark, Judged, Judgements
from vericap.judging.protocols import Protocol
from vericap.readers.judgements import Folder
from vericap.readers.messages import describe, one_line


def read_checked(about: Benchmark, folder: Folder, protocol: Protocol) -> Judgements:
    """The judgements of a benchmark, read from its folder; files of another shape are an error that names them."""
    try:
        judged = about.load(folder, protocol)
    except InputError:
        raise
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError) as error:
        raise InputError(
            f"the files are not as {about.name} has them ({one_line(f'{type(error).__name__}: {error}')})",
            source=str(folder.path),
            fix=f"take them as they are published: {about.source}",
        ) from error
    if isinstance(judged, Judged):
        check_judged(judged, str(folder.path))
    return judged


def check_judged(judged: Judged, source: str) -> None:
    """Raises an error that names the row and the field of the first value that cannot be.

    >>> import numpy as np
    >>> check_judged(Judged(["a"], [["a dog"]], [7], np.zeros(1, np.int64)), "ratings.json")
    Traceback (most recent call last):
    vericap.errors.InputError: ratings.json, row 1, field "caption": the caption is a number (7); write it as a string
    """
    if not len(judged):
        raise InputError("there is no caption in it", source=source, fix="give at least one")
    _check(judged.image_ids, lambda each: isinstance(each, (int, str)), "image_id", "image id", source)
    _check(judged.candidates, lambda each: isinstance(each, str), "caption", "caption", source)
    for row, given in enumerate(judged.references, 1):
        if not isinstance(given, (list, tuple)) or not all(isinstance(each, str) for each in given):
            what = describe(given)
            if isinstance(given, (list, tuple)):
                what = f"a list with {describe(next(each for each in given if not isinstance(each, str)))} in it"
            problem = f"the references are {what}"
            raise InputError(problem, source=source, row=row, field="references", fix="give a list of strings")


def _check(values: Sequence[Any], fits: Any, name: str, what: str, source: str) -> None:
    for row, value in enumerate(values, 1):
        if not fits(value) or isinstance(value, bool):
            problem = f"the {what} is {describe(value)}"
            raise InputError(problem, source=source, row=row, field=name, fix="write it as a string")
