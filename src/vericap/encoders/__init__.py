"""Sentences and their words as vectors of a BERT-like network, in NumPy alone."""

from vericap.encoders.encoder import Encoder
from vericap.encoders.wordpiece import Pieces, WordPiece

__all__ = ["Encoder", "Pieces", "WordPiece"]
