"""SCRAM credentials that files declare, as the contract has them; passwords are not read."""

from collections.abc import Iterator
from typing import Final

from warden.check.model import Declared, Refused
from warden.check.nodes import Node, find, items, key_line, line_of_node, text

__all__ = ["jikkou_user"]

_JIKKOU_ITERATIONS: Final = 8192  # what Jikkou requests where a file says none
_MECHANISMS: Final = ("scram-sha-256", "scram-sha-512")


def jikkou_user(node: Node, file: str) -> Iterator[Declared]:
    """Yield a change for each of a KafkaUser's `authentications`.

    Raises:
        Refused: A value is missing or cannot be read.
    """
    user = text(find(node, "metadata name"), "metadata.name")
    found = items(find(node, "spec authentications"))
    if not found:
        raise Refused(line_of_node(node), "spec.authentications is missing: write the mechanisms")
    for entry in found:
        word = text(find(entry, "type"), "type")
        if word.lower() not in _MECHANISMS:
            raise Refused(line_of_node(entry), f"type {word} is not known: write one of {', '.join(_MECHANISMS)}")
        iterations = find(entry, "iterations")
        wanted = _JIKKOU_ITERATIONS if iterations is None else _whole(iterations)
        yield Declared(
            operation="AlterScram",
            request={"user": user, "mechanism": word.upper(), "iterations": wanted},
            format="jikkou",
            file=file,
            line=line_of_node(entry),
            lines={field: key_line(entry, key) for field, key in (("mechanism", "type"), ("iterations", "iterations"))},
        )


def _whole(node: Node) -> int:
    written = getattr(node, "value", None)
    if not isinstance(written, str) or node.style or not written.isdecimal() or written != str(int(written)):
        raise Refused(line_of_node(node), "iterations is not a whole number: write its digits")
    return int(written)
