"""The examples beside a rule: `<rule>_examples.yaml`, under the rule's file name as key, so that plain OPA loads it."""

from pathlib import Path
from typing import Any

import yaml

from warden.base.errors import ConfigurationError

__all__ = ["locate_examples", "read_examples"]


def locate_examples(rule: Path) -> Path:
    """Return where the examples of the rule in a Rego file are."""
    return rule.with_name(f"{rule.stem}_examples.yaml")


def read_examples(file: Path) -> dict[str, Any]:
    """Return the examples of a rule: ``good`` and ``bad``.

    Args:
        file: The YAML file beside the rule's Rego file.

    Raises:
        ConfigurationError: The file does not have the one key that it needs, the name of the rule's file.
    """
    document, rule = yaml.safe_load(file.read_text(encoding="utf-8")), file.stem.removesuffix("_examples")
    examples = document.get(rule) if isinstance(document, dict) and len(document) == 1 else None
    if not isinstance(examples, dict):
        raise ConfigurationError(f"{file}: write good: and bad: under the one key {rule}, the rule's file name")
    return examples
