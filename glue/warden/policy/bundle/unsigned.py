"""Bundles without their signature, for an OPA that starts with a bundle that was verified before."""

import gzip
import io
import json
import re
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from warden.base.errors import ConfigurationError
from warden.policy.bundle.constants import CONSTANTS
from warden.policy.bundle.signing import SIGNATURES

__all__ = ["bundle_revision", "strip_signature", "unpack_constants"]

_OF_CONSTANTS = ("catalog", "settings")  # as `warden.policy.bundle.assemble` writes them
_CONSTANT = re.compile(rb"(\w+) := (.+)")


def strip_signature(bundle: Path, target: Path) -> Path:
    """Copy a bundle to `target` without its signature, and return `target`.

    Raises:
        ConfigurationError: The file is not a bundle.
    """
    return _write(target, (member for _, member, _ in _members(bundle)))


def unpack_constants(bundle: Path, target: Path) -> Path:
    """Copy a bundle to `target` without its signature, with data in place of constant rules, and return `target`.

    OPA compiles the constants of `warden.policy.bundle.constants` in a fifth of the time of its start. With
    ``--optimize-store-for-read-speed`` it keeps data as it evaluates them, and decides as fast without.

    Raises:
        ConfigurationError: The file is not a bundle.
    """
    unpacked = (_to_data(name, content) or member for name, member, content in _members(bundle))
    return _write(target, unpacked, compresslevel=0)  # OPA reads it once


def _members(bundle: Path) -> Iterator[tuple[str, bytes, bytes]]:
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
    member = tarfile.TarInfo(str(path.with_name("data.json")))
    member.size = len(data)
    return member.tobuf() + data + bytes(-len(data) % tarfile.BLOCKSIZE)


def _is_json(text: bytes) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _write(target: Path, members: Iterator[bytes], compresslevel: int = 1) -> Path:
    target.write_bytes(gzip.compress(b"".join((*members, bytes(2 * tarfile.BLOCKSIZE))), compresslevel))
    return target


def bundle_revision(bundle: Path | BinaryIO) -> str:
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
