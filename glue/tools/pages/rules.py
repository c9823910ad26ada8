"""One page for each rule, and a table of all: Markdown, the same every time."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.examples import locate_examples, read_examples
from warden.policy.bundle.metadata import list_rule_texts

__all__ = ["render_rules"]

_NOTE = "<!-- Made by `python -m tools.pages`: change the rule, its settings or its examples instead. -->\n"
_PLACE = re.compile(r"\{\w+\}")  # a text that is nothing but this stands below, in the examples
_KINDS = {"bad": "Denied", "good": "Allowed"}


def render_rules(policies: Path, rules: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, str]:
    """Return the pages of all rules and their index: name of the file → text.

    Args:
        policies: Directory of the policies; the examples stand there, beside the rules.
        rules: The rules' metadata by id.
        settings: The rules' shipped settings by id.
    """
    texts = {"README.md": _render_index(rules, settings)}
    for id, rule in rules.items():
        beside = locate_examples(policies / rule["file"])
        examples = read_examples(beside) if beside.is_file() else {}
        texts[f"{id}.md"] = _render_page(rule, settings[id], examples)
    return texts


def _render_index(rules: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Return the table of all rules."""
    rows = (
        f"| [{id}]({id}.md) | {rule['severity']} | {settings[id]['mode']} | {rule['title']} |"
        for id, rule in rules.items()
    )
    head = f"{_NOTE}\n# Rules\n\nThe mode is the shipped one; [settings](../contract.md#settings) change it.\n"
    return "\n".join([head, "| rule | severity | mode | title |", "|---|---|---|---|", *rows, ""])


def _render_page(rule: Mapping[str, Any], setting: Mapping[str, Any], examples: Mapping[str, Any]) -> str:
    """Return a rule's page: what, why, for which operations, with which parameters, examples, the way out, sources."""
    return "\n\n".join(
        [
            *_iter_head_paragraphs(rule, setting),
            *_iter_param_paragraphs(rule["params"], setting["params"]),
            *_iter_example_paragraphs(examples),
            *_iter_tail_paragraphs(rule),
        ]
    )


def _iter_head_paragraphs(rule: Mapping[str, Any], setting: Mapping[str, Any]) -> Iterator[str]:
    yield f"{_NOTE}\n# {rule['id']}: {rule['title']}"
    yield rule["description"].strip()
    facts = [f"Severity **{rule['severity']}**", f"shipped mode **{setting['mode']}**", ", ".join(rule["operations"])]
    yield " · ".join(facts if rule.get("reversible", True) else [*facts, "what it asks for cannot be undone"])
    says, fixes = _list_texts(rule, "message", "messages"), _list_texts(rule, "fix", "fixes")
    lines = [*(f"- Says: “{text}”" for text in says), *(f"- Fix: {text}" for text in fixes)]
    if rule["controls"]:
        lines.append(f"- [Controls](../controls.md): {', '.join(rule['controls'])}")
    if lines:
        yield "\n".join(lines)


def _list_texts(rule: Mapping[str, Any], single: str, many: str) -> list[str]:
    return [text for text in list_rule_texts(rule, single, many) if not _PLACE.fullmatch(text)]


def _iter_param_paragraphs(schemas: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[str]:
    if schemas:
        yield "## Parameters"
        rows = (
            f"| `{name}` | {_format_type(schema)} | `{_format_json(values[name])}` | {schema['description']} |"
            for name, schema in schemas.items()
        )
        yield "\n".join(["| parameter | type | shipped value | meaning |", "|---|---|---|---|", *rows]).replace(
            "||", "| |"
        )


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _format_type(schema: Mapping[str, Any]) -> str:
    limits = [f"{words} {schema[key]}" for key, words in {"minimum": "≥", "maximum": "≤"}.items() if key in schema]
    return " ".join([str(schema.get("type", "any")), *limits])


def _iter_example_paragraphs(examples: Mapping[str, Any]) -> Iterator[str]:
    for kind, heading in _KINDS.items():
        for example in examples.get(kind, []):
            yield f"## {heading}: {example['title']}"
            if "settings" in example:
                yield f"With the parameters `{_format_json(example['settings']['params'])}`."
            yield f"```json\n{json.dumps(example['input'], indent=2, ensure_ascii=False)}\n```"
            if kind == "bad":
                yield "\n>\n".join(_iter_decision_lines(example))


def _iter_decision_lines(example: Mapping[str, Any]) -> Iterator[str]:
    yield f"> {example['message']}"
    if "fix" in example:
        yield f"> Fix: {example['fix']}"


def _iter_tail_paragraphs(rule: Mapping[str, Any]) -> Iterator[str]:
    if rule["references"]:
        yield "## Sources"
        yield "\n".join(f"- {reference}" for reference in rule["references"])
    yield f"The rule: [{rule['file']}](../../../policies/{rule['file']})\n"
