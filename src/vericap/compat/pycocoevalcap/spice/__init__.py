"""SPICE under pycocoevalcap's module path."""
