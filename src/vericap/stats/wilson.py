"""Wilson's score interval of a share (Wilson 1927), which stays inside 0 … 1 and is right for few trials too."""

from __future__ import annotations

import math
from statistics import NormalDist


def wilson(successes: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    r"""Interval of the share p = successes / trials; half a success is a tie's.

    $$ \frac{1}{1 + z^2 / n} \left( p + \frac{z^2}{2n} \pm z \sqrt{\frac{p (1 - p)}{n} + \frac{z^2}{4 n^2}} \right) $$

    It takes the trials as independent: where several share an image, the bootstrap over images is the wider truth.

    Wilson. Probable inference, the law of succession, and statistical inference. JASA 1927.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    if not 0 <= successes <= trials or trials <= 0:
        return float("nan"), float("nan")
    z = NormalDist().inv_cdf((1 + level) / 2)
    share, weight = successes / trials, z * z / trials
    middle = share + weight / 2
    spread = math.sqrt(share * (1 - share) * weight + weight * weight / 4)
    # All or nothing reaches the end of the scale exactly; rounding would miss it by a hair.
    low = 0.0 if successes == 0 else (middle - spread) / (1 + weight)
    high = 1.0 if successes == trials else (middle + spread) / (1 + weight)
    return low, high
