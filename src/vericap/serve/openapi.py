"""The OpenAPI document of a server, written from its limits and the metrics that it offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vericap.serve.options import ServeOptions
from vericap.version import __version__

ERRORS = {
    "400": "The body is not JSON.",
    "401": "The token is missing or wrong.",
    "408": "The body did not arrive within the time limit.",
    "411": "The length of the body is not a number.",
    "413": "The body is too large.",
    "415": "The body is not application/json.",
    "422": "The request cannot be scored: the message says where and why.",
    "503": "The time limit was reached; try again later or send less.",
}


def openapi(limits: ServeOptions, offered: Sequence[str]) -> dict[str, Any]:
    """Return the document.

    >>> sorted(openapi(ServeOptions(), ["ter"])["paths"])
    ['/health', '/metrics', '/openapi.json', '/score']
    """
    statuses = [status for status in ERRORS if status != "401" or limits.token]
    secured: dict[str, Any] = {"security": [{"token": []}]} if limits.token else {}
    body = {"required": True, "content": _content(_reference("Request"))}
    health, counters = "Whether the server is ready, and what it offers.", "Counters in the text format of Prometheus."
    scored, scores = "Score captions against references.", _content(_reference("Scores"))
    counted, refused = {"text/plain": {"schema": _STRING}}, ["401"] if limits.token else []
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Vericap",
            "version": __version__,
            "description": "How good is an image caption, and how far can the number be trusted.",
        },
        "paths": {
            "/score": {"post": _operation(scored, "score", scores, "Scores.", statuses, requestBody=body, **secured)},
            "/health": {"get": _operation(health, "health", _content(_reference("Health")))},
            "/metrics": {"get": _operation(counters, "counters", counted, "Counters.", refused, **secured)},
            "/openapi.json": {"get": _operation("This document.", "document", _content({"type": "object"}))},
        },
        "components": {"schemas": {"Request": _request(limits, offered), **_ANSWERS}},
    }
    if limits.token:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return document


def _operation(
    summary: str, name: str, content: dict[str, Any], answer: str = "", errors: Sequence[str] = (), **more: Any
) -> dict[str, Any]:
    refused = {status: {"description": ERRORS[status], "content": _content(_reference("Error"))} for status in errors}
    responses = {"200": {"description": answer or summary, "content": content}, **refused}
    return {"summary": summary, "operationId": name, "responses": responses, **more}


def _content(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _request(limits: ServeOptions, offered: Sequence[str]) -> dict[str, Any]:
    text = {"type": "string", "maxLength": limits.longest_caption}
    image_id = {
        "description": "The image; without references, one whose references the server has loaded.",
        "anyOf": [{"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}, text],
    }
    references = {"type": "array", "items": text, "minItems": 1, "maxItems": limits.most_references}
    return {
        "type": "object",
        "required": ["captions"],
        "additionalProperties": False,
        "properties": {
            "captions": {
                "type": "array",
                "minItems": 1,
                "maxItems": limits.most_captions,
                "items": {
                    "type": "object",
                    "required": ["caption"],
                    "additionalProperties": False,
                    "properties": {"caption": text, "image_id": image_id, "references": references},
                },
            },
            "metrics": {
                "description": "Which metrics; all that are offered where it is left out.",
                "type": "array",
                "minItems": 1,
                "items": {"type": "string", "enum": list(offered)},
            },
        },
        "example": {
            "captions": [{"image_id": 1, "caption": "a dog runs", "references": ["a dog runs on grass"]}],
            "metrics": [offered[0]],
        },
    }


def _object(**properties: Any) -> dict[str, Any]:
    """Return the schema of an object whose properties are all required."""
    return {"type": "object", "required": list(properties), "properties": properties}


_NUMBER, _STRING = {"type": ["number", "null"]}, {"type": "string"}
_STRINGS = {"type": "array", "items": _STRING}
_SCORE = _object(
    score=_NUMBER, signature=_STRING, range={"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}
)
_CAPTION = _object(
    image_id={"type": ["integer", "string"]},
    caption=_STRING,
    scores={"type": "object", "additionalProperties": _NUMBER},
)
_ANSWERS: dict[str, Any] = {
    "Scores": _object(
        vericap=_STRING,
        metrics={"type": "object", "additionalProperties": _SCORE},
        captions={"type": "array", "items": _CAPTION},
        notes=_STRINGS,
    ),
    "Health": _object(status=_STRING, vericap=_STRING, metrics=_STRINGS, images={"type": "integer"}),
    "Error": _object(error={"type": "string", "description": "What is wrong, where, and what to do."}),
}
