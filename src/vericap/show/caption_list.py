"""The worst or the best captions of a result, each with its references and scores."""

from __future__ import annotations

from collections.abc import Sequence

from vericap.results.scores import Result
from vericap.show.numbers import spell
from vericap.show.visible import visible


def caption_list(result: Result, rows: Sequence[int], title: str, scale: float = 1.0) -> str:
    """A title, and a paragraph for each row.

    >>> import vericap
    >>> found = vericap.evaluate({7: "a dog"}, {7: ["a dog runs"]}, metrics="bleu-1,rouge-l")
    >>> print(caption_list(found, [0], "Worst by rouge-l", 100))
    Worst by rouge-l
    <BLANKLINE>
    image 7: bleu-1 60.7, rouge-l 77.2
      caption: a dog
      reference: a dog runs
    """
    return "\n\n".join([visible(title), *(_paragraph(result, row, scale) for row in rows)])


def _paragraph(result: Result, row: int, scale: float) -> str:
    corpus = result.corpus
    scores = ", ".join(f"{key} {spell(float(each.captions[row]), scale)}" for key, each in result.items())
    lines = [f"image {corpus.image_ids[row]}: {scores}", f"  caption: {corpus.candidates[row]}"]
    lines += [f"  reference: {text}" for text in corpus.references_of(row)]
    objects = corpus.objects_of(row)
    return "\n".join(map(visible, [*lines, *([f"  objects: {', '.join(objects)}"] if objects else [])]))
