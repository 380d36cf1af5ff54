"""Starting a server."""

import sys

import pytest

from vericap.errors import InputError
from vericap.options.settings import Settings
from vericap.serve.options import ServeOptions
from vericap.serve.run import serve


def test_where_uvicorn_is_not_installed_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(InputError, match=r"is not installed; pip install 'vericap\[serve\]'"):
        serve(Settings(), ServeOptions(), "ter")


def test_what_is_served_is_checked_before_the_server_starts():
    pytest.importorskip("uvicorn", reason="what a server needs is not installed")
    with pytest.raises(InputError, match="no-such-metric"):
        serve(Settings(), ServeOptions(), "no-such-metric")
