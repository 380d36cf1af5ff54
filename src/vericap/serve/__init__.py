"""Scores over HTTP: captions and references in, the JSON of `vericap score` out, with limits, a token and counters.

Starlette carries it and uvicorn serves it: both are small, and every request is checked by our own rules, so that an
error has the same sentence as on the command line. (A framework that derives checks from types would have sentences of
its own, and bring pydantic.) The OpenAPI document is written from the same limits.
"""
