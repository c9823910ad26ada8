"""SCRAM credentials that files declare, as the contract has them; passwords are not read."""

from collections.abc import Iterator
from typing import Final

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import (
    Node,
    find,
    find_key_line,
    find_line,
    list_items,
    parse_string,
    read_whole_number,
)
from warden.base.did_you_mean import describe_unknown

__all__ = ["parse_jikkou_user"]

_JIKKOU_ITERATIONS: Final = 8192  # what Jikkou requests where a file says none
_MECHANISMS: Final = ("scram-sha-256", "scram-sha-512")


def parse_jikkou_user(node: Node, file: str) -> Iterator[Declaration]:
    """Yield a change for each of a KafkaUser's ``authentications``.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read.
    """
    user = parse_string(find(node, "metadata name"), "metadata.name")
    entries = list_items(find(node, "spec authentications"))
    if not entries:
        raise UnusableDeclaration(find_line(node), "spec.authentications is missing: write the mechanisms")
    for entry in entries:
        word = parse_string(find(entry, "type"), "type")
        if word.lower() not in _MECHANISMS:
            raise UnusableDeclaration(find_line(entry), describe_unknown("type", word, _MECHANISMS))
        iterations = find(entry, "iterations")
        wanted = _JIKKOU_ITERATIONS if iterations is None else _parse_whole_number(iterations)
        yield Declaration(
            operation="AlterScram",
            request={"user": user, "mechanism": word.upper(), "iterations": wanted},
            format="jikkou",
            file=file,
            line=find_line(entry),
            lines={
                field: find_key_line(entry, key) for field, key in (("mechanism", "type"), ("iterations", "iterations"))
            },
        )


def _parse_whole_number(node: Node) -> int:
    written = getattr(node, "value", None)
    number = read_whole_number(written) if isinstance(written, str) and not node.style else None
    if number is None or number < 0:
        raise UnusableDeclaration(find_line(node), "iterations is not a whole number: write its digits")
    return number
