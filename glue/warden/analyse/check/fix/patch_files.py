"""Patches of rules written into files: only the values that they name, and only where nothing else changes."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from warden.analyse.check.files import iter_content_declarations, iter_documents
from warden.analyse.check.fix.choose_patches import PatchOperation, ProposedWrite
from warden.analyse.check.fix.spans import Edit, Unfixable, apply_edits, edit_value, list_shared_nodes
from warden.analyse.check.model import Declaration, FileContents
from warden.analyse.check.readers.dispatch import iter_declarations
from warden.base.errors import InputError
from warden.base.files.yaml_files import YamlDocument
from warden.policy.adapter.fields import Malformed
from warden.policy.adapter.patch import apply_patch

__all__ = ["Fixes", "fix_files", "write_text"]

_BOM = "\ufeff"


@dataclass(frozen=True)
class Fixes:
    """What became of the patches.

    Args:
        written: What was written.
        left: What was not, with the reason, a line each.
    """

    written: Sequence[ProposedWrite]
    left: Sequence[str]


def fix_files(writes: Iterable[ProposedWrite]) -> Fixes:
    """Write patches of violations into the files in which the values stand.

    A patch is left out where its value stands behind an anchor or in a form that says it otherwise, and where reading
    the file again shows that anything else would change.

    Args:
        writes: What is proposed about files as they are.

    Raises:
        InputError: A file cannot be written.
    """
    written: list[ProposedWrite] = []
    left: list[str] = []
    wanted = []
    for write in writes:
        if write.declared.unfixable:
            left.append(f"{write.sentence}: {write.declared.unfixable}")
        else:
            wanted.append(write)
    for file, group in groupby(sorted(wanted, key=lambda fix: fix.declared.file), lambda fix: fix.declared.file):
        path = Path(file)
        text = old = path.read_bytes().decode("utf-8")
        index = {(declared.line, declared.name): i for i, declared in enumerate(_parse_contents(old, path).declared)}
        for write in group:
            try:
                text = _apply_fix(text, path, index[write.declared.line, write.declared.name], write.operation)
                written.append(write)
            except (Unfixable, Malformed, KeyError) as why:
                left.append(f"{write.sentence}: {why if isinstance(why, Unfixable) else 'its place is not known'}")
        if text != old:
            write_text(path, text)
    return Fixes(written, left)


def _parse_contents(text: str, path: Path) -> FileContents:
    contents = FileContents()
    contents.add(iter_content_declarations(text.encode(), path))
    return contents


def _apply_fix(text: str, path: Path, index: int, operation: PatchOperation) -> str:
    """The text with one operation carried out on the declaration of that index."""
    mark, body = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    declared, shared = _locate_declarations(body, path)[index]
    pieces = [piece.replace("~1", "/").replace("~0", "~") for piece in str(operation["path"])[1:].split("/")]
    value = None if operation["op"] == "remove" else operation["value"]
    place = declared.fields.get("/".join(pieces)) or declared.fields.get(pieces[0])
    if place is None or declared.node is None or not isinstance(value, str | int | None):
        raise Unfixable("this format has no field for such a value: change it by hand")
    key = [] if "/".join(pieces) in declared.fields else pieces[1:]
    edit: Edit = edit_value(body, declared.node, [*place.split(), *key], value, shared)
    new = mark + apply_edits(body, [edit])
    before, after = _parse_contents(text, path), _parse_contents(new, path)
    expected = [_strip_location(change) for change in before.declared]
    expected[index] = _strip_location(
        replace(before.declared[index], request=apply_patch(declared.request, [operation]))
    )
    if expected != [_strip_location(change) for change in after.declared] or len(before.faults) != len(after.faults):
        raise Unfixable("more than that would change")
    return new


def _strip_location(change: Declaration) -> tuple[Any, ...]:
    """What a declaration says, without where."""
    return change.format, change.operation, dict(change.request), change.cluster, change.before, change.unknown


def _locate_declarations(body: str, path: Path) -> list[tuple[Declaration, set[int]]]:
    """Each declaration with its nodes, and the nodes of its document that stand in several places."""
    placed: list[tuple[Declaration, set[int]]] = []
    for document in iter_documents(body.encode(), path):
        if isinstance(document, YamlDocument) and document.node is not None:
            shared = list_shared_nodes(document.node)
            placed += [(declaration, shared) for declaration in _iter_declarations(document, path)]
    return placed


def _iter_declarations(document: YamlDocument, path: Path) -> Iterator[Declaration]:
    yield from (item for item in iter_declarations(document.node, str(path)) if isinstance(item, Declaration))


def write_text(path: Path, text: str) -> None:
    """Put a file in the place of another at once, with its mode; of a link the file that it leads to.

    Args:
        path: The file.
        text: What it holds then.

    Raises:
        InputError: It cannot be written, and is as it was.
    """
    place = path.resolve()
    temporary = ""
    try:
        with tempfile.NamedTemporaryFile(dir=place.parent, prefix=f".{place.name}.", delete=False) as file:
            temporary = file.name
            file.write(text.encode("utf-8"))
        shutil.copymode(place, temporary)
        Path(temporary).replace(place)
    except OSError as error:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        raise InputError(f"{path}: cannot be written ({error.strerror}): permit it, or leave out --fix") from error
