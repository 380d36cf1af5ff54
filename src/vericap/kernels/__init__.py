"""The inner loops that arrays cannot say: Python files that Cython compiles where it can.

`VERICAP_PURE=1` in the environment runs them as Python although compiled ones are there.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

_HERE = Path(__file__).parent


class _SourceOnly:
    """Finds a kernel's Python file even where a compiled one lies beside it."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        parent, _, kernel = name.rpartition(".")
        if parent != __name__:
            return None
        file = str(_HERE / f"{kernel}.py")
        return spec_from_file_location(name, file, loader=SourceFileLoader(name, file))


if os.environ.get("VERICAP_PURE"):
    sys.meta_path.insert(0, _SourceOnly())


def compiled() -> bool:
    """Whether the kernels that will be used are compiled."""
    return not os.environ.get("VERICAP_PURE") and any(_HERE.glob("*.so")) | any(_HERE.glob("*.pyd"))
