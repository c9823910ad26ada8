"""Settings under which only a few rules deny, whatever else the library has."""

from pathlib import Path

import yaml

from warden.resources import share

__all__ = ["few_rules"]

_DENY = {
    "KFK-NAM-001": {"mode": "deny", "params": {"pattern": "^[a-z]+(\\.[a-z]+)+$", "exemptPrefixes": ["__"]}},
    "KFK-SIZ-001": {"mode": "deny", "params": {"min": 1, "max": 10}},
    "KFK-RET-001": {"mode": "deny", "params": {"min": 1000, "max": 10000000000, "justifyLabel": "why"}},
}
_POINTS = {
    "strict": {"KFK-DEL-003": {"mode": "deny"}},
    "unused": {"KFK-DEL-002": {"mode": "deny"}, "KFK-DEL-004": {"mode": "deny"}},
    "proposing": {"KFK-DUR-003": {"mode": "deny"}},
}


def few_rules(path: Path) -> Path:
    """Write settings in which names, partitions and retention are judged.

    At the point "strict" the number of deletions is too, at "unused" whether anybody uses what goes; at "proposing"
    min.insync.replicas is proposed.
    """
    shipped = yaml.safe_load((share("bundle") / "settings" / "data.yaml").read_text(encoding="utf-8"))
    rules = {rule: {"mode": "dryrun"} for rule in shipped["rules"]} | _DENY
    settings = {"rules": rules, "points": _POINTS}
    path.write_text(yaml.safe_dump(settings), encoding="utf-8")
    return path
