"""Patches of rules written into files: only the values that they name, and only where nothing else changes."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from warden.adapter.fields import Malformed
from warden.adapter.patch import patched
from warden.check.decisions import Decided
from warden.check.documents import declared_in
from warden.check.files import read_content
from warden.check.model import Contents, Declared
from warden.check.spans import Edit, Unfixable, edit_value, edited, shared_nodes
from warden.errors import InputError
from warden.files.yaml_files import YamlDocument, read_each_document

__all__ = ["Fixes", "fix_files"]

_BOM = "\ufeff"

_Operation = Mapping[str, Any]


@dataclass(frozen=True)
class Fixes:
    """What became of the patches.

    Args:
        written: What was written, a line each.
        left: What was not, with the reason, a line each.
    """

    written: Sequence[str]
    left: Sequence[str]


def fix_files(decided: Iterable[Decided]) -> Fixes:
    """Write the patches of violations that deny into the files in which the values stand.

    A patch is left out where its value stands behind an anchor or in a form that says it otherwise, and where reading
    the file again shows that anything else would change.

    Args:
        decided: What was decided about files as they are.

    Raises:
        InputError: A file cannot be written.
    """
    written: list[str] = []
    left: list[str] = []
    patches = [(one.declared, operations) for one in decided if (operations := _operations(one))]
    wanted = [(declared, operations) for declared, operations in patches if not declared.component]
    for declared, operations in patches:
        if declared.component:
            left += [f"{declared.file}: {_shown(each)}: properties are left to people" for each in operations]
    for file, group in groupby(sorted(wanted, key=lambda each: each[0].file), key=lambda each: each[0].file):
        path = Path(file)
        text = old = path.read_bytes().decode("utf-8")
        index = {(one.line, one.name): i for i, one in enumerate(_read(old, path).declared)}
        for declared, operations in group:
            for operation in operations:
                where = f"{file}: {declared.name}: {_shown(operation)}"
                try:
                    text = _fixed(text, path, index[declared.line, declared.name], operation)
                    written.append(where)
                except (Unfixable, Malformed, KeyError) as why:
                    left.append(f"{where}: {why if isinstance(why, Unfixable) else 'its place is not known'}")
        if text != old:
            _write(path, text)
    return Fixes(written, left)


def _operations(one: Decided) -> list[_Operation]:
    found: list[_Operation] = []
    for violation in one.decision.get("violations", ()):
        if violation["effect"] == "deny":
            found += [operation for operation in violation.get("patch") or () if operation not in found]
    return found


def _shown(operation: _Operation) -> str:
    path = str(operation["path"]).removeprefix("/").replace("~1", "/").replace("~0", "~")
    return f"{path} removed" if operation["op"] == "remove" else f"{path} is {operation['value']}"


def _read(text: str, path: Path) -> Contents:
    contents = Contents()
    contents.add(read_content(text.encode(), path))
    return contents


def _fixed(text: str, path: Path, index: int, operation: _Operation) -> str:
    """The text with one operation carried out on the declaration of that index."""
    mark, body = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    declared, shared = _placed(body, path)[index]
    pieces = [piece.replace("~1", "/").replace("~0", "~") for piece in str(operation["path"])[1:].split("/")]
    value = None if operation["op"] == "remove" else operation["value"]
    place = declared.fields.get("/".join(pieces)) or declared.fields.get(pieces[0])
    if place is None or declared.node is None or not isinstance(value, str | int | None):
        raise Unfixable("it has no place in this form")
    key = [] if "/".join(pieces) in declared.fields else pieces[1:]
    edit: Edit = edit_value(body, declared.node, [*place.split(), *key], value, shared)
    new = mark + edited(body, [edit])
    before, after = _read(text, path), _read(new, path)
    expected = [_plain(one) for one in before.declared]
    expected[index] = _plain(replace(before.declared[index], request=patched(declared.request, [operation])))
    if expected != [_plain(one) for one in after.declared] or len(before.faults) != len(after.faults):
        raise Unfixable("more than that would change")
    return new


def _plain(one: Declared) -> tuple[Any, ...]:
    """What a declaration says, without where."""
    return one.format, one.operation, dict(one.request), one.cluster, one.before, one.unknown


def _placed(body: str, path: Path) -> list[tuple[Declared, set[int]]]:
    """Each declaration with its nodes, and the nodes of its document that stand in several places."""
    placed: list[tuple[Declared, set[int]]] = []
    for document in read_each_document(body.encode(), path):
        if isinstance(document, YamlDocument) and document.node is not None:
            shared = shared_nodes(document.node)
            placed += [(one, shared) for one in _declared(document, path)]
    return placed


def _declared(document: YamlDocument, path: Path) -> Iterator[Declared]:
    yield from (one for one in declared_in(document.node, str(path)) if isinstance(one, Declared))


def _write(path: Path, text: str) -> None:
    """Put a file in the place of another at once, with its mode; of a link the file that it leads to."""
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
