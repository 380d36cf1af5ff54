"""METEOR under pycocoevalcap's module path."""
