"""Shared code of the metrics of CLIP's vectors: the model and how it is run, its checks and its part of the
signature."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal

from vericap.arrays import Floats
from vericap.encoders.installed import require
from vericap.metrics.base import Metric, Parameter
from vericap.options.declared import Between, option
from vericap.readers.storage.registered import resolve
from vericap.views import Facts, Views
from vericap.views.clip import ClipModel, PictureVectors, TextVectors, check_pictures

# What changes how fast a number comes, or is said in the signature in another way.
_UNSIGNED = ("model", "base", "device", "precision", "activation", "batch")


@dataclass(frozen=True)
class ClipFamily(Metric):
    """`model` is a folder or file with the weights of a CLIP; without it, the one that was registered. `long` says what
    becomes of captions with more tokens than the network reads (75 with the prompt). `batch` is the number of pictures
    that the network sees at once; the numbers do not depend on it."""

    model: str = option("", "Folder or file of a CLIP; default: the registered one.")
    prompt: str = option("A photo depicts", "Words before each caption.")
    long: Literal["truncate", "error", "chunks"] = option("truncate", "What happens to captions that are too long.")
    activation: Literal["auto", "gelu", "quick_gelu"] = option("auto", "Activation, if the files do not say it.")
    device: str = option("auto", "Device of torch: auto, cpu, cuda or cuda:1.")
    precision: Literal["auto", "float32", "float16"] = option("auto", "auto: 16 bits on a graphics card, else 32.")
    batch: Annotated[int, Between(1, 100_000)] = option(32, "Number of pictures that the network sees at once.")

    kind: ClassVar[str] = "clip"  # of the model that is registered
    needs: ClassVar[tuple[str, ...]] = ("images",)
    languages: ClassVar[tuple[str, ...]] = ("en",)

    def clip(self) -> ClipModel:
        """Return the model, given or registered."""
        path = resolve(self.kind, self.model, self.name)
        return ClipModel(path, self.activation, "", self.device, self.precision, self.batch)

    def check(self, views: Facts) -> None:
        super().check(views)
        require(self.key, "torch", "safetensors", "ftfy", "PIL")
        self.clip().encoder()  # errors name what of its files is wrong
        pictures = views.corpus.pictures
        if pictures is not None:
            check_pictures(pictures, views.corpus.image_ids)
        if views.language != "en":
            views.note(f"{self.key}: CLIP knows English, and --language is {views.language!r}")

    def candidates(self, views: Views) -> Floats:
        """Return unit vectors of the candidates [captions, d]."""
        return views.get(TextVectors(self.clip(), self.prompt, self.long, "candidates"))

    def references(self, views: Views) -> Floats:
        """Return unit vectors of the references [references, d]."""
        return views.get(TextVectors(self.clip(), self.prompt, self.long, "references"))

    def pictures(self, views: Views) -> Floats:
        """Return unit vectors of the pictures, one for each caption [captions, d]."""
        vectors: Floats = views.get(PictureVectors(self.clip()))[views.corpus.image]
        return vectors

    def signature_parts(self, views: Facts) -> dict[str, Parameter]:
        encoder = self.clip().encoder()
        about = encoder.checkpoint
        own = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in _UNSIGNED}
        return {
            "tokenizer": f"clip-{about.made.vocabulary}",
            "network": about.made.name,
            "weights": about.sha256[:12],
            "activation": about.made.activation,
            "pixels": str(about.preprocessing),
            "precision": encoder.precision,
            **own,
        }
