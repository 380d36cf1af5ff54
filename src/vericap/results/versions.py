"""What every JSON document begins with: who wrote it, and the version of its shape."""

from __future__ import annotations

from typing import Any

from vericap.version import __version__

# Grows when a key changes its meaning or goes; a key that is added leaves it as it is. docs/output.md has the schemas.
SCHEMA = 1


def versions() -> dict[str, Any]:
    """The first keys of a document.

    >>> list(versions())
    ['vericap', 'schema']
    """
    return {"vericap": __version__, "schema": SCHEMA}
