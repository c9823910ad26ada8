"""A new rule of the library in a checkout, with its test, its examples and its settings."""

import json
import re
from collections.abc import Collection
from pathlib import Path

import yaml

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError
from warden.commands.scaffold.templates import fill_template, locate_template, write_new

__all__ = ["write_rule"]

_ID = re.compile(r"KFK-[A-Z]{3}-[0-9]{3}")
_RULES = Path("policies/kafka/rules")
_SETTINGS = Path("bundle/settings/data.yaml")
_FILES = {"rule.rego": "{name}.rego", "rule-test.rego": "{name}_test.rego", "rule.yaml": "{name}_examples.yaml"}


def write_rule(checkout: Path, id: str, family: str, title: str, *, known: Collection[str]) -> list[Path]:
    """Write a rule about new topics, which forbids names, and enter it in the settings; return the files.

    Args:
        checkout: A clone of Warden's repository.
        id: As ``KFK-NAM-099``.
        family: The package below ``kafka.rules``, one that has rules about new topics.
        title: Of the rule, in a few words.
        known: Ids that are taken.

    Raises:
        ConfigurationError: It is no checkout, there is no such family, the id is taken or no id, or a file is there.
    """
    if not (checkout / _RULES).is_dir() or not (checkout / _SETTINGS).is_file():
        raise ConfigurationError(
            f"{checkout}: not a clone of Warden: change to one; warden init is for rules of your own"
        )
    families = sorted(path.name for path in (checkout / _RULES).iterdir() if path.is_dir())
    if family not in families:
        raise ConfigurationError(describe_unknown("family", family, families))
    if not _ID.fullmatch(id):
        raise ConfigurationError(f"invalid rule id {id}: expected one such as KFK-NAM-099")
    if id in known:
        raise ConfigurationError(f"{id} is taken: warden rules {id} shows it")
    name = id.lower().replace("-", "_")
    values = {"ID": id, "FAMILY": family, "NAME": name, "TITLE": _quote_title(title)}
    folder = checkout / _RULES / family
    texts = {
        folder / to.format(name=name): fill_template(locate_template(f"rule/{template}").read_text("utf-8"), values)
        for template, to in _FILES.items()
    }
    write_new(texts)
    settings = checkout / _SETTINGS
    entry = fill_template(locate_template("rule/settings.yaml").read_text("utf-8"), values)
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("\nrules:\n", f"\nrules:\n{entry}", 1), encoding="utf-8")
    return [*texts, settings]


def _quote_title(title: str) -> str:
    """A title as YAML reads it back: in quotes where it would be something else."""
    try:
        is_plain = yaml.safe_load(f"title: {title}") == {"title": title}
    except yaml.YAMLError:
        is_plain = False
    return title if is_plain else json.dumps(title, ensure_ascii=False)
