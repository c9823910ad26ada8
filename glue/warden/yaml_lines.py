"""Where in a YAML file something stands, for messages about it."""

from collections.abc import Sequence

import yaml

__all__ = ["line_of"]


def line_of(node: yaml.Node | None, place: Sequence[str]) -> int:
    """Return the line, counted from 1, of the deepest node on the way to a place.

    Args:
        node: The file as PyYAML's nodes; None for an empty one.
        place: Keys, and positions in lists as text.
    """
    line = 1 if node is None else node.start_mark.line + 1
    for piece in place:
        below: yaml.Node | None = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if key.value == piece:
                    below, line = value, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and piece.isdigit() and int(piece) < len(node.value):
            below = node.value[int(piece)]
            line = below.start_mark.line + 1
        if below is None:
            break
        node = below
    return line
