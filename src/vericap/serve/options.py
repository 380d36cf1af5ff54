"""The options of a server, and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

from vericap.errors import InputError
from vericap.options.declared import Between, check_fields

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

    host: str = field(
        default="127.0.0.1", metadata={"help": "Address to listen on; others than loopback need a token."}
    )
    port: Annotated[int, Between(0, 65535)] = field(default=8421, metadata={"help": "Port to listen on.", "type": int})
    token_file: Path | None = field(
        default=None, metadata={"help": f"File with the token that requests must send; or set {TOKEN_VARIABLE}."}
    )
    largest_body: Annotated[float, Between(0.001, 1000)] = field(
        default=8.0, metadata={"help": "Largest request, in megabytes.", "type": float}
    )
    most_megabytes: Annotated[float, Between(0.001, 100_000)] = field(
        default=64.0,
        metadata={"help": "Most megabytes of requests that are received or wait at once.", "type": float},
    )
    most_captions: Annotated[int, Between(1, 1_000_000)] = field(
        default=1000, metadata={"help": "Most captions in a request.", "type": int}
    )
    most_references: Annotated[int, Between(1, 10_000)] = field(
        default=50, metadata={"help": "Most references of a caption.", "type": int}
    )
    longest_caption: Annotated[int, Between(1, 1_000_000)] = field(
        default=2000, metadata={"help": "Most characters of a caption or reference.", "type": int}
    )
    most_seconds: Annotated[float, Between(0.01, 3600)] = field(
        default=30.0, metadata={"help": "Longest time for a request, waiting included, in seconds.", "type": float}
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
