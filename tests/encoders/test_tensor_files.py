"""Tensors come out of every kind of file, and nothing else: no code in a file is run."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path

import pytest
import torch

from tests.encoders.clip.tiny import archive
from vericap.encoders.tensor_files import archive_root, read_tensors
from vericap.errors import InputError

pytestmark = pytest.mark.torch

TENSORS = {"a.weight": torch.arange(6.0).reshape(2, 3), "b": torch.tensor([1.5, -2.0], dtype=torch.float16)}


class Trap:
    """Makes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> object:
        return Path.touch, (self.path,)


def same(found: dict[str, torch.Tensor]) -> bool:
    return found.keys() == TENSORS.keys() and all(torch.equal(found[name], TENSORS[name]) for name in TENSORS)


def test_state_dicts_alone_and_inside_a_training_program(tmp_path: Path) -> None:
    torch.save(TENSORS, tmp_path / "a.pt")
    torch.save({"epoch": 1, "state_dict": TENSORS, "optimizer": {"lr": 0.1}}, tmp_path / "b.pth")
    assert same(read_tensors(tmp_path / "a.pt")) and same(read_tensors(tmp_path / "b.pth"))


def test_safetensors(tmp_path: Path) -> None:
    from safetensors.torch import save_file

    save_file(TENSORS, tmp_path / "a.safetensors")
    assert same(read_tensors(tmp_path / "a.safetensors"))


def test_an_archive_of_torchscript(tmp_path: Path) -> None:
    archive(tmp_path / "a.pt", TENSORS)
    assert archive_root(tmp_path / "a.pt") and same(read_tensors(tmp_path / "a.pt"))


def test_a_state_dict_that_would_run_code_is_refused(tmp_path: Path) -> None:
    torch.save({"a": TENSORS["b"], "trap": Trap(tmp_path / "sprung")}, tmp_path / "a.pt")
    with pytest.raises(InputError, match="holds more than tensors"):
        read_tensors(tmp_path / "a.pt")
    assert not (tmp_path / "sprung").exists()


def test_an_archive_that_would_run_code_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.pt"
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("m/constants.pkl", pickle.dumps(()))
        packed.writestr("m/data.pkl", pickle.dumps(Trap(tmp_path / "sprung")))
    with pytest.raises(InputError, match="holds more than tensors"):
        read_tensors(path)
    assert not (tmp_path / "sprung").exists()


def test_an_archive_whose_tensor_reaches_beyond_its_block(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.pt", tmp_path / "cut.pt"
    archive(whole, TENSORS)
    with zipfile.ZipFile(whole) as packed, zipfile.ZipFile(cut, "w") as output:
        for name in packed.namelist():
            content = packed.read(name)
            output.writestr(name, content[:4] if "/data/" in name else content)
    with pytest.raises(InputError, match="cannot be read"):
        read_tensors(cut)


@pytest.mark.parametrize("content", [b"", b"nonsense", b"PK\x03\x04", b"\x80\x02}q\x00."])
@pytest.mark.parametrize("ending", [".pt", ".safetensors"])
def test_other_files_are_named(tmp_path: Path, content: bytes, ending: str) -> None:
    path = tmp_path / f"a{ending}"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"a{ending}"):
        read_tensors(path)
