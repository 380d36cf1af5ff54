"""Modified Kneser-Ney with dictionaries, read off Chen and Goodman's formulas, and captions to count."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from importlib.resources import files

from vericap.lexicon.kneser_ney import FALLBACK

DEMO = json.loads((files("vericap") / "data" / "demo" / "references.json").read_text("utf-8"))

CAPTIONS = [row["caption"].lower().strip(".") for row in DEMO["annotations"]]


class SlowKneserNey:
    """Modified Kneser-Ney with dicts of tuples, a formula a method."""

    def __init__(self, captions: list[str], order: int, least: tuple[int, ...], known: int) -> None:
        times = Counter(word for caption in captions for word in caption.split())
        self.rare = {word for word, count in times.items() if count < known}
        self.vocabulary = {*times} - self.rare | {"</s>", "<unk>"}
        self.order, self.least = order, least
        texts = [self.marked(caption.split()) for caption in captions]
        self.raw = [Counter(t[i : i + n] for t in texts for i in range(len(t) - n + 1)) for n in range(1, order + 1)]
        before = defaultdict(set)
        for text in texts:
            for n in range(1, order):
                for i in range(1, len(text) - n + 1):
                    before[text[i : i + n]].add(text[i - 1])
        self.a = [
            {g: c if n == order or g[0] == "<s>" else len(before[g]) for g, c in self.raw[n - 1].items()}
            for n in range(1, order + 1)
        ]
        del self.a[0][("<s>",)]
        self.continuations = defaultdict(set)
        for counts in self.a:
            for ngram in counts:
                self.continuations[ngram[:-1]].add(ngram[-1])
        self.discount = []
        for counts in self.a:
            n = Counter(counts.values())
            if all(n[k] for k in (1, 2, 3, 4)):
                y = n[1] / (n[1] + 2 * n[2])
                ds = [k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)]
            else:
                ds = [0.0]
            self.discount.append(ds if all(0 < d <= k for k, d in enumerate(ds, 1)) else FALLBACK)

    def known(self, word: str) -> str:
        return word if word in self.vocabulary - {"</s>"} else "<unk>"

    def marked(self, words: list[str]) -> tuple[str, ...]:
        return ("<s>", *map(self.known, words), "</s>")

    def is_kept(self, ngram: tuple[str, ...]) -> bool:
        return self.raw[len(ngram) - 1][ngram] >= self.least[len(ngram) - 1]

    def p(self, word: str, context: tuple[str, ...]) -> float:
        lower = self.p(word, context[1:]) if context else 1 / len(self.vocabulary)
        n = len(context) + 1
        seen = self.continuations.get(context, ())
        total = sum(self.a[n - 1][(*context, w)] for w in seen)
        if not total:
            return lower
        kept = [w for w in seen if self.is_kept((*context, w))]
        taken = {w: self.discount[n - 1][min(self.a[n - 1][(*context, w)], 3) - 1] for w in kept}
        gamma = 1 - sum(self.a[n - 1][(*context, w)] - taken[w] for w in kept) / total
        own = (self.a[n - 1][(*context, word)] - taken[word]) / total if word in kept else 0.0
        return own + gamma * lower

    def caption(self, caption: str) -> list[float]:
        text = self.marked(caption.split())
        share = max(len(self.rare), 1)
        logs = []
        for i in range(1, len(text)):
            p = self.p(text[i], text[max(0, i - self.order + 1) : i])
            logs.append(math.log(p / share if text[i] == "<unk>" else p))
        return logs
