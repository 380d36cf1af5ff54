"""Processor seconds that WMD takes once words are read, and the same words and vectors as files for gensim.

Usage: wmd_alone.py ROWS FOLDER; rows of PASCAL-50S with five references each.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.speed.wmd import PASCAL, REFERENCES
from vericap.corpus import Corpus
from vericap.lexicon.stop_words import ENGLISH
from vericap.lexicon.vectors import shipped
from vericap.metrics import parse
from vericap.views import Views

rows, folder = int(sys.argv[1]), Path(sys.argv[2])
pairs = json.loads((PASCAL / "pascal50s_pairs_joined.json").read_text("utf-8"))[:rows]
given = json.loads((PASCAL / "pascal50s_refs_by_image.json").read_text("utf-8"))
candidates, references = [each["a"] for each in pairs], [given[each["image"]][:REFERENCES] for each in pairs]
corpus = Corpus.from_lists(candidates, references)
tokens = Views(corpus).words

vocabulary = [word for word in tokens.words if word not in ENGLISH]
table, known = shipped().of(vocabulary)
words = [[word for word in tokens.spell(row) if word not in ENGLISH] for row in tokens.references]
(folder / "words.json").write_text(
    json.dumps(
        {
            "vocabulary": [word for word, is_known in zip(vocabulary, known, strict=True) if is_known],
            "candidates": [[w for w in tokens.spell(row) if w not in ENGLISH] for row in tokens.candidates],
            "references": [words[REFERENCES * i : REFERENCES * (i + 1)] for i in range(len(pairs))],
        }
    ),
    "utf-8",
)
np.save(folder / "vectors.npy", table[known])
results = [{"image_id": number, "caption": caption} for number, caption in enumerate(candidates)]
(folder / "results.json").write_text(json.dumps(results), "utf-8")
(folder / "references.json").write_text(json.dumps(dict(enumerate(references))), "utf-8")

# What is loaded once is not counted.
parse("wmd").statistics(Views(Corpus.from_lists(candidates[:5], references[:5])))
found = {}
for name, key in (("every", "wmd(reduce=mean)"), ("nearest", "wmd")):
    fresh = Views(corpus)
    _ = fresh.words
    start = time.process_time()
    distances = parse(key).statistics(fresh)[:, 0]
    found[name] = time.process_time() - start
found["distances"] = [float(each) if np.isfinite(each) else None for each in distances]
(folder / "vericap.json").write_text(json.dumps(found), "utf-8")
