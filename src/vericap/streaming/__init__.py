"""Captions that do not fit into memory: read in batches, scored by the same metrics, results appended, to be continued
after a stop. `vericap.stream` is the way in."""
