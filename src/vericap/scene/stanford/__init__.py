"""SPICE's own parser, without Java: Stanford's englishPCFG of CoreNLP 3.6.0 (Klein and Manning 2003), with the same
trees and the same scores.

    parser = StanfordParser.load()                    # vericap.scene.stanford.parser; InputError if there is no grammar
    trees = parser.parse([["a", "dog", "runs"], …])   # one `Tree` per sentence, given as words
    found = parser.parse_each(sentences, use, workers=2)  # use(tree) of each, computed in two processes

`Tree` (vericap.scene.stanford.tree) has `words`, `score` (log-probability, a double; NaN where the original finds no
parse) and `root`, a `Node`. A `Node` has a `label` (as printed: NP, NP-TMP, NN), `children`, and `word`: the position
of its word if it is a tag, else -1. Nodes are new for every tree and may be changed. `str(tree)` is the bracketed form
and `Tree.read` reads it; `tree.tags` are the tags of the words. The root is ROOT, or X over XX if there is no parse.
"""
