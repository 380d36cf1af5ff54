"""A small language, and settings that learn it in seconds."""

from __future__ import annotations

from vericap.lexicon.recurrent_training import LanguageModelSettings

SUBJECTS, VERBS, PLACES = ("dog", "cat", "horse"), ("runs", "sleeps", "sits"), ("beach", "grass", "road")
CAPTIONS = [f"a {s} {v} on the {p}" for s in SUBJECTS for v in VERBS for p in PLACES] * 10
SMALL = LanguageModelSettings(
    width=16, steps=120, batch=16, learning_rate=0.02, min_word_count=2, validation=10, save_every=60, dropout=0.1
)
