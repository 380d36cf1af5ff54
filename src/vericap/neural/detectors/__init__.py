"""Detectors that run in torch, from weights on the disk."""
