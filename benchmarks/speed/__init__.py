"""Time and memory, side by side with the peers in one run, or of two commits."""
