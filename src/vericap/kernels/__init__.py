"""The inner loops that arrays cannot express: Python files that Cython compiles where it can.

All are written in the same way. Types are annotations and constants are `cython.declare`, so that each file runs as
Python too. A kernel is a class (`cython.cclass`) whose memory is named rows, made by `memory.KernelRows`; its inner
methods hold no Python objects and need no lock (`cython.cfunc`, `cython.nogil`, `cython.exceptval(check=False)`).
Options of the compiler are in `setup.py`, the same for all. Two pieces are in C, for instructions of a processor
that no Python names: `fused.h`, without which `recurrence` does the same, and `layers.h`, without which
`vericap.encoders.network` does, both to the last bit (`layers.h` with 8-bit weights).

`VERICAP_PURE=1` in the environment runs the Python files although compiled ones are there. `VERICAP_KERNELS` chooses
among the ways of those two pieces: `vnni` (AVX-512 VNNI), `avx2`, `neon` (ARM), or `plain` (NumPy), by default the
first that the processor has.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ExtensionFileLoader, ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from vericap.errors import InputError

_ARM = hasattr(os, "uname") and os.uname().machine in ("aarch64", "arm64")
WAYS = ("plain", "neon") if _ARM else ("plain", "avx2", "vnni")  # of computing networks, the slowest first
_HERE = Path(__file__).parent


class _SourceOnly:
    """Finds a kernel's Python file even if there is a compiled one next to it."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        parent, _, kernel = name.rpartition(".")
        if parent != __name__:
            return None
        file = str(_HERE / f"{kernel}.py")
        return spec_from_file_location(name, file, loader=SourceFileLoader(name, file))


if os.environ.get("VERICAP_PURE"):
    sys.meta_path.insert(0, _SourceOnly())


def chosen_way(fastest: int) -> int:
    """Return the way that `VERICAP_KERNELS` names, or `fastest`, the last one in `WAYS` that this machine has."""
    name = os.environ.get("VERICAP_KERNELS") or WAYS[fastest]
    if name not in WAYS[: fastest + 1]:
        raise InputError(
            f"VERICAP_KERNELS is {name!r}, which this machine does not run",
            field="VERICAP_KERNELS",
            fix=f"choose one of {', '.join(WAYS[: fastest + 1])}, or leave it unset for the fastest",
        )
    return WAYS.index(name)


def kernel_names() -> list[str]:
    """Return the kernels, by name.

    >>> "edits" in kernel_names()
    True
    """
    return sorted(path.stem for path in _HERE.glob("[!_]*.py"))


def is_compiled(kernel: str) -> bool:
    """Return whether one kernel runs compiled."""
    spec = find_spec(f"{__name__}.{kernel}")
    return spec is not None and isinstance(spec.loader, ExtensionFileLoader)


def compiled() -> bool:
    """Return whether all kernels run compiled."""
    return all(map(is_compiled, kernel_names()))
