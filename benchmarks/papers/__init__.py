"""Tables of papers, and what docs/ say about how metrics and statistics behave."""
