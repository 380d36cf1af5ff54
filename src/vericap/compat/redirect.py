"""`install` makes `import pycocoevalcap` find Vericap's modules in every file of the running program; `uninstall`
undoes it."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from pkgutil import walk_packages

HERE = "vericap.compat"
SCORERS = ("pycocoevalcap", "pyciderevalcap")
ANNOTATIONS = "pycocotools"


def install(*, pycocotools: bool = False) -> None:
    """Let `import pycocoevalcap` and `import pyciderevalcap`, and all imports from them, find Vericap's modules,
    whether or not the packages themselves are installed.

    Call it before anything imports them. With `pycocotools=True`, `pycocotools.coco.COCO` is Vericap's too where
    pycocotools is not installed. Processes that are spawned, not forked, need the call again.

    >>> install()
    >>> from pycocoevalcap.cider.cider import Cider
    >>> Cider.__module__
    'vericap.compat.pycocoevalcap.cider.cider'
    >>> uninstall()
    """
    for package in SCORERS:
        _refuse_the_original(package)
    for package in SCORERS:
        _alias(package)
    if pycocotools and ANNOTATIONS not in sys.modules and find_spec(ANNOTATIONS) is None:
        _alias(ANNOTATIONS)


def uninstall() -> None:
    """Let the same imports find what is installed under these names; what was imported before stays Vericap's."""
    for name in [name for name in sys.modules if _package_of(name) in (*SCORERS, ANNOTATIONS) and _is_ours(name)]:
        del sys.modules[name]


def _alias(package: str) -> None:
    """Enter the modules of our package of this name into `sys.modules` under the original's names."""
    ours = import_module(f"{HERE}.{package}")
    sys.modules[package] = ours
    for module in walk_packages(ours.__path__, f"{package}."):
        if not module.name.endswith("__main__"):
            sys.modules[module.name] = import_module(f"{HERE}.{module.name}")


def _refuse_the_original(package: str) -> None:
    for name in sys.modules:
        if _package_of(name) == package and not _is_ours(name):
            folders = getattr(sys.modules[name], "__path__", ())
            raise ImportError(
                f"{name} was already imported from {', '.join(folders) or 'elsewhere'}; "
                "call vericap.compat.pycocoevalcap.install() before anything imports it",
                name=name,
            )


def _package_of(name: str) -> str:
    return name.partition(".")[0]


def _is_ours(name: str) -> bool:
    return getattr(sys.modules[name], "__name__", "").startswith(f"{HERE}.")
