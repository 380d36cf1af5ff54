"""The application: routes, limits, the token, and errors as sentences."""

from __future__ import annotations

import hmac
import sys
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
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
    routes = [
        Route("/score", service.counted("/score", service.score), methods=["POST"]),
        Route("/health", service.counted("/health", service.health), methods=["GET"]),
        Route("/metrics", service.counted("/metrics", service.metrics), methods=["GET"]),
        Route("/openapi.json", service.counted("/openapi.json", service.openapi), methods=["GET"]),
    ]
    handlers: dict[Any, Any] = {HTTPException: _http_error}
    return Starlette(routes=routes, exception_handlers=handlers, lifespan=service.lifespan)


class _Refused(Exception):
    """A request that is answered with a status and a sentence."""

    def __init__(self, status: int, sentence: str, **headers: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence, self.headers = status, sentence, headers


class _Held:
    """The bytes of one request that are in memory."""

    size = 0


class _Service:
    """One scorer, which works on one request at a time: others wait, at most as long as the time limit says."""

    def __init__(self, scorer: Scorer, limits: ServeOptions) -> None:
        self.scorer, self.limits = scorer, limits
        self.counters = Counters()
        self.document = openapi(limits, scorer.offered)
        self._one: CapacityLimiter | None = None
        self._holding: set[_Held] = set()

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
        with self._held() as held:
            return await self._scored(request, await self._body(request, held))

    async def _scored(self, request: Request, body: bytes) -> Response:
        self.counters.in_progress += 1
        try:
            with anyio.fail_after(self.limits.most_seconds):
                status, answer, request.state.captions = await to_thread.run_sync(
                    self._answer, body, limiter=self._limiter(), abandon_on_cancel=True
                )
        except TimeoutError:
            sentence = f"it took longer than {self.limits.most_seconds:g} s; send fewer captions, or try again later"
            raise _Refused(503, sentence, **{"retry-after": "1"}) from None
        finally:
            self.counters.in_progress -= 1
        return Response(answer, status, media_type="application/json")

    def _limiter(self) -> CapacityLimiter:
        # A thread that was given up keeps its place until it ends, so that there is never more than one.
        if self._one is None:
            self._one = CapacityLimiter(1)
        return self._one

    def _answer(self, body: bytes) -> tuple[int, bytes, int]:
        """Status, JSON and number of captions: what is done outside the event loop."""
        try:
            request = read_request(body, self.limits, self.scorer.offered)
            return 200, orjson.dumps(self.scorer.score(request)), len(request.captions)
        except InputError as error:
            # What is not JSON at all has no row and no field.
            broken = error.problem.startswith(("the JSON", "byte")) and error.field is None
            return 400 if broken else 422, _sentence(error), 0
        except VericapError as error:
            return 422, _sentence(error), 0

    @contextmanager
    def _held(self) -> Iterator[_Held]:
        """Count the bytes of a request among those of all requests until it is answered."""
        held = _Held()
        self._holding.add(held)
        try:
            yield held
        finally:
            self._holding.remove(held)

    def _take(self, held: _Held, size: int) -> None:
        if sum(each.size for each in self._holding) + size > self.limits.most_bytes:
            sentence = f"requests of {self.limits.most_bytes:,} bytes are waiting; try again later"
            raise _Refused(503, sentence, **{"retry-after": "1", "connection": "close"})
        held.size += size

    async def _body(self, request: Request, held: _Held) -> bytes:
        most = self.limits.body_bytes
        too_large = _Refused(413, f"the body is larger than {most:,} bytes; send several requests")
        length = request.headers.get("content-length")
        if length is not None and (not length.isascii() or not length.isdigit()):
            raise _Refused(411, "the length of the body is not a number")
        if length is not None and int(length) > most:
            raise too_large
        body = bytearray()
        try:
            with anyio.fail_after(self.limits.most_seconds):
                async for piece in request.stream():
                    self._take(held, len(piece))
                    body += piece
                    if len(body) > most:
                        raise too_large
        except ClientDisconnect:
            raise _Refused(400, "the body was cut off; send it again") from None
        except TimeoutError:
            sentence = f"the body was not there after {self.limits.most_seconds:g} s; send it faster"
            raise _Refused(408, sentence, connection="close") from None
        return bytes(body)

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


def _sentence(error: VericapError) -> bytes:
    return orjson.dumps({"error": " ".join(str(error).splitlines())})
