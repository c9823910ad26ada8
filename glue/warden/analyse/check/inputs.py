"""Decision inputs of a file: one that the file is, or one for each declaration in it."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from warden.analyse.check.decisions import ClusterContext, build_decision_input
from warden.analyse.check.files import iter_content_declarations
from warden.analyse.check.model import FileContents, format_place
from warden.analyse.check.readers.ns4kafka import assign_users
from warden.base.errors import InputError
from warden.base.files.json_files import parse_json
from warden.base.files.standard_input import read_standard_input
from warden.policy.contract.decision_text import escape_line

__all__ = ["iter_inputs"]


def iter_inputs(path: Path, common: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each decision input with the place that it is from.

    Args:
        path: A decision input in JSON, or a file that ``warden check`` reads; ``-`` is standard input.
        common: What a declaration does not say, such as ``cluster`` and ``enforcementPoint``.

    Raises:
        InputError: Nothing in the file can be decided; the text names its lines.
    """
    content = _read(path)
    document = _parse_document(content, path)
    if isinstance(document, dict) and "operation" in document:
        yield str(path), {**common, **document}
        return
    contents = FileContents()
    contents.add(iter_content_declarations(content, path))
    contents = assign_users(contents, contents.users)
    if contents.faults:
        raise InputError(
            "\n".join(
                escape_line(f"{format_place(fault.file, fault.line)}: {fault.message}") for fault in contents.faults
            )
        )
    declarations = [declaration for declaration in contents.declared if declaration.operation]
    if not declarations:
        raise InputError(f"{path}: no decision input and no declaration in it: name a file that has one")
    for declared in declarations:
        cluster = str(declared.cluster or common["cluster"])
        own = build_decision_input(
            declared, ClusterContext(cluster, None), sum(change.operation == "DeleteTopic" for change in declarations)
        )
        yield f"{declared.file}:{declared.line}", {**common, "cluster": cluster, "clusterState": {}, **own}


def _read(path: Path) -> bytes:
    if str(path) == "-":
        return read_standard_input()
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}): name a file") from error


def _parse_document(content: bytes, path: Path) -> Any:
    if not content.lstrip().startswith(b"{"):
        return None
    try:
        json.loads(content)
    except RecursionError:
        pass
    except ValueError:
        return None
    return parse_json(content, str(path), "a decision input")
