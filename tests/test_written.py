"""Files are written whole or not at all."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.readers.storage import array_file
from vericap.written import check_writable, whole_file, whole_path


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError), whole_file(path) as file:
        file.write(b"new")
        raise RuntimeError("stopped")
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["scores.csv"]  # noqa: PTH208


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(b"old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        too_large = pytest.raises(InputError, match=r"scores.csv: the file cannot be written \(File too large\)")
        with too_large, whole_file(path) as file:
            file.write(bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == b"old" and os.listdir(tmp_path) == ["scores.csv"]  # noqa: PTH208


def test_a_device_is_written_to_and_not_replaced() -> None:
    full = pytest.raises(InputError, match=r"/dev/full: the file cannot be written \(No space left on device\)")
    with full, whole_file("/dev/full") as file:
        file.write(b"scores")
    with whole_file(os.devnull) as file:
        file.write(b"scores")
    assert not Path(os.devnull).is_file()


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_bytes(b"old")
    (tmp_path / "real.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to("real.csv")
    with whole_path(tmp_path / "link.csv") as partial:
        partial.write_bytes(b"new")
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "real.csv").read_bytes() == b"new"
    assert (tmp_path / "real.csv").stat().st_mode & 0o777 == 0o640


def test_places_that_cannot_be_written_are_known_before(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'field "json": there is no folder .*; make it'):
        check_writable(tmp_path / "no" / "scores.json", "json")
    with pytest.raises(InputError, match="this is a folder; name a file in it"):
        check_writable(tmp_path)
    for fine in ("-", tmp_path / "scores.json", os.devnull):
        check_writable(fine)


def test_two_processes_that_write_one_table_leave_one_of_the_two(tmp_path: Path) -> None:
    path = tmp_path / "table.df"
    script = (
        "import sys, numpy as np\n"
        "from vericap.readers.storage import array_file\n"
        "table = {'a': np.full(50_000, int(sys.argv[2]), '<u4')}\n"
        "for _ in range(30): array_file.write(sys.argv[1], 'table', {}, table)\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(path), str(k)]) for k in (1, 2)]
    assert [writer.wait() for writer in writers] == [0, 0]
    _, _, arrays, _ = array_file.read(path)  # which compares the hash of its content
    assert len(np.unique(arrays["a"])) == 1 and os.listdir(tmp_path) == ["table.df"]  # noqa: PTH208
