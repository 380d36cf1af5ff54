"""No file or folder that a user names can run code, whichever option names it, even where standard input says yes.

Each attack makes a folder when it succeeds, and the first test shows that it succeeds where nothing is guarded.
"""

from __future__ import annotations

import ast
import io
import json
import os
import pickle
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

import vericap
from tests.encoders.clip.tiny import models
from tests.encoders.models import write_bert
from vericap.data import FOLDER as SHIPPED
from vericap.errors import InputError
from vericap.metrics import BUILT_IN as METRICS
from vericap.options.declared import field_types
from vericap.vision.detectors import BUILT_IN as DETECTORS
from vericap.vision.detectors import find_detector

pytestmark = pytest.mark.torch

SOURCE = Path(vericap.__file__).parent
CAPTIONS, REFERENCES, OBJECTS = {1: "a dog runs"}, {1: ["the dog runs"]}, {1: ["dog"]}
CLASSES = ("AutoConfig", "AutoModel", "AutoModelForObjectDetection", "AutoModelForSeq2SeqLM", "AutoImageProcessor")


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.mark),)


def folder_of_code(path: Path, mark: Path) -> None:
    path.mkdir()
    (path / "own.py").write_text(f"import os\nos.mkdir({str(mark)!r})\n")
    asked = {"auto_map": {**dict.fromkeys(CLASSES, "own.Own"), "AutoTokenizer": ["own.Own", "own.Own"]}}
    for name in ("config.json", "tokenizer_config.json", "preprocessor_config.json"):
        (path / name).write_text(json.dumps({"model_type": "own", **asked}))


def folder_of_pickles(path: Path, mark: Path) -> None:
    path.mkdir()
    (path / "config.json").write_text('{"model_type": "bert"}')
    saved_by_torch(path / "pytorch_model.bin", mark)


def pickle_called_safetensors(path: Path, mark: Path) -> None:
    """In the folder of a BERT, and of FAIEr."""
    shutil.copytree(SHIPPED / "faier" / "fier", path)
    write_bert(path)
    saved_by_torch(path / "model.safetensors", mark)


def pickled_file(path: Path, mark: Path) -> None:
    path.write_bytes(pickle.dumps({"document_frequency": Trap(mark), "ref_len": 2}, protocol=2))


def saved_by_torch(path: Path, mark: Path) -> None:
    torch.save({"weight": torch.zeros(1), "trap": Trap(mark)}, path)


def array_of_objects(path: Path, mark: Path) -> None:
    path.with_suffix(".vocab").write_text("dog\n")
    with path.open("wb") as file:
        np.save(file, np.array([[Trap(mark)]], object), allow_pickle=True)


def arrays_of_objects(path: Path, mark: Path) -> None:
    with path.open("wb") as file:
        np.savez_compressed(file, **{name: np.array([Trap(mark)], object) for name in ("ids", "features", "x")})


def run_code(path: Path) -> object:
    from transformers import AutoConfig

    return AutoConfig.from_pretrained(path, trust_remote_code=True)


def unpickle(path: Path) -> object:
    return torch.load(io.BytesIO(path.read_bytes()), weights_only=False)


# How a file or folder is written, the end of its name, and what opens it without a guard.
ATTACKS: dict[str, tuple[Callable[[Path, Path], None], str, Callable[[Path], object]]] = {
    "folder of code": (folder_of_code, "", run_code),
    "folder of pickles": (folder_of_pickles, "", lambda path: unpickle(path / "pytorch_model.bin")),
    "pickle called safetensors": (pickle_called_safetensors, "", lambda path: unpickle(path / "model.safetensors")),
    "pickle": (pickled_file, ".p", lambda path: pickle.loads(path.read_bytes())),
    "torch": (saved_by_torch, ".pt", unpickle),
    "npy": (array_of_objects, ".npy", lambda path: np.load(path, allow_pickle=True)),
    "npz": (arrays_of_objects, ".npz", lambda path: np.load(path, allow_pickle=True)["x"]),
}


def score(metrics: str = "bleu-1", **options: Any) -> object:
    """Scores one caption with everything that a metric may need."""
    given = {"candidates": CAPTIONS, "references": REFERENCES, "objects": OBJECTS, **options}
    return vericap.evaluate(**given, metrics=metrics)


def by_parameter(name: str, parameter: str, more: str = "") -> Callable[[str, str], object]:
    return lambda path, pictures: score(f'{name}({parameter}="{path}"{more})', images=pictures)


# Parameters of metrics that name a file or folder; `test_all_loaders_are_walked_over` says if one is missing.
BY_PARAMETER = {
    ("sbert", "model"): "",
    ("bertscore", "model"): "",
    ("bertscore", "baseline"): "",
    ("soft-spice", "model"): "",
    ("soft-spice", "source"): ",parser=factual",
    ("spice", "source"): ",parser=factual",
    ("spice-exact", "source"): ",parser=graphs",
    ("fluency", "model"): "",
    ("faier", "checkpoint"): "",
    ("verity", "model"): "",
    ("meteor", "paraphrases"): "",
    ("wmd", "vectors"): "",
    ("wmd", "stop_words"): "",
    ("vifidel", "vectors"): "",
    ("vifidel", "stop_words"): "",
    ("clipscore", "model"): "",
    ("pacscore", "model"): "",
    ("mid", "model"): "",
}
# Parameters of metrics that are texts and name no file.
TEXTS = {"prompt", "device", "parser", "language", "modules", "functions", "tuned"}

LOADERS: dict[str, Callable[[str, str], object]] = {
    **{f"{name}({one}=)": by_parameter(name, one, more) for (name, one), more in BY_PARAMETER.items()},
    "pacscore(base=)": lambda path, pictures: score(f'pacscore(model="{models().pac}",base="{path}")', images=pictures),
    "candidates": lambda path, _: score(candidates=path),
    "references": lambda path, _: score(references=path),
    "objects": lambda path, _: score("chair-i", objects=path),
    "regions": lambda path, _: score("fier", objects=None, regions=path),
    "df": lambda path, _: score("cider-d", df=path),
    "reward": lambda path, _: vericap.Reward("cider-d", REFERENCES, df=path),
    "saved reward": lambda path, _: vericap.Reward.load(path),
    "judge": lambda path, _: vericap.judge("flickr8k-expert", path, metrics="bleu-1"),
    "detector ultralytics": lambda path, _: find_detector(f'ultralytics(model="{path}")').load(1),
    "detector onnx": lambda path, _: find_detector(f'onnx(model="{path}",classes="{path}")').load(1),
    "detector transformers": lambda path, _: find_detector(f'transformers(model="{path}")').load(1),
    # Not `load`, which needs torchvision.
    "detector torchvision": lambda path, _: find_detector(f'torchvision(model="{path}")')._state(),
}


@pytest.fixture
def yes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every question is answered by yes; code that transformers copies goes to a folder of the test."""
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))


@pytest.fixture
def pictures(tmp_path: Path) -> str:
    (tmp_path / "pictures").mkdir()
    Image.new("RGB", (32, 32)).save(tmp_path / "pictures" / "1.png")
    return str(tmp_path / "pictures")


@pytest.mark.usefixtures("yes")
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_succeeds_where_nothing_guards_against_it(tmp_path: Path, attack: str) -> None:
    write, ending, unguarded = ATTACKS[attack]
    path, mark = tmp_path / f"evil{ending}", tmp_path / "mark"
    write(path, mark)
    assert not mark.exists()
    try:
        unguarded(path)
    except Exception as error:  # code that runs need not give a model
        assert mark.exists(), error
    assert mark.exists()


@pytest.mark.usefixtures("yes")
@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("loader", LOADERS)
def test_nothing_runs(tmp_path: Path, pictures: str, loader: str, attack: str) -> None:
    write, ending, _ = ATTACKS[attack]
    path, mark = tmp_path / f"evil{ending}", tmp_path / "mark"
    write(path, mark)
    with pytest.raises(InputError, match="evil"):
        LOADERS[loader](str(path), pictures)
    assert not mark.exists()


def test_all_loaders_are_walked_over() -> None:
    types = {key: field_types(entry.load()) for key, entry in METRICS.items()}
    texts = {(key, name) for key, each in types.items() for name, kind in each.items() if kind is str}
    assert {name for _, name in texts} - TEXTS == {"base", *(name for _, name in BY_PARAMETER)}
    assert texts >= set(BY_PARAMETER)
    detectors = {name.removeprefix("detector ") for name in LOADERS if name.startswith("detector ")}
    assert detectors == DETECTORS.keys() - {"ssd"}  # which has no file


# What opens a file in a way that can run code, and where it may be called.
OPENERS = re.compile(
    r"\.from_pretrained\b|\btorch\.(?:jit\.|hub\.)?load\w*|\bpickle\.(?:loads?|Unpickler)\b|\bInferenceSession\b"
    r"|\b(?:joblib|dill|cloudpickle|shelve|marshal|runpy)\b|\b(?:np|numpy)\.load\b|(?<![.\w])(?:eval|exec)\("
    r"|from (?:torch|pickle|numpy)[.\w]* import .*\b(?:load|loads|Unpickler)\b"
)
ALLOWED = {
    "encoders/folders.py": {".from_pretrained"},
    "encoders/tensor_files.py": {"torch.load", "pickle.Unpickler"},
    "engine/local.py": {"pickle.loads"},  # what a process of ours sends
    "vision/adapters/onnx_files.py": {"InferenceSession"},
    "compat/pycocoevalcap/__main__.py": {"runpy"},  # the script that a user asks to run
    "scene/parser.py": {"np.load"},
    "readers/storage/vector_files.py": {"np.load"},
}


def code_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def test_files_are_opened_at_known_places_only() -> None:
    """A new loader of folders calls `load_pretrained`, one of tensors `read_tensors`."""
    found = {path: set(OPENERS.findall(ast.unparse(code_of(path)))) for path in SOURCE.rglob("*.py")}
    assert {path.relative_to(SOURCE).as_posix(): names for path, names in found.items() if names} == ALLOWED


def test_no_call_asks_for_code() -> None:
    guards = {"torch.load": "weights_only", "np.load": "allow_pickle", "npy.read_array": "allow_pickle"}
    guards["loader.from_pretrained"] = "trust_remote_code"
    calls = [node for path in SOURCE.rglob("*.py") for node in ast.walk(code_of(path)) if isinstance(node, ast.Call)]
    said = {(ast.unparse(each.func), word.arg, ast.unparse(word.value)) for each in calls for word in each.keywords}
    asked = {(name, word, value) for name, word, value in said if word in guards.values()}
    assert asked == {(name, word, str(word == "weights_only")) for name, word in guards.items()}
    guarded = [each for each in calls if ast.unparse(each.func) in guards]
    assert all(guards[ast.unparse(each.func)] in [word.arg for word in each.keywords] for each in guarded)
