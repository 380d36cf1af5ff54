"""A freed array is no longer part of the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from vericap.engine import freed_memory
from vericap.engine.freed_memory import are_small

# Arrays of 16 MB: after the first is freed, glibc would keep the others in its heap, below one that stays.
SCRIPT = """
import numpy as np
from pathlib import Path
from vericap.engine.freed_memory import return_freed_memory

def resident():
    return next(int(line.split()[1]) for line in Path("/proc/self/status").read_text().splitlines() if "VmRSS" in line)

assert return_freed_memory()
del (first := {"array": np.ones(1 << 21)})["array"]
before = resident()
arrays = [np.ones(1 << 21) for _ in range(8)]
stays = np.ones(1 << 18)
del arrays
print(resident() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="glibc is Linux's")
def test_arrays_that_are_freed_go_back_to_the_system() -> None:
    said = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert int(said.stdout) < 16_000  # of 128,000 kilobytes


def test_files_are_small_together_or_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freed_memory, "SMALL", 10)
    files = [tmp_path / "a", tmp_path / "b"]
    for file in files:
        file.write_bytes(b"12345")
    assert [are_small(files[:1]), are_small(files), are_small([tmp_path]), are_small([])] == [True, False, False, True]
