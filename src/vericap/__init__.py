"""How good is an image caption, and how far can the number be trusted."""
