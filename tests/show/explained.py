"""An explanation with everything that one can hold, for the tests of each medium."""

import numpy as np

from vericap.results.explanation import Explanation, Matrix, Part

MATRIX = Matrix(["dog", "<sofa>"], ["a", "puppy", "$5"], np.array([[0.5, 3.25, -1.0], [0.75, 1.0, 2.0]]), "red")
EXPLANATION = Explanation(
    "faier", 1.5, "a puppy $5", ["a <b>dog</b>"], {"S": 1.5}, {"words": [Part("puppy", {"matched": "dog"})]},
    matrices={"before fusion": MATRIX, "relations": Matrix(["dog"], [], np.zeros((1, 0)))},
)  # fmt: skip
