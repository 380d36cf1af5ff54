"""Whether kernels run compiled is told honestly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import vericap.kernels
from vericap.errors import InputError
from vericap.kernels import WAYS, chosen_way, compiled, is_compiled, kernel_names


def test_every_file_is_a_kernel() -> None:
    files = Path(vericap.kernels.__file__).parent.glob("*.py")
    assert set(kernel_names()) == {file.stem for file in files} - {"__init__"}


@pytest.mark.parametrize("kernel", kernel_names())
def test_a_kernel_is_loaded_from_where_it_is_said_to_be(kernel: str) -> None:
    module = __import__(f"vericap.kernels.{kernel}", fromlist=[kernel])
    assert is_compiled(kernel) == (not module.__file__.endswith(".py"))


def test_one_kernel_that_is_not_compiled_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vericap.kernels, "is_compiled", lambda kernel: True)
    assert compiled()
    monkeypatch.setattr(vericap.kernels, "is_compiled", lambda kernel: kernel != "edits")
    assert not compiled()


def test_python_files_run_on_request() -> None:
    code = "from vericap.kernels import compiled, edits; print(compiled(), edits.__file__)"
    environment = {**os.environ, "VERICAP_PURE": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    answer, file = done.stdout.split()
    assert answer == "False"
    assert file.endswith("edits.py")


@pytest.mark.parametrize("name", ["sse", "AVX2", "vnni512"])
def test_a_way_that_the_machine_does_not_have_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("VERICAP_KERNELS", name)
    with pytest.raises(InputError, match=f"is '{name}'.*choose one of plain, {WAYS[1]}, or leave it unset"):
        chosen_way(1)


def test_a_way_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in WAYS:
        monkeypatch.setenv("VERICAP_KERNELS", name)
        assert WAYS[chosen_way(2)] == name
    monkeypatch.setenv("VERICAP_KERNELS", "")
    assert chosen_way(1) == 1
