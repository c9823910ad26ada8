"""Bundles without their signature, for an OPA that starts with a bundle that was verified before."""

import gzip
import io
import json
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from warden.base.errors import ConfigurationError
from warden.policy.bundle.constants import CONSTANTS
from warden.policy.bundle.signing import SIGNATURES

__all__ = ["pack_files", "read_bundle_revision", "replace_settings", "strip_signature", "unpack_constants"]

_OF_CONSTANTS = ("catalog", "settings")  # as `warden.policy.bundle.assemble` writes them
_CONSTANT = re.compile(rb"(\w+) := (.+)")


def strip_signature(bundle: Path, target: Path) -> Path:
    """Copy a bundle to `target` without its signature, and return `target`.

    Raises:
        ConfigurationError: The file is not a bundle.
    """
    return _write(target, (member for _, member, _ in _iter_members(bundle)))


def unpack_constants(bundle: Path, target: Path) -> Path:
    """Copy a bundle to `target` without its signature, with data in place of constant rules, and return `target`.

    OPA compiles the constants of `warden.policy.bundle.constants` in a fifth of the time of its start. With
    ``--optimize-store-for-read-speed`` it keeps data as it evaluates them, and decides as fast without.

    Raises:
        ConfigurationError: The file is not a bundle.
    """
    unpacked = (_to_data(name, content) or member for name, member, content in _iter_members(bundle))
    return _write(target, unpacked, compresslevel=0)  # OPA reads it once


def replace_settings(unpacked: Path, target: Path, settings: Mapping[str, Any], compiled: Any, revision: str) -> Path:
    """Copy a bundle with other settings in it, and return `target`: what a build takes seconds for, to try settings.

    Args:
        unpacked: The bundle, of `unpack_constants`.
        target: The file to write.
        settings: Complete settings that were checked.
        compiled: The same as of `warden.policy.bundle.settings.compile_settings`.
        revision: What it states as its revision.

    Raises:
        ConfigurationError: The file is not a bundle.
    """

    def replace_part(name: str, document: dict[str, Any]) -> dict[str, Any]:
        if name == "catalog/data.json":
            rules = document["rules"].items()
            return {**document, "rules": {id: {**rule, "mode": settings["rules"][id]["mode"]} for id, rule in rules}}
        return {**document, **replaced[name]}

    replaced = {
        "data.json": {"settings": settings},
        "settings/data.json": {"compiled": compiled},
        "catalog/bundle/data.json": {"revision": revision},
        ".manifest": {"revision": revision},
    }
    members = (
        _pack(name, json.dumps(replace_part(name.lstrip("/"), json.loads(content))).encode())
        if name.lstrip("/") in {*replaced, "catalog/data.json"}
        else member
        for name, member, content in _iter_members(unpacked)
    )
    return _write(target, members, compresslevel=0)


def _iter_members(bundle: Path) -> Iterator[tuple[str, bytes, bytes]]:
    """The name of each member but the signature, the whole member as in the archive, and its content."""
    try:
        content = gzip.decompress(bundle.read_bytes())
        with tarfile.open(fileobj=io.BytesIO(content)) as source:
            members = source.getmembers()
            ends = [*(member.offset for member in members[1:]), source.offset]
    except (OSError, EOFError, zlib.error, tarfile.TarError) as error:
        raise ConfigurationError(f"{bundle}: not a bundle ({error}): `warden bundle build` makes one") from error
    for member, end in zip(members, ends, strict=True):
        if not member.name.endswith(SIGNATURES):
            begin = member.offset_data
            yield member.name, content[member.offset : end], content[begin : begin + member.size]


def _to_data(name: str, content: bytes) -> bytes | None:
    """The constants of a package of Warden's as a member with data; None for any other file.

    A site may call a file so too: its package need not be that of its directory, and may have other rules beside.
    """
    path = PurePosixPath(name.lstrip("/"))
    if path.name != CONSTANTS or path.parts[0] not in _OF_CONSTANTS:
        return None
    _, *rules = filter(None, content.split(b"\n"))  # the first is the package
    constants = list(map(_CONSTANT.fullmatch, rules))
    data = b"{%s}" % b",".join(b'"%s":%s' % constant.groups() for constant in constants if constant)
    if not all(constants) or not _is_json(data):
        return None
    return _pack(str(path.with_name("data.json")), data)


def _pack(name: str, content: bytes) -> bytes:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    return member.tobuf() + content + bytes(-len(content) % tarfile.BLOCKSIZE)


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _write(target: Path, members: Iterator[bytes], compresslevel: int = 1) -> Path:
    target.write_bytes(gzip.compress(b"".join((*members, bytes(2 * tarfile.BLOCKSIZE))), compresslevel))
    return target


def pack_files(files: Mapping[str, bytes], compresslevel: int = 9) -> bytes:
    """Return a bundle of files as OPA packs one: the same content is the same bundle but for its time."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=compresslevel) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"/{name}")
            member.size, member.mode = len(content), 0o600
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def read_bundle_revision(bundle: Path | BinaryIO) -> str:
    """Return the revision that the manifest of a bundle states, in a file or in one that is open.

    Raises:
        ConfigurationError: The file has no manifest.
    """
    try:
        with tarfile.open(bundle) if isinstance(bundle, Path) else tarfile.open(fileobj=bundle) as source:
            for member in source:
                if member.name.strip("/") == ".manifest":
                    manifest = source.extractfile(member) or io.BytesIO(b"{}")
                    return str(json.load(manifest).get("revision", ""))
    except (OSError, EOFError, ValueError, tarfile.TarError) as error:
        raise ConfigurationError(f"{bundle}: not a bundle ({error}): `warden bundle build` makes one") from error
    raise ConfigurationError(f"{bundle}: not a bundle, it has no manifest: `warden bundle build` makes one")
