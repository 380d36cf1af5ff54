"""The state of a stream on disk: how far it is, what it has added up, and with which settings, so that it goes on where
it was stopped, or says why it cannot."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vericap.errors import InputError
from vericap.streaming.totals import Totals
from vericap.written import whole_file

FORMAT = 1


@dataclass
class Checkpoint:
    """`settings` are all that changes the output, by name; `written` says how much of each file counts."""

    settings: Mapping[str, Any]
    totals: Totals = field(default_factory=Totals)
    written: dict[str, int] = field(default_factory=dict)
    finished: bool = False

    def save(self, path: Path) -> None:
        """Writes the state as a whole: a reader finds the old one or the new one."""
        content = {
            "format": FORMAT,
            "hash": settings_hash(self.settings),
            "settings": dict(self.settings),
            "written": self.written,
            "finished": self.finished,
            "totals": self.totals.to_dict(),
        }
        with whole_file(path) as file:
            file.write(json.dumps(content, indent=1).encode())


def settings_hash(settings: Mapping[str, Any]) -> str:
    """SHA-256 of the settings.

    >>> settings_hash({"metrics": ["bleu-4"]})[:8] == settings_hash({"metrics": ["bleu-3"]})[:8]
    False
    """
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()


def load(path: Path, settings: Mapping[str, Any]) -> Checkpoint:
    """The state that a file holds; an error where it belongs to a stream with other settings or other input."""
    source, again = str(path), "delete the output and its state to start anew"
    try:
        given = json.loads(path.read_bytes())
        kept, totals = given["settings"], Totals.from_dict(given["totals"])
        hashed, written, finished = given["hash"], dict(given["written"]), bool(given["finished"])
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError("the state of the stream cannot be read", source=source, fix=again) from None
    if given.get("format") != FORMAT or hashed != settings_hash(kept):
        raise InputError("the state of the stream is damaged or of another version", source=source, fix=again)
    # Through JSON, as the state has gone: a tuple is a list there.
    wanted = json.loads(json.dumps(dict(settings)))
    for name in sorted({*wanted, *kept}):
        if wanted.get(name) != kept.get(name):
            raise InputError(
                f"the stream was started with {_shown(kept.get(name))}, now it is {_shown(wanted.get(name))}",
                source=source,
                field=name,
                fix=f"use the same, or {again}",
            )
    return Checkpoint(settings, totals, written, finished)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:200]}…"
