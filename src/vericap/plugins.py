"""Plug-ins of other packages: metrics, readers, tokenizers, benchmarks and detectors, found by entry point.

A package that cannot be imported is one warning, and an error only where something of it is asked for by name.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from vericap.errors import InputError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Kind: TypeAlias = Literal["metrics", "readers", "tokenizers", "benchmarks", "detectors"]


class PluginWarning(UserWarning):
    """Something that an installed package wanted to add is left out; the message names the package."""


@dataclass(frozen=True)
class Plugin:
    """One thing that a package adds, by name. Nothing of it is imported before `load`."""

    kind: Kind
    name: str
    point: EntryPoint

    @property
    def package(self) -> str:
        """The distribution and its version, as signatures and messages write them."""
        return f"{self.point.dist.name} {self.point.dist.version}" if self.point.dist is not None else "unknown package"

    def load(self) -> Any:
        """Return the object that the entry point names; an error names the package if it cannot be imported."""
        try:
            return self.point.load()
        except Exception as error:  # a stranger's import can fail in any way
            raise InputError(
                f"{self.kind[:-1]} {self.name!r} of the package {self.package} cannot be loaded: "
                f"{type(error).__name__}: {error}",
                fix=f"repair or uninstall {self.package.split()[0]}",
            ) from error


def entry_points(group: str) -> Iterable[EntryPoint]:
    """Return the entry points of a group, by `importlib.metadata`: to import it and to parse what all packages say
    takes a tenth of a short run, so it is asked only where the `entry_points.txt` of a package has the group's heading,
    or where packages are found in other ways than in folders of `sys.path`."""
    heading, folders = f"[{group}]".encode(), [Path(folder) for folder in sys.path]
    named = any(hasattr(finder, "find_distributions") for finder in sys.meta_path if finder is not PathFinder)
    named = named or any(folder.is_file() or folder.suffix.lower() == ".egg" for folder in folders)  # packed packages
    for folder in [] if named else folders:
        with suppress(OSError), os.scandir(folder) as entries:
            for each in entries:
                if each.name.lower().endswith((".dist-info", ".egg-info")):
                    with suppress(OSError):  # most packages have no entry points
                        named = named or heading in Path(each.path, "entry_points.txt").read_bytes()
    if not named:
        return []
    import importlib.metadata

    return importlib.metadata.entry_points(group=group)


@cache
def plugins(kind: Kind) -> dict[str, Plugin]:
    """Return the plug-ins of a kind in installed packages, by name; if two have one name, the first by package."""
    found: dict[str, Plugin] = {}
    points = entry_points(group=f"vericap.{kind}")
    for plugin in sorted((Plugin(kind, point.name, point) for point in points), key=lambda each: each.package):
        if plugin.name in found and found[plugin.name].package != plugin.package:
            _warn(plugin, f"{found[plugin.name].package} has one of that name too")
        found.setdefault(plugin.name, plugin)
    return found


def added(kind: Kind, built_in: Iterable[str]) -> dict[str, Plugin]:
    """The plug-ins of a kind, except those with the name of something built in: a warning names them."""
    names = set(built_in)
    found = plugins(kind)
    for name in sorted(names & found.keys()):
        _warn(found[name], "Vericap has one of that name built in")
    return {name: plugin for name, plugin in found.items() if name not in names}


def load_all(kind: Kind, built_in: Iterable[str]) -> dict[str, Any]:
    """Every plug-in of a kind that can be loaded; a warning names each of the others."""
    loaded = {}
    for name, plugin in added(kind, built_in).items():
        try:
            loaded[name] = plugin.load()
        except InputError as error:
            warnings.warn(str(error), PluginWarning, stacklevel=2)
    return loaded


@cache
def _warn(plugin: Plugin, why: str) -> None:
    """Warns once per process, however often the plug-ins are listed."""
    problem = f"{plugin.kind[:-1]} {plugin.name!r} of the package {plugin.package} is ignored: {why}"
    warnings.warn(problem, PluginWarning, stacklevel=3)
