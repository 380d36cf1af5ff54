"""FAIEr (Wang et al. 2021), the learned metric: visual and textual scene graphs, their fusion, matching, training."""
