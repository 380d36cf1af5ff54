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
    secured: dict[str, Any] = {"security": [{"token": []}]} if limits.token else {}
    refused = {"401": _error("401")} if limits.token else {}
    document: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Vericap",
            "version": __version__,
            "description": "How good is an image caption, and how far can the number be trusted.",
        },
        "paths": {
            "/score": {"post": {**_score(limits, offered), **secured}},
            "/health": {"get": _get("Whether the server is ready, and what it offers.", "Health")},
            "/metrics": {
                "get": {
                    "summary": "Counters in the text format of Prometheus.",
                    "operationId": "counters",
                    "responses": {
                        "200": {"description": "Counters.", "content": {"text/plain": {"schema": {"type": "string"}}}},
                        **refused,
                    },
                    **secured,
                }
            },
            "/openapi.json": {"get": _get("This document.", None)},
        },
        "components": {"schemas": {"Request": _request(limits, offered), **_ANSWERS}},
    }
    if limits.token:
        document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    return document


def _score(limits: ServeOptions, offered: Sequence[str]) -> dict[str, Any]:
    errors = [status for status in ERRORS if status != "401" or limits.token]
    return {
        "summary": "Score captions against references.",
        "operationId": "score",
        "requestBody": {"required": True, "content": {"application/json": {"schema": _reference("Request")}}},
        "responses": {
            "200": {"description": "Scores.", "content": {"application/json": {"schema": _reference("Scores")}}},
            **{status: _error(status) for status in errors},
        },
    }


def _get(summary: str, schema: str | None) -> dict[str, Any]:
    content = _reference(schema) if schema else {"type": "object"}
    return {
        "summary": summary,
        "operationId": summary.split()[-1].strip(".") if schema is None else schema.lower(),
        "responses": {"200": {"description": summary, "content": {"application/json": {"schema": content}}}},
    }


def _error(status: str) -> dict[str, Any]:
    return {"description": ERRORS[status], "content": {"application/json": {"schema": _reference("Error")}}}


def _reference(name: str) -> dict[str, str]:
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


_NUMBER = {"type": ["number", "null"]}
_ANSWERS: dict[str, Any] = {
    "Scores": {
        "type": "object",
        "required": ["vericap", "metrics", "captions", "notes"],
        "properties": {
            "vericap": {"type": "string"},
            "metrics": {
                "type": "object",
                "additionalProperties": {
                    "type": "object",
                    "required": ["score", "signature", "range"],
                    "properties": {
                        "score": _NUMBER,
                        "signature": {"type": "string"},
                        "range": {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2},
                    },
                },
            },
            "captions": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["image_id", "caption", "scores"],
                    "properties": {
                        "image_id": {"type": ["integer", "string"]},
                        "caption": {"type": "string"},
                        "scores": {"type": "object", "additionalProperties": _NUMBER},
                    },
                },
            },
            "notes": {"type": "array", "items": {"type": "string"}},
        },
    },
    "Health": {
        "type": "object",
        "required": ["status", "vericap", "metrics", "images"],
        "properties": {
            "status": {"type": "string"},
            "vericap": {"type": "string"},
            "metrics": {"type": "array", "items": {"type": "string"}},
            "images": {"type": "integer"},
        },
    },
    "Error": {
        "type": "object",
        "required": ["error"],
        "properties": {"error": {"type": "string", "description": "What is wrong, where, and what to do."}},
    },
}
