"""Strings to token ids: tokenizers, vocabulary, n-grams."""
