"""Captions to scene graphs: words to a dependency tree, the tree to a collapsed graph, the graph to propositions."""
