"""The document says what the server does."""

from vericap.serve.openapi import openapi
from vericap.serve.options import ServeOptions


def test_limits_and_metrics_of_the_server_are_in_the_document():
    document = openapi(ServeOptions(most_captions=7, longest_caption=9), ["ter", "cider-d"])
    request = document["components"]["schemas"]["Request"]["properties"]
    assert request["captions"]["maxItems"] == 7
    assert request["captions"]["items"]["properties"]["caption"]["maxLength"] == 9
    assert request["metrics"]["items"]["enum"] == ["ter", "cider-d"]


def test_a_token_is_in_the_document_where_one_is_asked_for():
    assert "securitySchemes" not in openapi(ServeOptions(), ["ter"])["components"]
    secured = openapi(ServeOptions(token="secret"), ["ter"])
    assert secured["paths"]["/score"]["post"]["security"] and "401" in secured["paths"]["/metrics"]["get"]["responses"]
    assert "secret" not in str(secured)
