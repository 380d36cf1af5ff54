"""BLEU under pycocoevalcap's module path."""
