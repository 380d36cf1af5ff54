"""Polaris (Wada et al. 2024): machine captions rated by people, in the format of Nebula."""

from __future__ import annotations

from dataclasses import replace

from vericap.judging.benchmarks import nebula

BENCHMARK = replace(
    nebula.BENCHMARK,
    name="polaris",
    citation="Wada, Kaneda, Saito, Sugiura. Polos: multimodal metric learning from human feedback for image "
    "captioning. CVPR 2024.",
    folders=("polaris",),
)
