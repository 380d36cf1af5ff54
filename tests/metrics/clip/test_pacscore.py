"""PAC-S is CLIPScore with w = 2 by a fine-tuned CLIP; RefPAC-S its harmonic mean with the nearest reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tests.encoders.clip.tiny import models, picture_files, tokenizer_files
from tests.metrics.clip.corpora import CAPTIONS, REFERENCES, SIZES, originals
from vericap import evaluate
from vericap.errors import InputError
from vericap.metrics import parse
from vericap.options.keys import quote

pytestmark = pytest.mark.torch


def test_pac_s_and_refpac_s(tmp_path: Path) -> None:
    given = originals(tmp_path)
    image = 2.0 * np.clip((given.captions * given.pictures).sum(1), 0, None)
    pairs = zip(given.captions, given.references, strict=True)
    text = np.array([(references @ caption).max() for caption, references in pairs])
    keys = [f"{name}(model={quote(models().pac)},activation=quick_gelu)" for name in ("pacscore", "refpacscore")]
    found = evaluate(CAPTIONS, REFERENCES, images=tmp_path, metrics=keys)
    first, second = found.values()
    np.testing.assert_allclose(first.captions, image, atol=1e-5)
    np.testing.assert_allclose(second.captions, 2 * image * text / (image + text), atol=1e-5)
    assert first.score == pytest.approx(image.mean(), abs=1e-5)
    assert first.range == (0.0, 2.0) and second.range == (0.0, pytest.approx(4 / 3))


def test_fine_tuned_projections_over_openais_clip(tmp_path: Path) -> None:
    """The projections of PAC-S alone, over the archive that they were tuned from: as good as the whole state dict."""
    picture_files(tmp_path / "pictures", SIZES)
    tensors = models().tensors
    tuned = {name: 2.0 - tensors[name] for name in ("text_projection", "visual.proj")}
    for name, content in (("part", tuned), ("whole", {**tensors, **tuned})):
        (tmp_path / name).mkdir()
        tokenizer_files(tmp_path / name)
        torch.save({"state_dict": content}, tmp_path / name / "pac.pth")
    part = f"pacscore(model={tmp_path / 'part' / 'pac.pth'},base={models().paths['openai-archive']})"
    whole = f"pacscore(model={tmp_path / 'whole' / 'pac.pth'},activation=quick_gelu)"
    plain = f"pacscore(model={models().paths['openai-archive']})"
    found = evaluate(CAPTIONS, images=tmp_path / "pictures", metrics=[part, whole, plain])
    one, other, untuned = (each.captions for each in found.values())
    np.testing.assert_allclose(one, other, atol=1e-9)
    assert np.abs(one - untuned).max() > 1e-3


def test_its_model_is_not_that_of_clipscore(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERICAP_RESOURCES", str(tmp_path / "none.json"))
    picture_files(tmp_path, SIZES)
    with pytest.raises(InputError, match="vericap resources add pac FOLDER"):
        evaluate(CAPTIONS, images=tmp_path, metrics="pacscore")
    assert str(parse("pacscore(w=2.5)")) == "pacscore(w=2.5)" and str(parse("pacscore(w=2)")) == "pacscore"
