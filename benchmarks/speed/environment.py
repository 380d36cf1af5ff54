"""The machine, and the peers in a venv of their own."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import venv
from functools import cache
from pathlib import Path

from benchmarks.places import PEERS, ROOT

PEER_PACKAGES = ("pycocoevalcap==1.2", "sacrebleu==2.6.0")

SCRIPTS = Path(__file__).parent.joinpath("peers").relative_to(ROOT)
PYTHON = Path(sys.executable)
VERICAP = PYTHON.parent / "vericap"


@cache
def peer_python() -> Path:
    """The Python of the peers' venv, which is made when first asked for."""
    python = PEERS / "bin" / "python"
    installed = PEERS / "installed.txt"
    wanted = "\n".join(PEER_PACKAGES)
    if not installed.exists() or installed.read_text() != wanted:
        venv.create(PEERS, with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PEER_PACKAGES], check=True
        )
        installed.write_text(wanted)
    return python


def peer_file(name: str) -> Path:
    """A file of a peer's package, by its path below site-packages."""
    return next((peer_python().parent.parent / "lib").glob(f"python*/site-packages/{name}"))


def machine() -> dict[str, str]:
    """What the numbers were measured on."""
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


def versions() -> dict[str, str]:
    """What was compared."""
    ours = _first_line([str(VERICAP), "--version"]).removeprefix("vericap ")
    return {"vericap": ours, **dict(package.split("==") for package in PEER_PACKAGES)}


def _first_line(command: list[str]) -> str:
    try:
        said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "not installed"
    return said.stdout.partition("\n")[0]
