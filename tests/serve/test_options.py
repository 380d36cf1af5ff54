"""What a server listens on, and who may ask."""

import pytest

from vericap.errors import InputError
from vericap.serve.options import TOKEN_VARIABLE, ServeOptions


@pytest.fixture(autouse=True)
def without_token(monkeypatch):
    monkeypatch.delenv(TOKEN_VARIABLE, raising=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1", "localhost"])
def test_loopback_needs_no_token(host):
    assert ServeOptions(host=host).is_local and not ServeOptions(host=host).token


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org"])
def test_other_addresses_need_a_token(host, monkeypatch):
    with pytest.raises(InputError, match="needs a token; set VERICAP_TOKEN"):
        ServeOptions(host=host)
    monkeypatch.setenv(TOKEN_VARIABLE, " secret\n")
    assert ServeOptions(host=host).token == "secret"


def test_a_token_comes_from_a_file_and_is_not_shown(tmp_path):
    (tmp_path / "token").write_text("secret\n")
    found = ServeOptions(host="0.0.0.0", token_file=tmp_path / "token")
    assert found.token == "secret" and "secret" not in repr(found)
    (tmp_path / "token").write_text("\n")
    with pytest.raises(InputError, match="the file has no token"):
        ServeOptions(token_file=tmp_path / "token")


@pytest.mark.parametrize("wrong", [{"port": 70_000}, {"most_captions": 0}, {"most_seconds": 0.0}])
def test_limits_have_bounds(wrong):
    with pytest.raises(InputError, match="is out of bounds for a server"):
        ServeOptions(**wrong)


def test_one_request_of_the_largest_size_is_always_allowed():
    assert ServeOptions(largest_body=100).most_bytes == ServeOptions(largest_body=100).body_bytes
    assert ServeOptions().most_bytes == 64_000_000
