"""Runs a program in which `import pycocoevalcap` finds Vericap's modules, without a change to its files.

python -m vericap.compat.pycocoevalcap evaluate.py ARGUMENTS
python -m vericap.compat.pycocoevalcap -m lmms_eval ARGUMENTS
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from vericap.compat.redirect import install


def main(arguments: list[str]) -> int:
    match arguments:
        case ["-m", module, *others]:
            install(pycocotools=True)
            sys.argv = [module, *others]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case [script, *_] if not script.startswith("-"):
            install(pycocotools=True)
            sys.argv = arguments
            sys.path[0] = str(Path(script).resolve().parent)
            runpy.run_path(script, run_name="__main__")
        case _:
            sys.stderr.write(__doc__ or "")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
