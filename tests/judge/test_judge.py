"""`vericap.judge` is the function, however and whenever the package of that name was imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

import vericap
import vericap.judge.protocols
from tests.judge import benchmark_folders as folders
from vericap.judge import judge


def test_the_package_is_called_like_the_function(tmp_path):
    folder = folders.nebula(tmp_path / "nebula")
    for call in (vericap.judge, vericap.judge, judge):
        assert call("nebula", folder, metrics="bleu-1", bootstrap=0).n == 3


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'jugde'"):
        vericap.judge.jugde  # noqa: B018


def test_the_options_of_the_command_line_need_no_numpy():
    code = "import sys; import vericap.judge.tests, vericap.judge.protocol_choice; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
