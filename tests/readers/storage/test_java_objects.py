"""Streams of Java objects: values without classes, and an error for everything that is not expected."""

from __future__ import annotations

import random
import struct
from contextlib import suppress

import pytest

from vericap.readers.storage.java_objects import JavaObject, JavaStreamError, read_java_object


def text(value: str) -> bytes:
    return struct.pack(">H", len(value.encode())) + value.encode()


def described(name: str, flags: int, *fields: bytes, parent: bytes = b"\x70") -> bytes:
    count = struct.pack(">H", len(fields))
    return b"\x72" + text(name) + bytes(8) + bytes([flags]) + count + b"".join(fields) + b"\x78" + parent


# A rule with a number and a name below a class that wrote its own data; handles 0 and 1 are the classes, 2 a type.
PARENT = described("Base", 3, b"I" + text("size"))
CHILD = described("Rule", 2, b"F" + text("score"), b"L" + text("name") + b"\x74" + text("Ljava/lang/String;"))
CHILD = CHILD[:-1] + PARENT
OBJECT = b"\x73" + CHILD + struct.pack(">i", 7) + b"\x77\x02hi\x78" + struct.pack(">f", 0.5) + b"\x74" + text("é")
STREAM = b"\xac\xed\x00\x05" + OBJECT


def test_fields_of_ancestors_come_first_and_what_classes_wrote_is_kept() -> None:
    found = read_java_object(STREAM)
    assert found.name == "Rule"
    assert found.fields == {"size": 7, "score": 0.5, "name": "é"}
    assert found.written == [b"hi"]


def test_arrays_enumerations_and_references() -> None:
    ints = b"\x75" + described("[I", 2) + struct.pack(">iii", 2, 3, -4)
    names = (
        b"\x75" + described("[Ljava.lang.String;", 2) + struct.pack(">i", 2) + b"\x74" + text("a") + b"\x71\0\x7e\0\x06"
    )
    kind = b"\x7e" + described("Kind", 0x12) + b"\x74" + text("FULL")
    fields = [
        kind_ + text(name) + b"\x74" + text("T") for name, kind_ in (("ints", b"["), ("names", b"["), ("kind", b"L"))
    ]
    # Handles: 0 the class, 1 to 3 the names of types, 4 the object, 5 and 6 the first array: see the reference to 6.
    found = read_java_object(b"\xac\xed\x00\x05\x73" + described("All", 2, *fields) + ints + names + kind)
    assert found.fields == {"ints": [3, -4], "names": ["a", [3, -4]], "kind": "FULL"}


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"PK\x03\x04", "not a stream of Java objects"),
        (STREAM[:-1], "cut off"),
        (STREAM + b"\x70", "1 bytes are left"),
        (b"\xac\xed\x00\x05\x74\x00\x01a", "does not hold one object"),
        (b"\xac\xed\x00\x05\x71\x00\x7e\x00\x00", "does not come before"),
        (b"\xac\xed\x00\x05\x7b", "mark 0x7b"),
        (b"\xac\xed\x00\x05\x75" + described("[I", 2) + b"\x7f\xff\xff\xff", "longer than the stream"),
        (b"\xac\xed\x00\x05\x73" + described("A", 4), "not expected"),  # externalizable
    ],
)
def test_what_is_not_expected_is_an_error(content: bytes, problem: str) -> None:
    with pytest.raises(JavaStreamError, match=problem):
        read_java_object(content)


def test_any_damage_is_an_error_or_an_object() -> None:
    chance = random.Random(3)
    for _ in range(2000):
        content = bytearray(STREAM)
        for _ in range(chance.randint(1, 3)):
            content[chance.randrange(len(content))] = chance.randrange(256)
        with suppress(JavaStreamError):
            assert isinstance(read_java_object(bytes(content)), JavaObject)


def test_nested_objects_end() -> None:
    nest = described("A", 2, b"L" + text("next") + b"\x74" + text("LA;"))
    with pytest.raises(JavaStreamError, match="nested too deeply"):
        read_java_object(b"\xac\xed\x00\x05\x73" + nest + b"\x73\x71\x00\x7e\x00\x00" * 1000 + b"\x70")
