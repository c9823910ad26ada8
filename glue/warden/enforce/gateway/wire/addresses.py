"""Addresses of brokers in responses, replaced where they stand: the bytes around them stay as they are.

A response is walked by Kafka's own schema of its version, field by field, and no further than its last address; nothing
of it is decoded. So tagged fields that nobody here knows are kept.
"""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, Final

from warden.enforce.gateway.wire.apis import APIS, read_table
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, Raw, encode_frame, encode_varint

__all__ = ["ADDRESSED", "HostPort", "has_addresses", "with_addresses"]

HostPort = tuple[str, int]
"""Host and port."""

ADDRESSED: Final[Mapping[int, Mapping[str, Any]]] = {int(key): row for key, row in read_table("addresses.json").items()}

_FIXED: Final = {
    "bool": 1, "int8": 1, "int16": 2, "uint16": 2, "int32": 4, "uint32": 4, "int64": 8, "float64": 8, "uuid": 16,
}  # fmt: skip
_NODE: Final = ({"NodeId", "Host", "Port"}, {"BrokerId", "Host", "Port"})


def with_addresses(key: int, version: int, raw: Raw, locate: Callable[[int], HostPort]) -> Raw:
    """Return a response with other addresses in it.

    Args:
        key: The number of its API.
        version: Its version.
        raw: Its frame.
        locate: Returns the address to write for a broker, by its id.

    Raises:
        ProtocolError: It cannot be read by the schema of its version.
    """
    plan = _build_plan(key, version)
    if plan is None:
        return raw
    walk = _Walk(raw, plan.flexible, locate)
    try:
        walk.at = LENGTH + 4
        if plan.flexible:
            walk.skip_tags()
        walk.walk_struct(plan)
    except (IndexError, struct.error, UnicodeDecodeError):
        raise ProtocolError(f"{APIS[key].name} v{version}: a response that cannot be decoded") from None
    return encode_frame(*_splice(raw, LENGTH, len(raw), walk.edits)) if walk.edits else raw


def has_addresses(key: int, version: int) -> bool:
    """Return whether responses of an API and version have addresses of brokers."""
    return key in ADDRESSED and _build_plan(key, version) is not None


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    kind: str  # fixed (one field, or several), text, bytes, struct, or array
    size: int
    nullable: bool
    plan: "_Plan | None"


@dataclass(frozen=True, slots=True)
class _Plan:
    """The fields of a struct in one version, up to the last that has an address.

    Args:
        fields: The fields that have no tag.
        tagged: Fields with a tag that have addresses, by the tag.
        node: Whether this is a broker with its address.
        has_address: Whether there is an address in it.
        flexible: Whether types are compact.
        whole: Whether it is read to its end, with its tags.
    """

    fields: tuple[_Field, ...]
    tagged: Mapping[int, _Field]
    node: bool
    has_address: bool
    flexible: bool
    whole: bool = True


@cache
def _build_plan(key: int, version: int) -> _Plan | None:
    """Return how to walk a response; None where that version has no address."""
    schema = ADDRESSED[key]
    if not _is_in_versions(schema["versions"], version):
        return None
    plan = _build_struct_plan(schema["fields"], version, _is_in_versions(schema["flexibleVersions"], version), top=True)
    return plan if plan.has_address else None


def _build_struct_plan(fields: list[Mapping[str, Any]], version: int, flexible: bool, *, top: bool = False) -> _Plan:
    here = [field for field in fields if _is_in_versions(field["versions"], version)]
    tags = {int(field["tag"]): field for field in here if _is_in_versions(field.get("taggedVersions"), version)}
    plain = [_build_field(field, version, flexible) for field in here if field not in tags.values()]
    tagged = {tag: _build_field(field, version, flexible) for tag, field in tags.items()}
    tagged = {tag: field for tag, field in tagged.items() if _has_address(field)}
    count = len(plain)
    node = any(names <= {field["name"] for field in here} for names in _NODE)
    if top and not tagged and not node:
        while plain and not _has_address(plain[-1]):
            plain.pop()
    has = node or bool(tagged) or any(map(_has_address, plain))
    return _Plan(
        tuple(plain if node else _merge_fixed_fields(plain)), tagged, node, has, flexible, whole=len(plain) == count
    )


def _merge_fixed_fields(fields: list[_Field]) -> Iterator[_Field]:
    """Yield fields of a fixed size that follow each other as one."""
    for fixed, group in groupby(fields, key=lambda field: field.kind == "fixed"):
        if fixed:
            yield _Field("", "fixed", sum(field.size for field in group), False, None)
        else:
            yield from group


def _has_address(field: _Field) -> bool:
    return field.plan is not None and field.plan.has_address


def _build_field(field: Mapping[str, Any], version: int, flexible: bool) -> _Field:
    kind = str(field["type"])
    array, kind = kind.startswith("[]"), kind.removeprefix("[]")
    nullable = _is_in_versions(field.get("nullableVersions"), version)
    plan = _build_struct_plan(field["fields"], version, flexible) if "fields" in field else None
    inner = "struct" if plan else "fixed" if kind in _FIXED else "text" if kind == "string" else "bytes"
    if not array:
        return _Field(field["name"], inner, _FIXED.get(kind, 0), nullable, plan)
    if plan is None:
        element = _Field("", inner, _FIXED.get(kind, 0), False, None)
        plan = _Plan((element,), {}, False, False, False)
        return _Field(field["name"], "array", -1, nullable, plan)
    return _Field(field["name"], "array", 0, nullable, plan)


def _is_in_versions(versions: str | None, version: int) -> bool:
    if versions is None or versions == "none":
        return False
    low, dash, high = versions.partition("-")
    if low.endswith("+"):
        return version >= int(low[:-1])
    return int(low) <= version <= int(high if dash else low)


class _Walk:
    """Goes through one response and notes what to replace: from, to, and the new bytes."""

    def __init__(self, raw: Raw, flexible: bool, locate: Callable[[int], HostPort]) -> None:
        self.at = 0
        self.edits: list[tuple[int, int, bytes]] = []
        self._raw = raw
        self._size = len(raw)
        self._flexible = flexible
        self._locate = locate

    def walk_struct(self, plan: _Plan) -> None:
        if plan.node:
            starts = {}
            for field in plan.fields:
                starts[field.name] = self.at
                self._walk_value(field)
            self._replace(starts, starts["Host"])
        else:
            for field in plan.fields:
                self._walk_value(field)
        if plan.flexible and plan.whole:
            self._walk_tags(plan.tagged)

    def skip_tags(self) -> None:
        self._walk_tags({})

    def _replace(self, starts: Mapping[str, int], host: int) -> None:
        node = starts["NodeId"] if "NodeId" in starts else starts["BrokerId"]
        (number,) = struct.unpack_from(">i", self._raw, node)
        if number < 0:  # no broker, as in the answer of FindCoordinator that found none
            return
        name, port = self._locate(number)
        encoded = name.encode()
        size = encode_varint(len(encoded) + 1) if self._flexible else struct.pack(">h", len(encoded))
        end = self._find_text_end(host)
        self.edits.append((host, end, size + encoded))
        self.edits.append((starts["Port"], starts["Port"] + 4, struct.pack(">i", port)))

    def _find_text_end(self, start: int) -> int:
        back, self.at = self.at, start
        self._walk_value(_TEXT)
        end, self.at = self.at, back
        return end

    def _walk_value(self, field: _Field) -> None:
        kind = field.kind
        if kind == "fixed":
            self.at += field.size
        elif kind == "array":
            self._walk_array(field)
        elif kind == "struct":
            if field.nullable:
                self.at += 1
                if self._raw[self.at - 1] == 0xFF:
                    return
            self.walk_struct(self._require_plan(field))
        else:
            length = max(0, self._read_length(kind))  # which moves `at` itself
            self.at += length
        if self.at > self._size:
            raise IndexError

    def _walk_array(self, field: _Field) -> None:
        count, plan = max(0, self._read_length("array")), self._require_plan(field)
        if field.size == 0:
            for _ in range(count):
                self.walk_struct(plan)
        elif plan.fields[0].kind == "fixed":
            self.at += count * plan.fields[0].size
        else:
            for _ in range(count):
                self._walk_value(plan.fields[0])

    def _require_plan(self, field: _Field) -> _Plan:
        if field.plan is None:
            raise IndexError
        return field.plan

    def _read_length(self, kind: str) -> int:
        if self._flexible:
            return self._read_varint() - 1
        size, form = (2, ">h") if kind == "text" else (4, ">i")
        (length,) = struct.unpack_from(form, self._raw, self.at)
        self.at += size
        return int(length)

    def _read_varint(self) -> int:
        value = self._raw[self.at]
        if value < 0x80:  # nearly always
            self.at += 1
            return value
        value = shift = 0
        while True:
            byte = self._raw[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 28:
                raise IndexError

    def _walk_tags(self, tagged: Mapping[int, _Field]) -> None:
        if self._raw[self.at] == 0:  # nearly always
            self.at += 1
            return
        for _ in range(self._read_varint()):
            tag, before = self._read_varint(), self.at
            size = self._read_varint()
            start, end = self.at, self.at + size
            if tag in tagged:
                outer, self.edits = self.edits, []
                self._walk_value(tagged[tag])
                inner, self.edits = self.edits, outer
                if inner:  # the field's size changes with what is in it
                    content = b"".join(_splice(self._raw, start, end, inner))
                    self.edits.append((before, end, encode_varint(len(content)) + content))
            self.at = end


_TEXT = _Field("", "text", 0, False, None)


def _splice(raw: Raw, start: int, end: int, edits: list[tuple[int, int, bytes]]) -> Iterator[bytes | memoryview]:
    view, at = memoryview(raw), start
    for begin, stop, new in edits:
        yield view[at:begin]
        yield new
        at = stop
    yield view[at:end]
