"""Folders of models that a user names, opened in one way: nothing is fetched, no code of the folder is run, and
transformers reads weights from safetensors alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from vericap.encoders.config import read_json
from vericap.errors import InputError

_CODE = ("auto_map", "custom_pipelines")  # fields in which transformers looks for Python files to run
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle")


def load_pretrained(kind: str, folder: str | Path) -> Any:
    """Return what transformers' class `kind`, such as AutoModel or AutoTokenizer, loads from a folder."""
    path = Path(folder)
    read_json(path / "config.json")  # what is not a folder is a name to transformers, or a file to unpickle
    refuse_code(path)
    _refuse_pickles(path)
    import transformers

    options = {"use_safetensors": True} if kind.startswith("AutoModel") else {}
    loader = getattr(transformers, kind)
    try:
        with _quiet(transformers.utils.logging):
            return loader.from_pretrained(path, local_files_only=True, trust_remote_code=False, **options)
    except Exception as error:  # what is wrong with a folder shows at many places
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise InputError(
            f"transformers cannot load this model with {kind} ({said[0]})",
            source=str(folder),
            fix="save the model, and its tokenizer or processor, with save_pretrained",
        ) from None


def refuse_code(folder: Path) -> None:
    """Raise an error for a folder with code of its own: without it, the model would be another one."""
    for file in sorted(folder.rglob("*config*.json")):
        content = json.dumps(read_json(file))  # quotes inside texts are escaped, so what is found is a field
        for field in _CODE:
            if f'"{field}": ' in content:
                raise InputError(
                    "the file asks to run Python code, and code in a model's folder is never run",
                    source=str(file),
                    field=field,
                    fix="give a model that needs no code of its own, or remove the field if this one does not need it",
                )
    for file in folder.glob("custom_generate/*.py"):  # some releases of transformers run it without being asked to
        fix = "delete the file, or give a model without it"
        raise InputError("code in a model's folder is never run", source=str(file), fix=fix)


def _refuse_pickles(folder: Path) -> None:
    pickles = sorted(file for file in folder.iterdir() if file.suffix in _PICKLES)
    if pickles and not any(folder.glob("*.safetensors")):
        raise InputError(
            "the weights are a pickle, which could run code, and are not opened",
            source=str(pickles[0]),
            fix="save them as model.safetensors, with save_pretrained of a recent transformers",
        )


def checkpoint_hash(folder: str | Path) -> str:
    """Return twelve digits of a hash of the folder's weights and configuration."""
    digest = hashlib.sha256()
    for file in sorted([*Path(folder).glob("*.safetensors"), *Path(folder).glob("*.json")]):
        digest.update(file.name.encode())
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()[:12]


@contextmanager
def _quiet(logging: Any) -> Iterator[None]:
    """Without progress bars and remarks, such as those on weights that an encoder does not need."""
    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
