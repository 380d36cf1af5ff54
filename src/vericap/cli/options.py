"""Options that several verbs share."""

from __future__ import annotations

from typing import Annotated

import typer

Candidates = Annotated[str, typer.Argument(help="Captions to score: COCO results, JSON Lines, CSV, Parquet, text; - is stdin.")]
References = Annotated[
    list[str] | None,
    typer.Option("--references", "-r", help="Reference captions; give it several times for one text file a reference."),
]
Metrics = Annotated[
    str, typer.Option("--metrics", "-m", help="Keys such as bleu-4,cider-r(k_r=0.5), or default, or all.")
]
Tokenizer = Annotated[str, typer.Option(help="ptb (COCO's), unicode (any language), whitespace, none.")]
Language = Annotated[str, typer.Option(help="Language of the captions.")]
DocumentFrequency = Annotated[
    str, typer.Option("--df", help="CIDEr's document frequencies: corpus, coco, or a file.")
]
Repeated = Annotated[str, typer.Option(help="Several candidates for one image: error or keep.")]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]


def reference_files(references: list[str] | None) -> str | list[str] | None:
    """One file as it is, several as a list, none as None."""
    if not references:
        return None
    return references[0] if len(references) == 1 else references
