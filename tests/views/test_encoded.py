"""Which encoder a name means, and what is said of captions that are longer than it takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.encoders.models import add_sentence_modules, write_bert
from vericap.corpus import Corpus
from vericap.encoders import Encoder
from vericap.errors import InputError
from vericap.views import Views
from vericap.views.encoded import SentenceVectors, check_encoder, find_encoder, spelled_encoder


def test_a_name_a_folder_and_a_file(minilm: Path, tmp_path: Path) -> None:
    write_bert(tmp_path)
    assert find_encoder("minilm", "sbert") is Encoder.load(minilm)
    assert isinstance(find_encoder(str(tmp_path), "sbert"), Encoder)
    assert spelled_encoder("minilm", "sbert") == f"all-MiniLM-L6-v2 {Encoder.load(minilm).digest}"


def test_a_bert_with_code_of_its_own_is_not_taken_for_a_plain_one(tmp_path: Path) -> None:
    write_bert(tmp_path, auto_map={"AutoModel": "own.Model"})
    with pytest.raises(InputError, match=r'config\.json, field "auto_map"'):
        find_encoder(str(tmp_path), "sbert")


def test_candidates_and_references(tmp_path: Path) -> None:
    write_bert(tmp_path)
    views = Views(Corpus.from_lists(["a dog", "a cat"], [["the dog", "two dogs"], ["a cat"]]))
    candidates, references = views.get(SentenceVectors(str(tmp_path), "truncate", "sbert"))
    assert (candidates.shape, references.shape) == ((2, 24), (3, 24))
    assert np.array_equal(candidates[1], references[2])
    assert views.notes == ()


def test_long_captions_are_counted_or_refused(tmp_path: Path) -> None:
    write_bert(tmp_path)
    add_sentence_modules(tmp_path, limit=5)
    views = Views(Corpus.from_lists(["a dog runs on a street"], [["a dog runs", "the dog and the man"]]))
    views.get(SentenceVectors(str(tmp_path), "truncate", "sbert"))
    assert views.notes == ("sbert: 2 captions have more than 5 word pieces; what is beyond was left out",)
    with pytest.raises(InputError, match="more than 5 word pieces, the first is 'a dog runs on a street'"):
        views.get(SentenceVectors(str(tmp_path), "error", "sbert"))


def test_what_cannot_be_found_is_said_before_any_work(minilm: Path) -> None:
    corpus = Corpus.from_lists(["un chien"], [["un chien"]])
    with pytest.raises(InputError, match="there is no file or folder 'nowhere'"):
        check_encoder(Views(corpus), "nowhere", "sbert(model=nowhere)")
    with pytest.raises(InputError, match="all-MiniLM-L6-v2 reads English, and --language is 'fr'"):
        check_encoder(Views(corpus, language="fr"), "minilm", "sbert")
