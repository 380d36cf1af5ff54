"""What the metrics of CLIP share: where the model comes from, and what is said where something is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.encoders.clip.tiny import models, picture_files
from tests.metrics.clip.corpora import CAPTIONS, REFERENCES, SIZES
from vericap import evaluate
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.options.inputs import Inputs
from vericap.readers.storage.registered import register
from vericap.run.prepare import prepare
from vericap.run.selection import select

NAMES = ["clipscore", "refclipscore", "pacscore", "refpacscore", "mid"]


@pytest.fixture(autouse=True)
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERICAP_RESOURCES", str(tmp_path / "resources.json"))


@pytest.mark.parametrize("name", NAMES)
def test_without_pictures_one_line_says_what_to_do(name: str) -> None:
    with pytest.raises(InputError, match=rf"{name} looks at the picture itself, and none were given; add --images DIR"):
        evaluate(CAPTIONS, REFERENCES, metrics=name)


@pytest.mark.torch
@pytest.mark.parametrize("name", NAMES)
def test_without_weights_one_line_says_what_to_do(name: str, tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES)
    with pytest.raises(InputError, match=rf"{name} needs the weights of a model, which do not ship; add model=FOLDER"):
        evaluate(CAPTIONS, REFERENCES, images=tmp_path, metrics=name)


@pytest.mark.torch
def test_a_registered_model_is_found(tmp_path: Path) -> None:
    picture_files(tmp_path / "pictures", SIZES)
    register("clip", models().paths["openai-archive"])
    found = evaluate(CAPTIONS, REFERENCES, images=tmp_path / "pictures", metrics="clipscore,refclipscore,mid(eps=0.1)")
    assert list(found) == ["clipscore", "refclipscore", "mid(eps=0.1)"]


def test_all_leaves_them_out_with_a_note() -> None:
    chosen = select("all", prepare(Inputs(CAPTIONS, REFERENCES)))
    assert not set(NAMES) & {metric.name for metric in chosen.metrics}
    assert any("no images were given" in note and "clipscore" in note for note in chosen.notes)


def test_keys_parse_back() -> None:
    key = 'clipscore(model="a, b.pt",prompt="",long=chunks,activation=gelu,device=cpu,precision=float32,w=1)'
    assert str(parse(str(parse(key)))) == str(parse(key)) and parse(key).parameters()["model"] == "a, b.pt"
    with pytest.raises(InputError, match="is not one of truncate, error, chunks"):
        parse("clipscore(long=cut)")


@pytest.mark.torch
def test_another_language_is_noted(tmp_path: Path) -> None:
    picture_files(tmp_path / "pictures", SIZES)
    register("clip", models().paths["hugging-face"])
    found = evaluate(CAPTIONS, images=tmp_path / "pictures", metrics="clipscore", language="de")
    assert any("CLIP knows English, and --language is 'de'" in note for note in found.notes)


def test_no_other_metric_imports_torch() -> None:
    code = (
        "import sys, vericap; vericap.evaluate(['a dog', 'a cat'], [['a dog'], ['cats']], metrics='cider-d');"
        "from vericap.metrics import parse; [parse(name) for name in sys.argv[1:]];"
        "print([name for name in ('torch', 'transformers', 'PIL', 'ftfy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code, *NAMES], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
