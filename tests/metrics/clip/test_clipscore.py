"""CLIPScore and RefCLIPScore are what their authors' code computes, from every layout of the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from tests.encoders.clip.tiny import features, models, picture_files
from tests.metrics.clip.corpora import CAPTIONS, REFERENCES, SIZES, originals, transformers_pixels, transformers_tokens
from vericap import evaluate, explain
from vericap.errors import InputError
from vericap.metrics.clip import ClipScore, RefClipScore
from vericap.options.keys import quote

pytestmark = pytest.mark.torch

LAYOUTS = ["hugging-face", "openai-archive", "openai-state", "open-clip", "open-clip-training", "safetensors"]


def scored(folder: Path, metric: str, layout: str = "hugging-face", **options: Any):
    name, _, more = metric.partition("(")
    key = f"{name}(model={quote(models().paths[layout])}{',' + more if more else ')'}"
    found = evaluate(CAPTIONS, REFERENCES, images=folder, metrics=key, **options)
    return found[next(iter(found))], found


@pytest.mark.parametrize("layout", LAYOUTS)
def test_clipscore_is_2_5_times_the_cosine(layout: str, tmp_path: Path) -> None:
    given = originals(tmp_path)
    cosines = (given.captions * given.pictures).sum(1)
    result, _ = scored(tmp_path, "clipscore", layout)
    np.testing.assert_allclose(result.captions, 2.5 * np.clip(cosines, 0, None), atol=1e-5)
    assert result.score == pytest.approx(np.mean(2.5 * np.clip(cosines, 0, None)), abs=1e-5)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_refclipscore_is_the_harmonic_mean_with_w_inside(layout: str, tmp_path: Path) -> None:
    given = originals(tmp_path)
    per_image = 2.5 * np.clip((given.captions * given.pictures).sum(1), 0, None)
    pairs = zip(given.captions, given.references, strict=True)
    per_text = np.array([(references @ caption).max() for caption, references in pairs])
    assert per_text.min() > 0, "where it is negative, the authors' code and their paper differ"
    wanted = 2 * per_image * per_text / (per_image + per_text)
    result, _ = scored(tmp_path, "refclipscore", layout)
    np.testing.assert_allclose(result.captions, wanted, atol=1e-5)
    assert result.score == pytest.approx(wanted.mean(), abs=1e-5)


def test_what_is_negative_counts_0() -> None:
    assert ClipScore().score(np.array([[-0.2], [0.2]])).tolist() == [0.0, 0.5]
    # The authors' code divides 0 by 0 in the first case and gives a negative score in the last.
    both = RefClipScore().score(np.array([[-0.2, -0.1], [0.4, 0.0], [0.4, 1.0], [0.4, -0.1]]))
    assert both.tolist() == [0.0, 0.0, 1.0, 0.0]


class OfTransformers:
    """transformers' model and preprocessing as torchmetrics calls them."""

    def __init__(self, folder: Path) -> None:
        self.model, self.config = models().model, models().model.config
        self.folder = folder

    def to(self, device: Any) -> OfTransformers:
        return self

    def eval(self) -> OfTransformers:
        return self

    def get_image_features(self, pixels: Any) -> Any:
        return torch.from_numpy(features(self.model.get_image_features(pixel_values=pixels)))

    def get_text_features(self, tokens: Any, mask: Any) -> Any:
        return torch.from_numpy(features(self.model.get_text_features(input_ids=tokens, attention_mask=mask)))

    def __call__(self, text: Any = None, images: Any = None, **options: Any) -> Any:
        if images is not None:
            files = [self.folder / f"given-{number}.png" for number in range(len(images))]
            for file, image in zip(files, images, strict=True):
                Image.fromarray(image.permute(1, 2, 0).numpy()).save(file)
            return {"pixel_values": torch.from_numpy(transformers_pixels(files))}
        rows = transformers_tokens(text)
        longest = max(map(len, rows))
        end = rows[0][-1]
        return {
            "input_ids": torch.tensor([row + [end] * (longest - len(row)) for row in rows]),
            "attention_mask": torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows]),
        }


@pytest.mark.filterwarnings("ignore")  # torchmetrics' own
def test_torchmetrics_is_the_same_cosine_times_100_without_a_prompt(tmp_path: Path) -> None:
    from torchmetrics.multimodal import CLIPScore

    files = picture_files(tmp_path / "pictures", SIZES)
    both = OfTransformers(tmp_path)
    pictures = [torch.from_numpy(np.asarray(Image.open(file)).transpose(2, 0, 1).copy()) for file in files]
    with torch.no_grad():
        each = [
            float(CLIPScore(model_name_or_path=lambda: (both, both))(picture, caption))
            for picture, caption in zip(pictures, CAPTIONS.values(), strict=True)
        ]
        corpus = CLIPScore(model_name_or_path=lambda: (both, both))
        corpus.update(pictures, list(CAPTIONS.values()))
    result, _ = scored(tmp_path / "pictures", 'clipscore(prompt="",w=100)')
    np.testing.assert_allclose(result.captions, each, atol=1e-3)  # 1e-5 of a cosine
    cosines = result.statistics[:, 0]
    # Of the corpus, torchmetrics takes the mean first and leaves out the negative after it.
    assert float(corpus.compute()) == pytest.approx(max(100 * cosines.mean(), 0), abs=1e-3)


def test_scale_prompt_and_weights_are_in_the_signature(tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES)
    result, _ = scored(tmp_path, "refclipscore(w=2)", "openai-archive")
    for part in ("|w:2", "|prompt:A photo depicts|", "|activation:quick_gelu|", "|pixels:32-32-bicubic-clip|"):
        assert part in result.signature
    import hashlib

    digest = hashlib.sha256(Path(models().paths["openai-archive"]).read_bytes()).hexdigest()
    assert f"|weights:{digest[:12]}|" in result.signature
    assert result.range == (0.0, pytest.approx(4 / 3))


def test_the_prompt_matters(tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES)
    with_prompt, _ = scored(tmp_path, "clipscore")
    spelled, _ = scored(tmp_path, 'clipscore(prompt="A photo depicts ")')
    without, _ = scored(tmp_path, 'clipscore(prompt="")')
    assert (with_prompt.captions == spelled.captions).all() and (with_prompt.captions != without.captions).any()


def test_the_size_of_batches_changes_no_number(tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES)
    one, whole = scored(tmp_path, "refclipscore(batch=1)")[0], scored(tmp_path, "refclipscore")[0]
    np.testing.assert_allclose(one.captions, whole.captions, atol=1e-6)
    assert "batch" not in one.signature.partition("|")[2]


def test_a_caption_that_is_its_reference_has_the_best_text_side(tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES)
    key = f"refclipscore(model={quote(models().paths['hugging-face'])})"
    own = evaluate(CAPTIONS, {i: [text] for i, text in CAPTIONS.items()}, images=tmp_path, metrics=key)
    np.testing.assert_allclose(own[key].statistics[:, 1], 1)


def test_long_captions_are_never_cut_silently(tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES[:2])
    folder = models().paths["hugging-face"]
    captions = {1: "snow " * 90, 2: "a dog"}
    scores = {}
    for long in ("truncate", "chunks"):
        found = evaluate(captions, images=tmp_path, metrics=f"clipscore(model={quote(folder)},long={long})")
        assert any("1 of 2 distinct candidates has more than 75 tokens" in note for note in found.notes)
        scores[long] = next(iter(found.values())).captions
    assert scores["truncate"][0] != scores["chunks"][0] and scores["truncate"][1] == pytest.approx(scores["chunks"][1])
    with pytest.raises(InputError, match=r'field "long": a caption has \d+ tokens with the prompt'):
        evaluate(captions, images=tmp_path, metrics=f"clipscore(model={quote(folder)},long=error)")


def test_an_explanation_gives_the_cosine_of_each_part(tmp_path: Path) -> None:
    picture_files(tmp_path, SIZES)
    key = f"refclipscore(model={quote(models().paths['hugging-face'])})"
    [why] = explain(CAPTIONS, REFERENCES, images=tmp_path, image_id=3, metrics=key)
    whole = evaluate(CAPTIONS, REFERENCES, images=tmp_path, metrics=key)[key]
    assert why.score == pytest.approx(whole.captions[2], abs=1e-6)
    assert why.values["cosine with the picture"] == pytest.approx(whole.statistics[2, 0], abs=1e-6)
    assert [part.text for part in why.sections["references"]] == REFERENCES[3]
    assert max(part.values["cosine"] for part in why.sections["references"]) == pytest.approx(whole.statistics[2, 1])
    words = {part.text: part.values for part in why.sections["words"]}
    assert list(words) == CAPTIONS[3].split()
    shorter = {**CAPTIONS, 3: "a man's bicycle, 2019"}
    without = evaluate(shorter, REFERENCES, images=tmp_path, metrics=key)[key].statistics[2, 0]
    assert words["red"]["cosine without it"] == pytest.approx(without, abs=1e-6)
    assert words["red"]["adds"] == pytest.approx(whole.statistics[2, 0] - without, abs=1e-6)
