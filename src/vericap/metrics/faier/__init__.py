"""FAIEr, FIEr and AIEr (Wang et al. 2021): the metrics, and image-text retrieval by them."""

from vericap.metrics.faier.metric import Aier, Faier, FaierFamily, Fier
from vericap.metrics.faier.retrieval import retrieve

__all__ = ["Aier", "Faier", "FaierFamily", "Fier", "retrieve"]
