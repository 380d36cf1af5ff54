"""What a user imports: every name is there, and no heavy package comes with the first line of a script."""

from __future__ import annotations

import re
import subprocess
import sys
from types import ModuleType

import pytest

import vericap

HEAVY = "torch transformers matplotlib scipy pandas pyarrow rich typer datasets ray cv2 onnxruntime PIL starlette numpy"


def imported_by(code: str) -> set[str]:
    """The packages that a new process has imported after some code."""
    report = "import sys; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_import_alone_brings_nothing_heavy() -> None:
    assert not imported_by("import vericap") & set(HEAVY.split())


def test_scoring_words_brings_no_network_no_table_and_no_figure() -> None:
    code = "import vericap; vericap.evaluate(['a dog', 'cats'], [['dogs'], ['a cat']], metrics='bleu,cider-d')"
    assert not imported_by(code) & {"torch", "transformers", "matplotlib", "pandas", "ray", "typer"}


@pytest.mark.parametrize("name", vericap.__all__)
def test_every_name_is_what_it_says(name: str) -> None:
    found = getattr(vericap, name)
    if isinstance(found, type):
        assert found.__name__ == name
    elif isinstance(found, ModuleType):  # judge is one too, once somebody has imported a part of it, and is callable
        assert found.__name__ == f"vericap.{name}" and (callable(found) or name != "judge")
    elif callable(found):
        assert found.__name__ == name and found.__module__.startswith("vericap")
    else:
        assert name == "__version__" and re.fullmatch(r"\d+\.\d+\.\d+(\.dev\d+)?", found)
    assert name in dir(vericap)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'vericap' has no attribute 'evalute'"):
        vericap.evalute  # type: ignore[attr-defined]  # noqa: B018


def test_names_of_one_thing_are_one_thing() -> None:
    from vericap.corpus import Corpus
    from vericap.metrics.base import Metric

    assert vericap.Corpus is Corpus and vericap.Metric is Metric is vericap.metrics.Metric
