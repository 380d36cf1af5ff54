"""The PTB tokenizer under pycocoevalcap's module path."""
