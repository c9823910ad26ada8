"""A loader for PyYAML that accepts only what has one meaning and a JSON equivalent.

PyYAML lets the last of equal keys win, though keys are unique (YAML 1.2.2, 3.2.1.1); it follows an alias into what the
alias stands in; and its composer over libyaml ends the process where the nesting is deep. Here each of them is an
error with its mark.
"""

import json
import math
from collections.abc import Callable, Iterable
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor

__all__ = ["MAX_DEPTH", "MAX_VALUES", "StrictLoader", "TaggedLoader", "UnfitYaml"]

MAX_DEPTH = 100
"""How many lists and mappings may stand in each other, aliases written out."""
MAX_VALUES = 10_000_000
"""How many values a document may have, aliases written out."""

_TAG = "tag:yaml.org,2002:"
_TEXTS = {f"{_TAG}str", f"{_TAG}merge"}


class UnfitYaml(yaml.MarkedYAMLError):  # type: ignore[misc, unused-ignore]  # Any, where PyYAML has no stubs
    """Raised for what is YAML, and will not do; ``problem`` says what to write, ``problem_mark`` where it stands."""


class _UniqueKeys(Composer):
    """PyYAML's composer, over the events of whichever parser, with the checks of what it composes."""

    peek_event: Callable[[], Any]  # the parser's
    construct_object: Callable[[yaml.Node], Any]  # the constructor's

    def __init__(self) -> None:
        Composer.__init__(self)
        self._open: list[str | None] = []  # the anchors of the collections that are being composed
        self._aliases = False

    def compose_document(self) -> Any:
        node: Any = super().compose_document()
        if self._aliases:
            _measure(node, 1, {})
        return node

    def compose_node(self, parent: yaml.Node | None, index: Any) -> Any:
        event = self.peek_event()
        if isinstance(event, yaml.ScalarEvent):
            return super().compose_node(parent, index)
        if isinstance(event, yaml.AliasEvent):
            if event.anchor in self._open:
                raise _build_unfit(event, f"*{event.anchor} stands in what it names: write out what you mean")
            self._aliases = True
            return super().compose_node(parent, index)
        if len(self._open) >= MAX_DEPTH:
            raise _build_depth_error(event)
        self._open.append(event.anchor)
        node = super().compose_node(parent, index)
        self._open.pop()
        return node

    def compose_mapping_node(self, anchor: Any) -> Any:
        node = super().compose_mapping_node(anchor)
        lines: dict[str, int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue  # the constructor says what is wrong with it
            name = key.value if key.tag in _TEXTS else _format_key(self.construct_object(key))
            if name in lines:
                raise _build_unfit(key, f"the key {name} is there already, in line {lines[name]}: keep one of the two")
            lines[name] = key.start_mark.line + 1
        return node


_Library: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class StrictLoader(_UniqueKeys, _Library):  # type: ignore[misc, unused-ignore]  # one of two classes
    """Safe, with libyaml's parser where PyYAML has it; all values are JSON's: dates are texts, and so are all keys.

    Args:
        text: The file.
    """

    def __init__(self, text: str) -> None:
        _UniqueKeys.__init__(self)
        _Library.__init__(self, text)

    def construct_mapping(self, node: yaml.Node, deep: bool = False) -> dict[str, Any]:
        return {_format_key(key): value for key, value in super().construct_mapping(node, deep=deep).items()}


def _build_scalar_constructor(kind: str) -> Callable[[Any, yaml.Node], Any]:
    """PyYAML's constructor of a scalar, whose errors have a place."""
    construct = SafeConstructor.yaml_constructors[_TAG + kind]

    def construct_scalar(loader: Any, node: yaml.Node) -> Any:
        shown = node.value if len(node.value) < 40 else f"{node.value[:40]}…"
        try:
            value = construct(loader, node)
        except (ValueError, KeyError, IndexError):
            raise _build_unfit(node, f"{shown} cannot be read as {kind}: correct it, or quote it as a string") from None
        if not _is_finite(value):
            raise _build_unfit(node, f"{shown} has no place in JSON: write a number")
        return value

    return construct_scalar


def _is_finite(value: bool | float) -> bool:
    """Whether a double holds the number, as it must in JSON for each reader to take it for the same."""
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def _select_resolvers(resolvers: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return [(tag, pattern) for tag, pattern in resolvers if tag not in {f"{_TAG}timestamp", f"{_TAG}value"}]


StrictLoader.yaml_implicit_resolvers = {
    first: _select_resolvers(resolvers) for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
StrictLoader.yaml_constructors = {
    **{
        tag: SafeConstructor.yaml_constructors[tag] for tag in (f"{_TAG}null", f"{_TAG}str", f"{_TAG}seq", f"{_TAG}map")
    },
    **{f"{_TAG}{kind}": _build_scalar_constructor(kind) for kind in ("bool", "int", "float")},
    None: SafeConstructor.construct_undefined,
}


def _format_key(value: Any) -> str:
    """A key as JSON has it, as in ``replicasAssignments: {0: [1]}``."""
    return value if isinstance(value, str) else json.dumps(value)


def _measure(node: yaml.Node, depth: int, measured: dict[yaml.Node, tuple[int, int]]) -> tuple[int, int]:
    """Height and size of a node with its aliases written out, each node looked at once."""
    if isinstance(node, yaml.ScalarNode):
        return 0, 1
    height, size = measured.get(node, (0, 0))
    if not size:
        pairs = isinstance(node, yaml.MappingNode)
        below = [child for pair in node.value for child in pair] if pairs else node.value
        measures = [_measure(child, depth + 1, measured) for child in below]
        height = 1 + max((high for high, _ in measures), default=0)
        size = 1 + sum(large for _, large in measures)
        measured[node] = height, size
    if depth + height > MAX_DEPTH + 1:
        raise _build_depth_error(node)
    if size > MAX_VALUES:
        raise _build_unfit(node, "with its aliases written out this is too large: name less by aliases")
    return height, size


def _build_depth_error(event: Any) -> UnfitYaml:
    return _build_unfit(event, f"lists and mappings stand more than {MAX_DEPTH} deep in each other: write less deeply")


def _build_unfit(event: Any, sentence: str) -> UnfitYaml:
    return UnfitYaml(None, None, sentence, event.start_mark)


class TaggedLoader(StrictLoader):
    """Takes tags of a file's own, as in ``!Ref``, too; their values are None, and their nodes have what is written.

    Args:
        text: The file.
    """


TaggedLoader.add_multi_constructor("!", lambda _loader, _tag, _node: None)
