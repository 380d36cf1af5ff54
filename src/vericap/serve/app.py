"""The application: routes, limits, the token, and errors as sentences."""

from __future__ import annotations

import hmac
import sys
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cached_property
from typing import Any

import anyio
import orjson
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from vericap.errors import InputError, VericapError
from vericap.serve.counters import Counters
from vericap.serve.openapi import openapi
from vericap.serve.options import ServeOptions
from vericap.serve.request import read_request
from vericap.serve.scorer import Scorer
from vericap.version import __version__

Endpoint = Callable[[Request], Awaitable[Response]]


def make_app(scorer: Scorer, limits: ServeOptions | None = None) -> Starlette:
    """Return an ASGI application that answers `POST /score`, `/health`, `/metrics` and `/openapi.json`."""
    service = _Service(scorer, limits or ServeOptions())
    endpoints = {"/health": service.health, "/metrics": service.metrics, "/openapi.json": service.openapi}
    routes = [Route(path, service.counted(path, endpoint), methods=["GET"]) for path, endpoint in endpoints.items()]
    routes.append(Route("/score", service.counted("/score", service.score), methods=["POST"]))
    handlers: dict[Any, Any] = {HTTPException: _http_error}
    return Starlette(routes=routes, exception_handlers=handlers, lifespan=service.lifespan)


class _Refused(Exception):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.headers = status, sentence, headers


class _Service:
    """One scorer, which works on one request at a time: others wait, at most as long as the time limit says."""

    def __init__(self, scorer: Scorer, limits: ServeOptions) -> None:
        self.scorer, self.limits = scorer, limits
        self.counters = Counters()
        self.document = openapi(limits, scorer.offered)
        self._held = 0  # bytes of all requests that are in memory

    @asynccontextmanager
    async def lifespan(self, app: Any) -> AsyncIterator[None]:
        await to_thread.run_sync(self.scorer.warm_up)
        yield

    def counted(self, path: str, endpoint: Endpoint) -> Endpoint:
        """Return the endpoint with its errors as answers, and every answer counted."""

        async def answer(request: Request) -> Response:
            start = time.perf_counter()
            try:
                response = await endpoint(request)
            except _Refused as error:
                response = _json({"error": error.sentence}, error.status, error.headers)
            except Exception:
                traceback.print_exc(file=sys.stderr)
                response = _json({"error": "the server failed; its log says why"}, 500)
            captions = getattr(request.state, "captions", 0)
            self.counters.add(path, response.status_code, time.perf_counter() - start, captions)
            return response

        return answer

    async def score(self, request: Request) -> Response:
        """Return the scores of captions."""
        self._check_token(request)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise _Refused(415, f"the body is {kind or 'of no type'}; send application/json")
        async with self._body(request) as body:
            return await self._scored(request, body)

    async def _scored(self, request: Request, body: bytes) -> Response:
        self.counters.in_progress += 1
        try:
            with anyio.fail_after(self.limits.most_seconds):
                status, answer, request.state.captions = await to_thread.run_sync(
                    self._answer, body, limiter=self._one, abandon_on_cancel=True
                )
        except TimeoutError:
            sentence = f"it took longer than {self.limits.most_seconds:g} s; send fewer captions, or try again later"
            raise _Refused(503, sentence, **{"retry-after": "1"}) from None
        finally:
            self.counters.in_progress -= 1
        return Response(answer, status, media_type="application/json")

    @cached_property
    def _one(self) -> CapacityLimiter:
        # A thread that was given up keeps its place until it ends, so that there is never more than one.
        return CapacityLimiter(1)

    def _answer(self, body: bytes) -> tuple[int, bytes, int]:
        """Status, JSON and number of captions: what is done outside the event loop."""
        try:
            request = read_request(body, self.limits, self.scorer.offered)
            return 200, orjson.dumps(self.scorer.score(request)), len(request.captions)
        except VericapError as error:
            # What is not JSON at all has no row and no field.
            broken = (
                isinstance(error, InputError) and error.field is None and error.problem.startswith(("the JSON", "byte"))
            )
            return 400 if broken else 422, orjson.dumps({"error": " ".join(str(error).splitlines())}), 0

    @asynccontextmanager
    async def _body(self, request: Request) -> AsyncIterator[bytes]:
        """Read the body of a request, whose bytes count among those of all requests until it is answered."""
        most = self.limits.body_bytes
        too_large = _Refused(413, f"the body is larger than {most:,} bytes; send several requests")
        length = request.headers.get("content-length")
        if length is not None and (not length.isascii() or not length.isdigit()):
            raise _Refused(411, "the length of the body is not a number")
        if length is not None and int(length) > most:
            raise too_large
        pieces: list[bytes] = []
        held = 0
        try:
            with anyio.fail_after(self.limits.most_seconds):
                async for piece in request.stream():
                    if self._held + len(piece) > self.limits.most_bytes:
                        sentence = f"requests of {self.limits.most_bytes:,} bytes are waiting; try again later"
                        raise _Refused(503, sentence, **{"retry-after": "1", "connection": "close"})
                    self._held += len(piece)
                    held += len(piece)
                    pieces.append(piece)
                    if held > most:
                        raise too_large
            pieces = [b"".join(pieces)]
            yield pieces[0]
        except ClientDisconnect:
            raise _Refused(400, "the body was cut off; send it again") from None
        except TimeoutError:
            sentence = f"the body was not there after {self.limits.most_seconds:g} s; send it faster"
            raise _Refused(408, sentence, connection="close") from None
        finally:
            self._held -= held

    async def health(self, request: Request) -> Response:
        """Return whether the server is ready."""
        offered, images = list(self.scorer.offered), self.scorer.images
        return _json({"status": "ok", "vericap": __version__, "metrics": offered, "images": images})

    async def metrics(self, request: Request) -> Response:
        """Counters."""
        self._check_token(request)
        return PlainTextResponse(self.counters.text(), media_type="text/plain; version=0.0.4")

    async def openapi(self, request: Request) -> Response:
        """Return the OpenAPI document."""
        return _json(self.document)

    def _check_token(self, request: Request) -> None:
        if not self.limits.token:
            return
        scheme, _, given = request.headers.get("authorization", "").partition(" ")
        # Starlette decodes headers as Latin-1, which gives every byte back.
        sent = given.strip(" \t").encode("latin-1")
        if scheme.lower() != "bearer" or not hmac.compare_digest(sent, self.limits.token.encode()):
            raise _Refused(
                401, "the token is missing or wrong; send Authorization: Bearer TOKEN", **{"www-authenticate": "Bearer"}
            )


async def _http_error(request: Request, error: HTTPException) -> Response:
    """Answer what Starlette itself refuses: unknown paths and methods."""
    sentences = {404: "there is no such path; see /openapi.json", 405: "the path has no such method; see /openapi.json"}
    headers = dict(error.headers or {})
    return _json({"error": sentences.get(error.status_code, str(error.detail))}, error.status_code, headers)


def _json(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(orjson.dumps(content), status, headers, "application/json")
