"""The options of a server, and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

from vericap.errors import InputError
from vericap.options.declared import Between, check_fields, option

TOKEN_VARIABLE = "VERICAP_TOKEN"


@dataclass(frozen=True)
class ServeOptions:
    """The command line makes its options from these fields, with `help` as their text.

    >>> ServeOptions().is_local, ServeOptions(host="0.0.0.0", token="secret").is_local
    (True, False)
    >>> ServeOptions(host="0.0.0.0")
    Traceback (most recent call last):
    vericap.errors.InputError: field "host": a server that others can reach needs a token; set VERICAP_TOKEN, ...
    """

    host: str = option("127.0.0.1", "Address to listen on; others than loopback need a token.")
    port: Annotated[int, Between(0, 65535)] = option(8421, "Port to listen on.")
    token_file: Path | None = option(None, f"File with the token that requests must send; or set {TOKEN_VARIABLE}.")
    largest_body: Annotated[float, Between(0.001, 1000)] = option(8.0, "Largest request, in megabytes.")
    most_megabytes: Annotated[float, Between(0.001, 100_000)] = option(
        64.0, "Maximum memory for pending requests, in megabytes."
    )
    most_captions: Annotated[int, Between(1, 1_000_000)] = option(1000, "Most captions in a request.")
    most_references: Annotated[int, Between(1, 10_000)] = option(50, "Most references of a caption.")
    longest_caption: Annotated[int, Between(1, 1_000_000)] = option(2000, "Most characters of a caption or reference.")
    most_seconds: Annotated[float, Between(0.01, 3600)] = option(
        30.0, "Longest time for a request, waiting included, in seconds."
    )
    token: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        check_fields(self, "a server")
        if self.token_file is not None:
            object.__setattr__(self, "token", _token_in(self.token_file))
        elif not self.token:
            object.__setattr__(self, "token", os.environ.get(TOKEN_VARIABLE, "").strip())
        if not self.is_local and not self.token:
            raise InputError(
                "a server that others can reach needs a token",
                field="host",
                fix=f"set {TOKEN_VARIABLE}, give --token-file, or listen on 127.0.0.1",
            )

    @property
    def is_local(self) -> bool:
        """True if only this machine can reach the server."""
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    @property
    def body_bytes(self) -> int:
        """The largest request, in bytes."""
        return int(self.largest_body * 1e6)

    @property
    def most_bytes(self) -> int:
        """Bytes of all requests at once, never fewer than one request may have."""
        return max(int(self.most_megabytes * 1e6), self.body_bytes)


def _token_in(path: Path) -> str:
    try:
        token = path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError):
        raise InputError("the token cannot be read", source=str(path), field="token-file") from None
    if not token:
        raise InputError("the file has no token", source=str(path), field="token-file", fix="write one into it")
    return token
