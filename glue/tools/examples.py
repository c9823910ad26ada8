"""The examples beside a rule: `<rule>.yaml`, under the rule's file name as key, so that plain OPA can load it."""

from pathlib import Path
from typing import Any

import yaml

from warden.base.errors import ConfigurationError

__all__ = ["read_examples"]


def read_examples(file: Path) -> dict[str, Any]:
    """Return the examples of a rule: ``good`` and ``bad``.

    Args:
        file: The YAML file beside the rule's Rego file.

    Raises:
        ConfigurationError: The file does not have the one key that it needs, the name of the rule's file.
    """
    document = yaml.safe_load(file.read_text(encoding="utf-8"))
    examples = document.get(file.stem) if isinstance(document, dict) and len(document) == 1 else None
    if not isinstance(examples, dict):
        raise ConfigurationError(f"{file}: write good: and bad: under the one key {file.stem}, the rule's file name")
    return examples
