"""Williams' test of two correlations that share a column: do two metrics differ in how they agree with people?"""

from __future__ import annotations

import math

from scipy.special import stdtr


def williams(r_first: float, r_second: float, r_between: float, n: int) -> tuple[float, float]:
    r"""t and two-sided p of the difference between r_first and r_second, both Pearson's with the human scores.

    $$ t_{n-3} = \frac{(r_{12} - r_{13}) \sqrt{(n - 1)(1 + r_{23})}}
                      {\sqrt{2 K \frac{n - 1}{n - 3} + \frac{(r_{12} + r_{13})^2}{4} (1 - r_{23})^3}} $$

    with K = 1 - r₁₂² - r₁₃² - r₂₃² + 2 r₁₂ r₁₃ r₂₃; `r_between` is the two metrics' correlation with each other. Rows
    are taken as independent and normal: where they share images or judges, p is too small; prefer the paired tests.

    Williams. Regression analysis. Wiley 1959. Graham and Baldwin. Testing for significance of increased correlation
    with human judgment. EMNLP 2014.

    >>> t, p = williams(0.6, 0.5, 0.8, 100)
    >>> round(t, 4), round(p, 4)
    (1.9432, 0.0549)
    """
    if n < 4 or any(math.isnan(r) for r in (r_first, r_second, r_between)):
        return float("nan"), float("nan")
    if r_first == r_second:
        return 0.0, 1.0
    determinant = 1 - r_first**2 - r_second**2 - r_between**2 + 2 * r_first * r_second * r_between  # K
    mean_square = ((r_first + r_second) / 2) ** 2
    below = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean_square * (1 - r_between) ** 3
    above = (r_first - r_second) * math.sqrt((n - 1) * (1 + r_between))
    t = above / math.sqrt(below) if below > 0 else math.copysign(math.inf, above)
    return t, float(2 * stdtr(n - 3, -abs(t)))
