"""CIDEr under pycocoevalcap's module path."""
