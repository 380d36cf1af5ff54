"""PAC-S and RefPAC-S (Sarto et al. 2023): CLIPScore by a CLIP whose projections were fine-tuned on generated captions
and pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from vericap.metrics.clip.clipscore import ClipScore, RefClipScore
from vericap.options.declared import Between, option
from vericap.views.clip import ClipModel


@dataclass(frozen=True)
class PacScore(ClipScore):
    r"""CLIPScore with `w` = 2 by the fine-tuned CLIP of its authors:

    $$ \mathrm{PAC\text{-}S}(c, v) = 2 \cdot \max(\cos(E_T(\text{“A photo depicts ”} + c), E_I(v)), 0) $$

    `model` is its state dict, as published (clip_ViT-B-32.pth, openClip_ViT-L-14.pth); where it holds only the tensors
    that were fine-tuned, `base` is the CLIP that it started from. Which activation the network has, the state dicts do
    not say: with patches of 32 pixels it is OpenAI's (quick_gelu), with 14 OpenCLIP's (gelu).

    Statistics [captions, 1]: the cosine. The corpus score is the mean of the captions' scores.
    """

    w: Annotated[float, Between(0, 1000)] = option(2.0, "Factor of the cosine.")
    base: str = option("", "CLIP that the weights were fine-tuned from, if they are only a part of it.")

    name: ClassVar[str] = "pacscore"
    paper_name: ClassVar[str] = "PAC-S"
    summary: ClassVar[str] = "CLIPScore by a CLIP that was trained further on generated captions"
    kind: ClassVar[str] = "pac"
    citation: ClassVar[str] = (
        "Sarto, Barraco, Cornia, Baraldi, Cucchiara. Positive-augmented contrastive learning for image and video "
        "captioning evaluation. CVPR 2023."
    )

    def clip(self) -> ClipModel:
        """Return the model over its base, with the activation of PAC-S's own where nothing else is asked for."""
        model = super().clip()
        return replace(model, activation="pac" if model.activation == "auto" else model.activation, base=self.base)


@dataclass(frozen=True)
class RefPacScore(PacScore, RefClipScore):
    r"""The harmonic mean of PAC-S, `w` included, and of the cosine with the nearest reference:

    $$ \mathrm{RefPAC\text{-}S}(c, R, v) = \frac{2 a b}{a + b}, \quad a = \mathrm{PAC\text{-}S}(c, v), \quad
       b = \max(\max_{r \in R} \cos(E_T(c), E_T(r)), 0) $$

    Statistics [captions, 2]: the cosine with the picture, and that with the nearest reference.
    """

    name: ClassVar[str] = "refpacscore"
    paper_name: ClassVar[str] = "RefPAC-S"
    summary: ClassVar[str] = "PAC-S, joined with the nearest reference"
