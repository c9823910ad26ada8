"""Packing of the one file: each directory of a tree as an archive of its own, behind a start that unpacks them."""

import hashlib
import io
import stat
import zipfile
from pathlib import Path

from warden.base.errors import ToolchainError

__all__ = ["write_one_file"]

_TIME = (1980, 1, 1, 0, 0, 0)  # the same content makes the same file
_DECLARATION = "_PARTS: dict[str, str] = {}"


def write_one_file(tree: Path, output: Path) -> None:
    """Write an executable file.

    Args:
        tree: Its directories, as `tools.one_file.start` unpacks them: ``any``, ``opa``, and one for each Python.
        output: The file. A start has few entries to look through, since each directory is one.

    Raises:
        ToolchainError: The start does not declare what it unpacks.
    """
    parts = {directory.name: _pack(directory) for directory in sorted(tree.iterdir())}
    sums = {name: hashlib.sha256(part).hexdigest() for name, part in parts.items()}
    before, declaration, after = Path(__file__).with_name("start.py").read_text("utf-8").partition(_DECLARATION)
    if not declaration:
        raise ToolchainError(f"start.py has no line {_DECLARATION!r}: write it, and what it is for")
    with output.open("wb") as file:
        file.write(b"#!/usr/bin/env python3\n")
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(zipfile.ZipInfo("__main__.py", _TIME), f"{before}_PARTS = {sums!r}{after}")
            for name, part in parts.items():
                archive.writestr(zipfile.ZipInfo(name, _TIME), part)
    output.chmod(0o755)


def _pack(directory: Path) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(path for path in directory.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(directory).as_posix(), _TIME)
            entry.external_attr = (stat.S_IFREG | path.stat().st_mode & 0o755) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
