"""Tables and explanations for people: the terminal, LaTeX, Markdown, CSV."""
