"""`install` makes the imports of scripts find Vericap's modules, and `uninstall` undoes it."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vericap.compat import redirect
from vericap.compat.pycocoevalcap import install, uninstall

NAMES = ("pycocoevalcap", "pyciderevalcap", "pycocotools")

# The imports of pycocoevalcap 1.2's own scripts, of lmms-eval, VLMEvalKit and self-critical.pytorch.
IMPORTS = """
from pycocoevalcap.eval import COCOEvalCap, Bleu, Meteor, Rouge, Cider, Spice, PTBTokenizer
from pycocoevalcap.bleu.bleu import Bleu, BleuScorer
from pycocoevalcap.bleu.bleu_scorer import BleuScorer
from pycocoevalcap.cider.cider import Cider
from pycocoevalcap.cider.cider_scorer import CiderScorer
from pycocoevalcap.ciderD.ciderD import CiderD
from pycocoevalcap.meteor.meteor import Meteor
from pycocoevalcap.rouge.rouge import Rouge
from pycocoevalcap.spice.spice import Spice
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from pyciderevalcap.ciderD.ciderD import CiderD
from pyciderevalcap.ciderD.ciderD_scorer import CiderScorer
from pyciderevalcap.cider.cider import Cider
from pyciderevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from pyciderevalcap.eval import CIDErEvalCap
import pycocoevalcap.bleu.bleu
"""


def imported(package: str) -> dict[str, object]:
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == package}


@pytest.fixture(autouse=True)
def as_in_a_new_process() -> Iterator[None]:
    """Nothing is imported under these names, during the test alone."""
    before = {name: module for package in NAMES for name, module in imported(package).items()}
    for name in before:
        del sys.modules[name]
    yield
    for name in [name for package in NAMES for name in imported(package)]:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def original(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pycocoevalcap and a pycocotools of somebody else's, installed."""
    for package in NAMES:
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text("original = True\n")
        (tmp_path / package / "coco.py").write_text("original = True\n")
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def without_pycocotools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redirect, "find_spec", lambda name: None)


@pytest.mark.usefixtures("original")
def test_all_imports_find_ours_though_the_original_is_installed() -> None:
    install()
    script: dict[str, type] = {}
    exec(IMPORTS, script)
    classes = [value for value in script.values() if isinstance(value, type)]
    assert len(classes) == 11
    assert all(each.__module__.startswith("vericap.compat.") for each in classes)


def test_all_imports_find_ours_where_nothing_is_installed() -> None:
    install()
    exec(IMPORTS, {})
    from pycocoevalcap.cider.cider import Cider  # type: ignore[import-not-found,unused-ignore]

    from vericap.compat.pycocoevalcap.cider.cider import Cider as Ours

    assert Cider is Ours  # one class under both names, so that isinstance and pickles work
    with pytest.raises(ModuleNotFoundError, match=r"pycocoevalcap\.wmd"):
        importlib.import_module("pycocoevalcap.wmd")


@pytest.mark.usefixtures("original")
def test_the_two_ciders_of_the_training_code_bases_stay_apart() -> None:
    install()
    clipped = importlib.import_module("pycocoevalcap.cider.cider").Cider()
    plain = importlib.import_module("pyciderevalcap.cider.cider").Cider()
    gts, res = {1: ["a dog runs"], 2: ["a red cat"]}, {1: ["a dog runs"], 2: ["a cat"]}
    assert clipped.compute_score(gts, res)[0] < plain.compute_score(gts, res)[0]


def test_uninstall_finds_what_is_installed_again(original: Path) -> None:
    install(pycocotools=True)
    install()  # twice does no harm
    uninstall()
    importlib.invalidate_caches()
    assert importlib.import_module("pycocoevalcap").original
    uninstall()  # the original stays
    assert "pycocoevalcap" in sys.modules


@pytest.mark.usefixtures("without_pycocotools")
def test_uninstall_leaves_no_name_behind() -> None:
    install(pycocotools=True)
    assert all(imported(package) for package in NAMES)
    uninstall()
    assert not any(imported(package) for package in NAMES)


def test_an_original_that_was_imported_before_is_an_error_that_says_what_to_do(original: Path) -> None:
    importlib.import_module("pycocoevalcap.coco")
    with pytest.raises(ImportError, match=r"pycocoevalcap was already imported from .*; call .*install\(\) before"):
        install()
    assert importlib.import_module("pycocoevalcap.coco").original
    assert not imported("pyciderevalcap")  # all or nothing


@pytest.mark.usefixtures("original")
def test_an_installed_pycocotools_stays() -> None:
    install(pycocotools=True)
    assert importlib.import_module("pycocotools").original


@pytest.mark.usefixtures("without_pycocotools")
def test_our_coco_stands_in_for_a_missing_pycocotools_when_asked() -> None:
    install()
    assert not imported("pycocotools")
    install(pycocotools=True)
    from vericap.compat.pycocoevalcap.coco import COCO

    assert importlib.import_module("pycocotools.coco").COCO is COCO


# What lmms-eval does with a caption task, in few lines.
TASK = """
import sys
from pycocoevalcap.eval import Bleu, Cider, COCOEvalCap
from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer
from pycocotools.coco import COCO

coco = COCO()
coco.dataset = {
    "annotations": [{"image_id": 1, "caption": "A dog runs.", "id": 0},
                    {"image_id": 2, "caption": "A red cat.", "id": 1}],
    "images": [{"id": 1}, {"id": 2}],
}
coco.createIndex()
results = coco.loadRes([{"image_id": 1, "caption": "a dog runs"}, {"image_id": 2, "caption": "A cat."}])
evaluation = COCOEvalCap(coco, results)
images = evaluation.params["image_id"]
gts = PTBTokenizer().tokenize({image: evaluation.coco.imgToAnns[image] for image in images})
res = PTBTokenizer().tokenize({image: evaluation.cocoRes.imgToAnns[image] for image in images})
score, scores = Cider().compute_score(gts, res)
print(__name__, sys.argv[1:], f"{score:.4f}", Cider.__module__)
"""


@pytest.mark.parametrize("how", [["task.py"], ["-m", "task"]])
def test_a_program_runs_unchanged(tmp_path: Path, how: list[str]) -> None:
    (tmp_path / "task.py").write_text(TASK)
    command = [sys.executable, "-m", "vericap.compat.pycocoevalcap", *how, "--limit", "8"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    line = done.stdout.splitlines()[-1]  # an installed pycocotools prints lines of its own
    assert line == "__main__ ['--limit', '8'] 4.6217 vericap.compat.pycocoevalcap.cider.cider"


def test_without_a_program_it_says_how_to_call_it() -> None:
    done = subprocess.run([sys.executable, "-m", "vericap.compat.pycocoevalcap"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "python -m vericap.compat.pycocoevalcap -m lmms_eval" in done.stderr
