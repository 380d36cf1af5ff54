"""The network that is trained: what `vericap.scene.network` runs in whole numbers, in torch, and how words, tags and
relations become numbers for it."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from tools.parser.silver import LONGEST, Silver
from vericap.scene.network import affixes, shape
from vericap.scene.prepositions import OBJECT, raise_prepositions

SIZE, HIDDEN, LAYERS, ARC, LABEL = 192, 176, 3, 128, 192


class Vocabulary:
    """Words seen twice or more, affixes seen four times or more, tags and relations, most frequent first. Cut captions
    repeat what others say, and are not counted."""

    def __init__(self, sentences: Iterable[Silver]) -> None:
        words, parts, tags, relations = (collections.Counter[str]() for _ in range(4))
        for sentence in sentences:
            if sentence.get("cut"):
                continue
            for word in sentence["words"]:
                words[word.lower()] += 1
                parts.update(affixes(word.lower()))
            tags.update(sentence["tags"])
            relations.update(sentence["relations"])

        def frequent(counts: collections.Counter[str], least: int) -> list[str]:
            return [w for w, c in sorted(counts.items(), key=lambda item: (-item[1], item[0])) if c >= least]

        self.words = ["<unknown>", "<root>", *frequent(words, 2)]
        self.affixes = ["<unknown>", "<root>", *frequent(parts, 4)]
        self.tags = [tag for tag, _ in tags.most_common()]
        self.relations = [*(relation for relation, _ in relations.most_common()), OBJECT]
        self.counts = np.array([0, 10**9, *(words[w] for w in self.words[2:])], np.float32)

    def encode(self, sentences: Iterable[Silver]) -> dict[int, dict[str, torch.Tensor]]:
        """Tensors by length: features x, heads h, tags t, relations r."""
        word, affix = ({w: i for i, w in enumerate(names)} for names in (self.words, self.affixes))
        tag, relation = ({w: i for i, w in enumerate(names)} for names in (self.tags, self.relations))
        rows: dict[int, dict[str, list[Any]]] = collections.defaultdict(lambda: collections.defaultdict(list))
        for sentence in sentences:
            length = len(sentence["words"])
            if length > LONGEST:
                continue
            bucket = rows[length]
            bucket["x"].append(
                [
                    (word.get(w.lower(), 0), *(affix.get(a, 0) for a in affixes(w.lower())), shape(w))
                    for w in sentence["words"]
                ]
            )
            heads, relations = raise_prepositions(sentence["heads"], sentence["relations"])
            bucket["h"].append(heads)
            bucket["t"].append([tag.get(t, 0) for t in sentence["tags"]])
            bucket["r"].append([relation.get(r, 0) for r in relations])
        return {n: {k: torch.tensor(v) for k, v in bucket.items()} for n, bucket in sorted(rows.items())}


class Swap:
    """Replace words by others of the same tag: the original's trees depend on tags far more than on words.
    Only words with (nearly) always one tag take part, so that the tags stay what the original would give."""

    OPEN = ("NN", "NNS", "JJ", "VBG", "VBN", "VBZ", "VBP", "VB", "CD")
    SHARE = 0.15

    def __init__(self, vocabulary: Vocabulary, buckets: dict[int, dict[str, torch.Tensor]]) -> None:
        x, tags = (torch.cat([b[k].flatten(0, 1) for b in buckets.values()]) for k in "xt")
        counts = torch.zeros(len(vocabulary.words), len(vocabulary.tags))
        counts.index_put_((x[:, 0], tags), torch.ones(len(x)), accumulate=True)
        self.single = counts.max(1).values >= 0.97 * counts.sum(1)
        self.single[:2] = False
        self.pools: dict[int, torch.Tensor] = {}
        for tag in [vocabulary.tags.index(name) for name in self.OPEN if name in vocabulary.tags]:
            rows = x[(tags == tag) & self.single[x[:, 0]]]
            if not len(rows):
                continue
            words, first = np.unique(rows[:, 0].numpy(), return_index=True)
            # The square root of its frequency: rare words more often than they come.
            share = counts[torch.from_numpy(words), tag].sqrt()
            self.pools[tag] = rows[torch.from_numpy(first)][torch.multinomial(share, 20000, replacement=True)]

    def __call__(self, x: torch.Tensor, tags: torch.Tensor) -> torch.Tensor:
        """Features with some words exchanged."""
        chosen = (torch.rand(tags.shape) < self.SHARE) & self.single[x[..., 0]]
        for tag, pool in self.pools.items():
            here = chosen & (tags == tag)
            x[here] = pool[torch.randint(len(pool), (int(here.sum()),))]
        return x


class Norm(nn.Module):
    """Root mean square normalisation."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.gain


class Student(nn.Module):
    """Word, affix and shape vectors, a window of three words, a bidirectional LSTM, and heads for tags, arcs and
    relations."""

    def __init__(self, vocabulary: Vocabulary, dropout: float = 0.0) -> None:
        super().__init__()
        self.dropout = dropout
        self.word = nn.Embedding(len(vocabulary.words), SIZE)
        self.affix = nn.Embedding(len(vocabulary.affixes), SIZE)
        self.shape = nn.Embedding(8, SIZE)
        for table in (self.word, self.affix, self.shape):
            nn.init.normal_(table.weight, std=0.3)
        self.embedding_norm = Norm(SIZE)
        self.window = nn.Linear(3 * SIZE, SIZE)
        self.lstm = nn.LSTM(SIZE, HIDDEN, LAYERS, bidirectional=True, batch_first=True, dropout=dropout)
        self.project = nn.Linear(2 * HIDDEN, SIZE)
        self.norm = Norm(SIZE)
        self.tag = nn.Linear(SIZE, len(vocabulary.tags))
        self.dependent = nn.Linear(SIZE, ARC)
        self.head = nn.Linear(SIZE, ARC)
        self.bilinear = nn.Linear(ARC, ARC, bias=False)
        self.head_bias = nn.Linear(ARC, 1)
        self.label_dependent = nn.Linear(SIZE, LABEL)
        self.label_head = nn.Linear(SIZE, LABEL, bias=False)
        self.label = nn.Linear(LABEL, len(vocabulary.relations))
        self.reach: dict[str, float] = collections.defaultdict(float)

    def _seen(self, name: str, x: torch.Tensor) -> torch.Tensor:
        """Remembers how large the inputs of a matrix get."""
        if not self.training:
            self.reach[name] = max(self.reach[name], float(x.abs().max()))
        return x

    def encode(self, x: torch.Tensor) -> torch.Tensor:
        root = torch.ones(len(x), 1, 6, dtype=x.dtype)
        root[..., 5] = 7
        x = torch.cat([root, x], 1)
        e = self.embedding_norm(self.word(x[..., 0]) + self.affix(x[..., 1:5]).sum(-2) + self.shape(x[..., 5]))
        e = functional.dropout(self._seen("window", e), self.dropout, self.training)
        padded = functional.pad(e, (0, 0, 1, 1))
        y = e + self.window(torch.cat([padded[:, :-2], e, padded[:, 2:]], -1))
        return self.norm(self.project(self.lstm(self._seen("input0", y))[0]))

    def forward(
        self, x: torch.Tensor, heads: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        y = self._seen("heads", self.encode(x))
        dependent = self._seen("bilinear", functional.relu(self.dependent(y[:, 1:])))
        head = self._seen("head", functional.relu(self.head(y)))
        query = self._seen("dependent", self.bilinear(dependent) * 0.1 + self.head_bias.weight)
        arcs = query @ head.transpose(1, 2)
        if heads is None:
            heads = arcs.argmax(-1)
        chosen = torch.gather(self.label_head(y), 1, heads[..., None].expand(-1, -1, LABEL))
        hidden = self._seen("label", functional.relu(self.label_dependent(y[:, 1:]) + chosen))
        return self.tag(y[:, 1:]), arcs, self.label(hidden)
