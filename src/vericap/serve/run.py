"""Starts a server."""

from __future__ import annotations

from typing import Any

from vericap.errors import InputError
from vericap.options.settings import Settings
from vericap.serve.options import ServeOptions


def serve(settings: Settings, limits: ServeOptions, metrics: str, references: Any = None) -> None:
    """Serve until it is stopped."""
    try:
        import uvicorn

        from vericap.serve.app import make_app
    except ImportError:
        raise InputError(
            "what a server needs is not installed", field="serve", fix="pip install 'vericap[serve]'"
        ) from None
    from vericap.serve.scorer import Scorer

    app = make_app(Scorer.load(settings, metrics, references), limits)
    uvicorn.run(
        app,
        host=limits.host,
        port=limits.port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        limit_concurrency=1000,
    )
