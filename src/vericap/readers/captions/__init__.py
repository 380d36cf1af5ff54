"""Captions from files and Python objects → Corpus."""
