"""englishPCFG.ser.gz as users have it: read whole, from its jar too, or refused."""

from __future__ import annotations

import gzip
import random
import zipfile
from pathlib import Path

import numpy as np
import pytest

from vericap.errors import InputError
from vericap.scene.stanford import model_file
from vericap.scene.stanford.grammar import Grammar
from vericap.scene.stanford.model_file import closed_unaries, read_model, tables_of


@pytest.fixture(scope="module")
def model(data: Path) -> Path:
    return data / "stanford" / "englishPCFG.ser.gz"


def test_the_file_gives_the_tables_of_the_package(model: Path, grammar: Grammar) -> None:
    tables = read_model(model)
    assert list(tables) == list(grammar.tables)
    assert all(np.array_equal(tables[name], table) for name, table in grammar.tables.items())


def test_any_damage_is_an_error_or_the_same_grammar(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_file, "tables_of", lambda content, source: {"same": np.zeros(0)})
    content, chance = model.read_bytes(), random.Random(28)
    refused = 0
    for number in range(200):
        damaged = bytearray(content)
        if number % 4 == 0:
            del damaged[chance.randrange(len(damaged)) :]
        else:
            for _ in range(number % 4):
                damaged[chance.randrange(12 if number % 8 == 1 else len(damaged))] = chance.randrange(256)
        (tmp_path / "damaged").write_bytes(damaged)
        try:
            assert list(read_model(tmp_path / "damaged")) == ["same"]  # bytes of the header that mean nothing
        except InputError as error:
            assert str(tmp_path / "damaged") in str(error) and "CoreNLP 3.6.0" in str(error)
            refused += 1
    assert refused > 180


def test_a_damaged_stream_is_an_error_even_if_its_hash_were_right(model: Path) -> None:
    content, chance = gzip.decompress(model.read_bytes()), random.Random(28)
    for _ in range(8):
        # The first part has most of the classes; what comes later is mostly numbers.
        damaged = bytearray(content[: chance.randrange(200_000, 400_000)])
        damaged[chance.randrange(3000)] ^= 1 << chance.randrange(8)
        with pytest.raises(InputError, match="the grammar cannot be read"):
            tables_of(bytes(damaged), "damaged")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not a jar", gzip.compress(b"another grammar"), b"captions\n"])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(InputError, match=r"other: .*give englishPCFG.ser.gz of CoreNLP 3.6.0"):
        read_model(tmp_path / "other")


def test_another_jar_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.jar", "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "")
    with pytest.raises(InputError, match="the jar does not have edu/stanford/nlp/models/lexparser/englishPCFG"):
        read_model(tmp_path / "other.jar")


def test_a_file_that_unpacks_to_gigabytes_is_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "bomb").write_bytes(gzip.compress(bytes(64 << 20)))
    with pytest.raises(InputError, match="another grammar"):
        read_model(tmp_path / "bomb")


def test_chains_of_unary_rules_keep_the_best_in_floats() -> None:
    third = float(np.float32(1 / 3))
    chains = {
        (a, b): score for a, b, score in closed_unaries([(1, 2, third), (2, 3, third), (3, 4, third), (1, 4, -9.0)])
    }
    assert chains[1, 4] == np.float32(third) + np.float32(third) + np.float32(third)
    assert set(chains) == {(1, 2), (2, 3), (3, 4), (1, 3), (2, 4), (1, 4)}
