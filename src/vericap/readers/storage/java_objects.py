"""Objects that Java serialised (Java Object Serialization Specification, version 2), as plain values: no class is
loaded and no code is run. Strings become str, arrays lists, primitive values int, float or bool."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, NoReturn

_MAGIC = b"\xac\xed\x00\x05"
_NULL, _REFERENCE, _CLASS, _OBJECT, _STRING, _ARRAY, _DATA, _END, _ENUM = (
    0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x77, 0x78, 0x7E,
)  # fmt: skip
_FIRST_HANDLE = 0x7E0000
_KINDS = {"B": "b", "C": "H", "D": "d", "F": "f", "I": "i", "J": "q", "S": "h", "Z": "?"}
_WRITES, _SERIALIZABLE = 1, 2  # flags of a class: it wrote something of its own; it has fields
_DEEPEST = 100


class JavaStreamError(ValueError):
    """The stream is not one that this reader knows; the message says why."""


@dataclass(slots=True, eq=False)
class JavaClass:
    """A class as a stream describes it: its own primitive fields, then its other fields, then those of `parent`."""

    name: str
    flags: int
    primitives: list[str]
    layout: struct.Struct
    others: list[str]
    parent: JavaClass | None = None

    def lineage(self) -> list[JavaClass]:
        """Return the class and its ancestors, the eldest first."""
        return [*(self.parent.lineage() if self.parent else []), self]


@dataclass(slots=True, eq=False)
class JavaObject:
    """An object: the name of its class, its fields, and what its classes wrote beside them (bytes or values)."""

    name: str
    fields: dict[str, Any]
    written: list[Any]


def read_java_object(content: bytes) -> JavaObject:
    """Return the object that a stream begins with, which must be all of it."""
    if content[:4] != _MAGIC:
        raise JavaStreamError("it is not a stream of Java objects")
    stream = _Stream(content)
    try:
        found = stream.value(0)
    except (struct.error, IndexError, UnicodeDecodeError) as error:
        raise JavaStreamError(f"it is cut off or damaged at byte {stream.at} ({error})") from None
    if stream.at != len(content) or not isinstance(found, JavaObject):
        raise JavaStreamError(f"it does not hold one object ({len(content) - stream.at} bytes are left)")
    return found


class _Stream:
    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, len(_MAGIC)
        self.known: list[Any] = []  # what was read, in the order of handles
        self.lineages: dict[JavaClass, list[JavaClass]] = {}

    def fail(self, problem: str) -> NoReturn:
        raise JavaStreamError(f"byte {self.at}: {problem}")

    def number(self, kind: str, size: int) -> int:
        (found,) = struct.unpack_from(kind, self.content, self.at)
        self.at += size
        return int(found)

    def bytes(self, size: int) -> bytes:
        if size > len(self.content) - self.at:
            self.fail("it is cut off")
        self.at += size
        return self.content[self.at - size : self.at]

    def text(self) -> str:
        return self.bytes(self.number(">H", 2)).decode()

    def value(self, depth: int) -> Any:
        """Return the next value of any kind; that of a block of data is bytes."""
        if depth > _DEEPEST:
            self.fail("objects are nested too deeply")
        mark = self.content[self.at]
        self.at += 1
        if mark == _OBJECT:
            return self.object(depth)
        if mark == _REFERENCE:
            return self.reference()
        if mark == _STRING:
            found = self.text()
            self.known.append(found)
            return found
        if mark == _NULL:
            return None
        if mark == _DATA:
            return self.bytes(self.number("B", 1))
        if mark == _ARRAY:
            return self.array(depth)
        if mark == _ENUM:
            self.class_of(depth)
            place = self.remember(None)
            self.known[place] = self.value(depth + 1)
            return self.known[place]
        return self.fail(f"mark {mark:#x} is not expected")

    def remember(self, value: Any) -> int:
        self.known.append(value)
        return len(self.known) - 1

    def reference(self) -> Any:
        handle = self.number(">i", 4) - _FIRST_HANDLE
        if not 0 <= handle < len(self.known):
            self.fail("it refers to an object that does not come before")
        return self.known[handle]

    def class_of(self, depth: int) -> JavaClass:
        """Return the class that is described, or referred to, here."""
        found = self.optional_class(depth)
        if found is None:
            self.fail("a class is missing")
        return found

    def optional_class(self, depth: int) -> JavaClass | None:
        if depth > _DEEPEST:
            self.fail("classes are nested too deeply")
        mark = self.content[self.at]
        self.at += 1
        if mark == _NULL:
            return None
        if mark == _REFERENCE:
            found = self.reference()
            if not isinstance(found, JavaClass):
                self.fail("it refers to something that is not a class")
            return found
        if mark != _CLASS:
            self.fail(f"mark {mark:#x} is not that of a class")
        name = self.text()
        self.bytes(8)  # the version of the class
        place = self.remember(None)
        flags = self.number("B", 1)
        primitives, others, layout = [], [], ">"
        for _ in range(self.number(">H", 2)):
            kind, field = chr(self.number("B", 1)), self.text()
            if kind in _KINDS:
                primitives.append(field)
                layout += _KINDS[kind]
            elif kind in "L[":
                self.value(depth + 1)  # the name of its type
                others.append(field)
            else:
                self.fail(f"a field has type {kind!r}")
        if self.number("B", 1) != _END or flags & ~(_WRITES | _SERIALIZABLE | 0x10):  # 0x10: an enumeration
            self.fail(f"class {name} was written in a way that is not expected")
        described = JavaClass(name, flags, primitives, struct.Struct(layout), others)
        self.known[place] = described
        described.parent = self.optional_class(depth + 1)
        self.lineages[described] = described.lineage()
        return described

    def object(self, depth: int) -> JavaObject:
        described = self.class_of(depth)
        if described not in self.lineages:
            self.fail("a class is its own ancestor")
        fields: dict[str, Any] = {}
        found = JavaObject(described.name, fields, [])
        self.known.append(found)
        for each in self.lineages[described]:
            if each.flags & _SERIALIZABLE:
                values = each.layout.unpack_from(self.content, self.at)
                self.at += each.layout.size
                fields.update(zip(each.primitives, values, strict=True))
                for field in each.others:
                    fields[field] = self.value(depth + 1)
            if each.flags & _WRITES:
                while self.content[self.at] != _END:
                    found.written.append(self.value(depth + 1))
                self.at += 1
        return found

    def array(self, depth: int) -> list[Any]:
        described = self.class_of(depth)
        found: list[Any] = []
        self.known.append(found)
        size, kind = self.number(">i", 4), described.name[1:2]
        if not 0 <= size <= len(self.content) - self.at:
            self.fail("an array is longer than the stream")
        if kind in _KINDS:
            layout = struct.Struct(f">{size}{_KINDS[kind]}")
            found += layout.unpack_from(self.content, self.at)
            self.at += layout.size
        else:
            found += (self.value(depth + 1) for _ in range(size))
        return found
