"""Knowledge of words beyond the captions at hand: meanings, paraphrases, vectors, frequencies, language models."""
