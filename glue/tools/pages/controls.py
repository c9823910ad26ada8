"""The rules by the controls of frameworks that they name, for the page that lists all rules."""

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["render_controls"]

_HEAD = """## By control

What a scan shows about [controls](../controls.md) is counted by the rules that name them; \
a rule without a fitting control names none."""


def render_controls(frameworks: Mapping[str, Any], rules: Mapping[str, Any]) -> str:
    """Return the section.

    Args:
        frameworks: The frameworks by name, as in ``bundle/catalog/controls``.
        rules: METADATA of the rules by id.
    """
    parts = [_HEAD]
    for name, framework in frameworks.items():
        table = ["| control | about | rules |", "|---|---|---|", *_iter_rows(name, framework["controls"], rules)]
        parts += [f"### {framework['title']}", f"`{name}` in METADATA.", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


def _iter_rows(framework: str, controls: Mapping[str, Any], rules: Mapping[str, Any]) -> Iterator[str]:
    for id, control in controls.items():
        own = (rule for rule, metadata in rules.items() if f"{framework} {id}" in metadata["controls"])
        yield f"| {id} | {control['title']} | {', '.join(f'[{rule}]({rule}.md)' for rule in own)} |"
