"""A matrix of an explanation as text: columns in blocks that fit the screen, the largest of each column marked."""

from __future__ import annotations

from vericap.results.explanation import Matrix

_WIDTH = 100


def matrix_lines(matrix: Matrix, width: int = _WIDTH) -> list[str]:
    """Lines for a fixed-width screen; `*` marks the largest number of a column.

    >>> import numpy as np
    >>> print("\\n".join(matrix_lines(Matrix(["dog", "sofa"], ["a", "puppy"], np.array([[0.5, 3.25], [0.75, -1.0]])))))
             a  puppy
    dog   0.50  *3.25
    sofa *0.75  -1.00
    """
    if not matrix.values.size:
        return ["(none)"]
    largest = matrix.values.argmax(axis=0)
    columns = []
    for column, name in enumerate(matrix.columns):
        cells = [
            ("*" if row == largest[column] else "") + f"{value:.2f}"
            for row, value in enumerate(matrix.values[:, column])
        ]
        size = max(map(len, [name, *cells]))
        columns.append([text.rjust(size) for text in [name, *cells]])
    names = [name.ljust(max(map(len, matrix.rows))) for name in ("", *matrix.rows)]
    lines: list[str] = []
    while columns:
        block = [columns.pop(0)]
        used = len(names[0]) + 1 + len(block[0][0])
        while columns and used + 2 + len(columns[0][0]) <= width:
            used += 2 + len(columns[0][0])
            block.append(columns.pop(0))
        lines += [f"{name} {'  '.join(cells)}" for name, *cells in zip(names, *block, strict=True)]
    return lines
