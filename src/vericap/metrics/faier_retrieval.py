"""The former place of `vericap.metrics.faier.retrieve`, kept because it was documented."""

from vericap.metrics.faier import retrieve

__all__ = ["retrieve"]
