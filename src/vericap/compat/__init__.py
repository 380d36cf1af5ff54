"""The calls of other packages, answered by Vericap: an existing script changes its import lines only, or nothing."""
