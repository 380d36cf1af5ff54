"""The making of Verity: captions, spoilt captions, the network in torch, its training and its export
(docs/verity.md)."""
