"""Verity: a reference-based metric that is learned without human judgements, and explains each word."""

from vericap.metrics.verity.metric import Verity, VerityAdequacy, VerityFidelity

__all__ = ["Verity", "VerityAdequacy", "VerityFidelity"]
