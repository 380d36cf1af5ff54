"""Metrics as rewards of a training loop (Rennie et al. 2017): references indexed once, a batch in a millisecond."""

from vericap.reward.advantages import Advantages
from vericap.reward.reward import Reward
from vericap.reward.samples import Vocabulary

__all__ = ["Advantages", "Reward", "Vocabulary"]
