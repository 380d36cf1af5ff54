"""Intervals, tests and correlations: how sure a number is."""
