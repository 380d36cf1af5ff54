"""The triplet loss (section 3.4): a candidate scores higher with its own image than with others, and the image's own
candidate higher than others'."""

from __future__ import annotations

import torch
from torch import Tensor


def triplet_loss(scores: Tensor, margin: float = 0.2, hardest: bool = True) -> Tensor:
    """Equation 5, or equation 4 with `hardest` off, of scores S [candidates k, images l] whose diagonal matches.

    L = Σ_k Σ_{l≠k} max(0, m − S_kk + S_kl) + max(0, m − S_kk + S_lk); L_+ keeps the hardest l of each sum.

    >>> round(triplet_loss(torch.tensor([[1.0, 0.9], [0.0, 1.0]])).item(), 6)
    0.2
    """
    own = scores.diagonal()
    itself = torch.eye(len(scores), dtype=torch.bool, device=scores.device)
    by_image = (margin - own.unsqueeze(1) + scores).clamp(min=0).masked_fill(itself, 0)
    by_candidate = (margin - own.unsqueeze(0) + scores).clamp(min=0).masked_fill(itself, 0)
    if hardest:
        return by_image.amax(dim=1).sum() + by_candidate.amax(dim=0).sum()
    return by_image.sum() + by_candidate.sum()
