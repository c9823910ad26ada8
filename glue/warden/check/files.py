"""Files as they are found: which to read, and everything that can be wrong with a file."""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from warden.check.config_files import ConfigReading, configs_of, is_connector, is_properties
from warden.check.documents import declared_in
from warden.check.model import Contents, Declared, Fault, Skipped
from warden.check.terraform import is_plan, planned
from warden.errors import InputError, WardenError
from warden.files.json_files import parse_json
from warden.files.yaml_files import YamlDocument, read_each_document

__all__ = ["LARGEST", "SUFFIXES", "read_content", "read_paths"]

LARGEST = 32 * 1024 * 1024
"""Bytes of a file; a larger one is no declaration."""

SUFFIXES = (".yaml", ".yml", ".json", ".properties")
"""How names of files end that are read below a directory."""

_STANDARD_INPUT = "-"
_STREAM = "this is the stream of terraform plan -json: write terraform show -json PLANFILE > plan.json"

_Found = Declared | Fault | Skipped


def read_paths(paths: Iterable[Path], reading: ConfigReading = ConfigReading()) -> Contents:
    """Read files, and the YAML, JSON and properties files below directories; what begins with a dot is left out there.

    Args:
        paths: Files and directories; ``-`` is standard input.
        reading: How configuration files are read.
    """
    contents = Contents()
    contents.add(found for path in paths for found in _read_path(path, reading))
    return contents


def _read_path(path: Path, reading: ConfigReading) -> Iterator[_Found]:
    if str(path) == _STANDARD_INPUT:
        yield from read_content(sys.stdin.buffer.read(LARGEST + 1), path, reading)
    elif path.is_dir():
        yield from _below(path, (), reading)
    else:
        yield from _read_file(path, reading)


def _below(directory: Path, above: tuple[tuple[int, int], ...], reading: ConfigReading) -> Iterator[_Found]:
    try:
        status = directory.stat()
        own = (status.st_dev, status.st_ino)
        if own in above:
            yield Fault(str(directory), 1, "this link leads back to a directory above it: remove it")
            return
        paths = sorted(directory.iterdir())
    except OSError as error:
        yield Fault(str(directory), 1, f"cannot be read ({error.strerror}): permit it, or leave it out")
        return
    for path in paths:
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from _below(path, (*above, own), reading)
        elif path.suffix in SUFFIXES:
            yield from _read_file(path, reading)


def _read_file(path: Path, reading: ConfigReading) -> Iterator[_Found]:
    try:
        if not path.is_file() and path.exists():
            yield Fault(str(path), 1, "this is no file: name a file, or a directory")
            return
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        yield Fault(str(path), 1, f"cannot be read ({os.strerror(error.errno or 0)}): name a file with declarations")
        return
    yield from read_content(content, path, reading)


def read_content(
    content: bytes, path: Path, reading: ConfigReading = ConfigReading()
) -> Iterator[Declared | Fault | Skipped]:
    """Yield what the content of a file declares, and what is wrong with it.

    Args:
        content: The file, or its first bytes beyond `LARGEST`.
        path: Its name, for messages.
        reading: How it is read where it is a configuration.
    """
    if len(content) > LARGEST:
        yield Fault(str(path), 1, f"larger than {LARGEST >> 20} MB: this is no declaration, or cut it")
        return
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        yield Fault(str(path), line, "this is no text: name a file with declarations")
        return
    content = content.removeprefix(b"\xef\xbb\xbf")
    if reading.component is not None or is_properties(content, path):
        yield from configs_of(content, path, reading)
    elif content.lstrip()[:1] in (b"{", b"["):
        yield from _json(content, path)
    else:
        yield from _yaml(content, path)


def _json(content: bytes, path: Path) -> Iterator[_Found]:
    try:
        document = parse_json(content, str(path), "a declaration")
    except InputError as error:
        if b'"@level"' in content[:1000]:
            yield Fault(str(path), 1, _STREAM)
        elif path.suffix == ".json":
            yield _fault(error, path)
        else:  # YAML's own flow style
            yield from _yaml(content, path)
        return
    if is_connector(document):
        yield from configs_of(content, path, ConfigReading("connector"))
        return
    if is_plan(document):
        yield from planned(document, str(path))
        return
    found = list(read_each_document(content, path))
    if any(isinstance(each, WardenError) for each in found):  # as JSON it is right: only its lines are not known
        found = list(read_each_document(json.dumps(document, ensure_ascii=False).encode(), path))
    yield from _documents(found, content, path)


def _yaml(content: bytes, path: Path) -> Iterator[_Found]:
    yield from _documents(read_each_document(content, path), content, path)


def _documents(found: Iterable[YamlDocument | WardenError], content: bytes, path: Path) -> Iterator[_Found]:
    for each in found:
        if isinstance(each, YamlDocument):
            for one in declared_in(each.node, str(path)):
                yield replace(one, node=None) if isinstance(one, Declared) else one
            continue
        fault = _fault(each, path)
        template = b"{{" in content or b"{%" in content
        advice = "; it is a template: render it first, as in helm template … | warden check -" if template else ""
        yield Fault(fault.file, fault.line, fault.message + advice)


def _fault(error: WardenError, path: Path) -> Fault:
    """An error whose text begins with file and line, taken apart."""
    line, colon, message = str(error).removeprefix(f"{path}:").partition(": ")
    if colon and line.isdecimal():
        return Fault(str(path), int(line), message)
    return Fault(str(path), 1, str(error).removeprefix(f"{path}: "))
