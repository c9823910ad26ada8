"""Files as they are found: which to read, and everything that can be wrong with a file."""

import json
import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from warden.analyse.check.model import Declaration, Fault, FileContents, Found, UnusableDeclaration
from warden.analyse.check.readers.cloudformation import MSK_TOPIC_TYPE
from warden.analyse.check.readers.config_files import ConfigReading, is_connector, is_properties, parse_config_file
from warden.analyse.check.readers.dispatch import iter_declarations
from warden.analyse.check.readers.ns4kafka import assign_users
from warden.analyse.check.readers.rendered import read_rendered
from warden.analyse.check.readers.terraform.plan import (
    has_kafka_resources,
    is_plan,
    iter_planned_changes,
    list_planned,
)
from warden.base.errors import InputError, WardenError
from warden.base.files.json_files import parse_json
from warden.base.files.standard_input import read_standard_input
from warden.base.files.yaml_files import YamlDocument, iter_yaml_documents
from warden.base.files.yaml_loader import StrictLoader, TaggedLoader

__all__ = [
    "HCL_SUFFIXES",
    "MAX_FILE_BYTES",
    "SUFFIXES",
    "VARIABLE_FILE_SUFFIXES",
    "has_suffix",
    "iter_content_declarations",
    "iter_documents",
    "read_paths",
]

MAX_FILE_BYTES = 32 * 1024 * 1024
"""Bytes of a file; a larger one is not a declaration."""

HCL_SUFFIXES = (".tf", ".tofu")
"""How names of Terraform's and OpenTofu's configurations end."""

SUFFIXES = (".yaml", ".yml", ".json", ".properties", *HCL_SUFFIXES)
"""How names of files end that are read below a directory, in upper or lower case."""

VARIABLE_FILE_SUFFIXES = (*HCL_SUFFIXES, ".tfvars", ".tfvars.json")
"""How names of files end that say what variables and locals of a configuration are."""

_HCL_IN_JSON = (".tf.json", ".tofu.json")
_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F]")
_STANDARD_INPUT = "-"

_Read = Callable[..., Iterator[Found]]

_STREAM = "this is the stream of terraform plan -json: write terraform show -json PLANFILE > plan.json"


def has_suffix(name: str, suffixes: tuple[str, ...] = SUFFIXES) -> bool:
    """Return whether a file's name ends in one of some suffixes, in upper or lower case.

    Args:
        name: The name, with or without directories.
        suffixes: In lower case; by default those of all files that are read.
    """
    return name.lower().endswith(suffixes)


def read_paths(paths: Iterable[Path], reading: ConfigReading = ConfigReading()) -> FileContents:
    """Read files, and files below directories by how their names end; what begins with a dot is counted there.

    A directory that is a chart of Helm's or has a kustomization is rendered, and what a plan in it says of a
    directory's resources is not read in its HCL again.

    Args:
        paths: Files and directories; ``-`` is standard input.
        reading: How configuration files are read.
    """
    contents = FileContents()
    read = partial(iter_content_declarations, reading=reading, siblings=cache(read_siblings))
    for path in paths:
        found = list(_iter_path_declarations(path, read, contents.hidden))
        contents.add(found)
        alone = FileContents()
        alone.add(found)
        contents.empty.extend([str(path)] if alone.is_empty else [])
    return assign_users(contents, contents.users)


def _iter_path_declarations(path: Path, read: _Read, hidden: list[str]) -> Iterator[Found]:
    if str(path) == _STANDARD_INPUT:
        yield from read(read_standard_input(MAX_FILE_BYTES + 1), path)
    elif (found := _find_directory(path)) is None:
        yield from _iter_file_declarations(path, read)
    else:
        yield from [found] if isinstance(found, Fault) else _walk_directory(found, read, hidden)


def _find_directory(path: Path) -> Path | Fault | None:
    """The path where it is a directory, None where it is something else."""
    try:
        return path if path.is_dir() else None
    except OSError as error:
        return _build_unreadable(path, error)


def _build_unreadable(path: Path, error: OSError) -> Fault:
    return Fault(str(path), 0, f"cannot be read ({error.strerror}): permit it, or leave it out")


def _walk_directory(
    directory: Path, read: _Read, hidden: list[str], above: tuple[tuple[int, int], ...] = ()
) -> Iterator[Found]:
    """What is declared below a directory; what begins with a dot goes to `hidden`."""
    try:
        status = directory.stat()
        own = (status.st_dev, status.st_ino)
        if own in above:
            yield Fault(str(directory), 0, "this link leads back to a directory above it: remove it")
            return
        paths = sorted(directory.iterdir())
        for path in paths[:1]:
            path.lstat()  # a directory may be there to be listed, and not to be entered
    except OSError as error:
        yield _build_unreadable(directory, error)
        return
    if (rendered := read_rendered(directory, iter_content_declarations)) is not None:
        yield from rendered
        return
    find_planned = cache(partial(list_planned, paths, MAX_FILE_BYTES))
    for path in paths:
        if path.name.startswith("."):
            hidden.extend(_iter_hidden(path))
            continue
        if (below := _find_directory(path)) is not None:
            yield from [below] if isinstance(below, Fault) else _walk_directory(below, read, hidden, (*above, own))
        elif has_suffix(path.name, HCL_SUFFIXES):
            yield from _iter_file_declarations(path, partial(read, planned=find_planned()))
        elif has_suffix(path.name):
            yield from _iter_file_declarations(path, read)


def _iter_hidden(path: Path) -> Iterator[str]:
    """What is not read of what begins with a dot, and would be without it; nothing in git's own directory is."""
    found = [path] if path.is_symlink() or not path.is_dir() else []
    if not found and path.name != ".git":
        found = [Path(directory, name) for directory, _, names in os.walk(path) for name in names]
    yield from (str(file) for file in found if has_suffix(file.name))


def _iter_file_declarations(path: Path, read: _Read) -> Iterator[Found]:
    try:
        if not path.is_file() and path.exists():
            yield Fault(str(path), 0, "this is not a file: name a file, or a directory")
            return
        with path.open("rb") as file:
            content = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        yield Fault(str(path), 0, f"cannot be read ({os.strerror(error.errno or 0)}): name a file with declarations")
        return
    yield from read(content, path)


def read_siblings(directory: Path) -> Mapping[str, bytes]:
    """Return the files that say what variables and locals of a directory's HCL are, by name.

    Args:
        directory: The directory.

    Raises:
        UnusableDeclaration: One of them cannot be read.
    """
    try:
        paths = (
            path
            for path in sorted(directory.iterdir())
            if path.name.endswith(VARIABLE_FILE_SUFFIXES) and path.is_file()
        )
        return {path.name: path.read_bytes() for path in paths}
    except OSError as error:
        raise UnusableDeclaration(
            1, f"{error.filename} beside it cannot be read ({error.strerror}): permit it"
        ) from error


def iter_content_declarations(
    content: bytes,
    path: Path,
    reading: ConfigReading = ConfigReading(),
    siblings: Callable[[Path], Mapping[str, bytes]] | None = None,
    planned: Container[str] = (),
) -> Iterator[Found]:
    """Yield what the content of a file declares, and what is wrong with it.

    Args:
        content: The file, or its first bytes beyond `MAX_FILE_BYTES`.
        path: Its name, for messages.
        reading: How it is read where it is a configuration.
        siblings: Returns the files beside one of HCL, the same function for all files of a run; None for those on disk.
        planned: Addresses of resources and modules of HCL of which a plan says more.
    """
    if len(content) > MAX_FILE_BYTES:
        yield Fault(str(path), 1, f"larger than {MAX_FILE_BYTES >> 20} MB: this is not a declaration, or cut it")
        return
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        yield Fault(str(path), line, "this is not text: name a file with declarations")
        return
    content = content.removeprefix(b"\xef\xbb\xbf")
    if has_suffix(path.name, HCL_SUFFIXES):
        from warden.analyse.check.readers.terraform.hcl import iter_hcl  # its parser is slow to come, and few need it

        yield from iter_hcl(content, path, siblings or cache(read_siblings), planned)
    elif reading.component is not None or is_properties(content, path):
        yield from parse_config_file(content, path, reading)
    elif content.lstrip()[:1] in (b"{", b"["):
        yield from _iter_json_declarations(content, path)
    else:
        yield from _iter_yaml_declarations(content, path)


def _iter_json_declarations(content: bytes, path: Path) -> Iterator[Found]:
    try:
        document = parse_json(content, str(path), "a declaration")
    except InputError as error:
        if b'"@level"' in content[:1000]:
            yield Fault(str(path), 1, _STREAM)
        elif has_suffix(path.name, (".json",)):
            yield Fault.of_error(error, path)
        else:  # YAML's own flow style
            yield from _iter_yaml_declarations(content, path)
        return
    if _HALF_PAIR.search(content):
        try:
            json.dumps(document, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            yield Fault(str(path), 1, "half a surrogate pair (\\ud800 …) is not a character: write whole characters")
            return
    if is_connector(document):
        yield from parse_config_file(content, path, ConfigReading("connector"))
        return
    if is_plan(document):
        yield from iter_planned_changes(document, str(path))
        return
    if has_suffix(path.name, _HCL_IN_JSON) and has_kafka_resources(document):
        yield Fault(str(path), 1, "resources in Terraform's JSON are not read: check the plan (terraform show -json)")
        return
    documents = list(iter_documents(content, path))
    if any(isinstance(item, WardenError) for item in documents):  # as JSON it is right: only its lines are not known
        documents = list(iter_yaml_documents(json.dumps(document, ensure_ascii=False).encode(), path))
    yield from _expand_documents(documents, content, path)


def _iter_yaml_declarations(content: bytes, path: Path) -> Iterator[Found]:
    yield from _expand_documents(iter_documents(content, path), content, path)


def iter_documents(content: bytes, path: Path) -> Iterator[YamlDocument | WardenError]:
    """Yield each document of a file, or what is wrong with it; only templates of CloudFormation have tags of their own.

    Args:
        content: The file.
        path: Its name, for messages.
    """
    loader = TaggedLoader if MSK_TOPIC_TYPE.encode() in content else StrictLoader
    yield from iter_yaml_documents(content, path, loader=loader)


def _expand_documents(documents: Iterable[YamlDocument | WardenError], content: bytes, path: Path) -> Iterator[Found]:
    for item in documents:
        if isinstance(item, YamlDocument):
            for declared in iter_declarations(item.node, str(path)):
                yield replace(declared, node=None) if isinstance(declared, Declaration) else declared
            continue
        fault = Fault.of_error(item, path)
        template = b"{{" in content or b"{%" in content
        advice = "; it is a template: render it first, as in helm template … | warden check -" if template else ""
        yield Fault(fault.file, fault.line, fault.message + advice)
