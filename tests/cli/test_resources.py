"""`vericap resources`: what ships, and tables of one's own."""

from __future__ import annotations

import pytest

from tests.cli.program import REFERENCES, STRONG, vericap
from tests.scene.stanford.conftest import PACKAGE
from vericap.scene.stanford.grammar import FILE


def test_resources_lists_what_ships():
    done = vericap("resources")
    assert "demo/strong.json" in done.stdout and "CC0-1.0" in done.stdout


def test_a_table_of_document_frequencies_of_ones_own(tmp_path):
    table = tmp_path / "mine.df"
    assert vericap("resources", "df", REFERENCES, "-o", table).returncode == 0
    own = vericap("score", STRONG, "-r", REFERENCES, "-m", "cider-d", "--df", table)
    corpus = vericap("score", STRONG, "-r", REFERENCES, "-m", "cider-d")
    assert own.stdout == corpus.stdout
    assert own.stderr != corpus.stderr  # the signature says where the frequencies come from


@pytest.mark.torch
def test_a_model_is_registered_listed_used_and_removed(tmp_path, monkeypatch):
    from tests.encoders.clip.tiny import models, picture_files

    monkeypatch.setenv("VERICAP_RESOURCES", str(tmp_path / "resources.json"))
    picture_files(tmp_path / "pictures", [(32, 32), (50, 40)])
    (tmp_path / "captions.json").write_text('{"1": "a dog", "2": "a cat"}')
    score = ("score", tmp_path / "captions.json", "--images", tmp_path / "pictures", "-m", "clipscore")
    before = vericap(*score)
    assert before.returncode == 2 and "vericap resources add clip FOLDER" in before.stderr
    folder = models().paths["hugging-face"]
    added = vericap("resources", "add", "clip", folder)
    assert added.returncode == 0 and "Hugging Face ViT-128/8, 24 dimensions, quick_gelu" in added.stdout
    assert f"clip: {folder}" in vericap("resources").stdout
    assert vericap(*score).returncode == 0
    assert vericap("resources", "remove", "clip").returncode == 0
    assert f"clip: {folder}" not in vericap("resources").stdout
    assert vericap("resources", "remove", "clip").returncode == 2


@pytest.mark.torch
def test_what_is_not_a_clip_is_not_registered(tmp_path, monkeypatch):
    monkeypatch.setenv("VERICAP_RESOURCES", str(tmp_path / "resources.json"))
    done = vericap("resources", "add", "clip", tmp_path)
    assert done.returncode == 2 and "there are no weights in this folder" in done.stderr
    assert not (tmp_path / "resources.json").exists()


def test_a_grammar_is_copied_listed_and_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("VERICAP_RESOURCES", str(tmp_path / "resources.json"))
    added = vericap("resources", "add", PACKAGE / FILE)
    assert added.returncode == 0 and "englishPCFG of CoreNLP 3.6.0, sha256 68477720df60" in added.stdout
    assert f"stanford: {tmp_path}" in vericap("resources").stdout
    assert vericap("resources", "remove", "stanford").returncode == 0
    assert "stanford:" not in vericap("resources").stdout
    alone = vericap("resources", "add", "clip")
    assert alone.returncode == 2 and "clip needs a file" in alone.stderr
    other = vericap("resources", "add", REFERENCES)
    assert other.returncode == 2 and "give englishPCFG.ser.gz of CoreNLP 3.6.0" in other.stderr


def test_a_model_of_another_kind_is_not_registered(tmp_path, monkeypatch):
    monkeypatch.setenv("VERICAP_RESOURCES", str(tmp_path / "resources.json"))
    unknown = vericap("resources", "add", "clap", tmp_path)
    assert unknown.returncode == 2 and "`clap` is not a kind of model" in unknown.stderr
    assert not (tmp_path / "resources.json").exists()
