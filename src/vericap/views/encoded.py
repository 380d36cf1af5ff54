"""Captions as vectors of a sentence encoder: which encoder a name means, and the vectors of candidates and references,
computed once for all metrics."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from vericap.arrays import Booleans
from vericap.encoders.config import is_plain_bert
from vericap.encoders.encoder import Encoder, TextEncoder
from vericap.encoders.folders import refuse_code
from vericap.encoders.installed import MODEL, find_minilm
from vericap.encoders.weights import Array
from vericap.errors import InputError
from vericap.views.facts import Facts
from vericap.views.view import View
from vericap.views.views import Views

Long: TypeAlias = Literal["truncate", "error"]
MINILM, MINILM_INT8 = "minilm", "minilm-int8"


def find_encoder(model: str, who: str) -> TextEncoder:
    """Return the encoder of a name: `minilm`, `minilm-int8`, a folder of transformers or sentence-transformers, or a
    file of `vericap.encoders.weights.write`."""
    if model in (MINILM, MINILM_INT8):
        return Encoder.load(find_minilm(who), rounded=model == MINILM_INT8)
    if Path(model).is_dir():
        refuse_code(Path(model))
        if not is_plain_bert(Path(model)):
            from vericap.encoders.transformers_encoder import load

            return load(model)
    return Encoder.load(model)


def check_encoder(views: Facts, model: str, who: str) -> None:
    """Raise an error if weights are missing, or if MiniLM is asked about another language than English."""
    if model in (MINILM, MINILM_INT8):
        find_minilm(who)
    elif not model or not Path(model).exists():
        fix = f"use {MINILM}, {MINILM_INT8}, or the folder of a model"
        raise InputError(f"{who}: there is no file or folder {model!r}", field="model", fix=fix)
    if model in (MINILM, MINILM_INT8) and views.language != "en":
        fix = "give model=FOLDER of a model for that language, or leave the metric out"
        raise InputError(
            f"{who}: {MODEL} reads English, and --language is {views.language!r}", field="language", fix=fix
        )


def spelled_encoder(model: str, who: str) -> str:
    """Return a name and a hash of the weights for a signature; of a folder the name alone, not where it is."""
    encoder = find_encoder(model, who)
    return f"{MODEL if model == MINILM else encoder.name} {encoder.digest}"


def treat_long(views: Views, cut: Booleans, most: int, who: str, long: Long) -> None:
    """Note how many captions are longer than the encoder takes, or refuse them."""
    many = int(cut.sum())
    if not many:
        return
    texts = [*views.corpus.candidates, *views.corpus.references]
    if long == "error":
        first = int(cut.argmax())
        shown = texts[first] if len(texts[first]) < 60 else f"{texts[first][:57]}..."
        raise InputError(
            f"{who}: {many:,} captions have more than {most} word pieces, the first is {shown!r}",
            field="long",
            fix="long=truncate leaves out what is beyond",
        )
    captions = "caption has" if many == 1 else "captions have"
    views.note(f"{who}: {many:,} {captions} more than {most} word pieces; what is beyond was left out")


@dataclass(frozen=True)
class SentenceVectors(View[tuple[Array, Array]]):
    """Vectors of the candidates and of the references, arrays [captions, size] in float32, of unit length where the
    model says so."""

    model: str
    long: Long
    who: str

    def compute(self, views: Views) -> tuple[Array, Array]:
        encoder = find_encoder(self.model, self.who)
        texts = [*views.corpus.candidates, *views.corpus.references]
        pieces = encoder.tokens(texts)
        treat_long(views, pieces.cut, int(pieces.ids.lengths.max(initial=0)), self.who, self.long)
        vectors = encoder.sentences(texts, workers=views.workers)
        return vectors[: len(views.corpus)], vectors[len(views.corpus) :]
