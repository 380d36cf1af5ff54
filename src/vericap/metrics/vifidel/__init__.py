"""VIFIDEL (Madhyastha, Wang and Specia 2019): the paper's formula, and what the authors' code computes."""

from vericap.metrics.vifidel.paper import Vifidel
from vericap.metrics.vifidel.released import ReleasedVifidel

__all__ = ["ReleasedVifidel", "Vifidel"]
