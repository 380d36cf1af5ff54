"""The PTB tokenizer under pyciderevalcap's module path."""
