"""ROUGE-L under pycocoevalcap's module path."""
