"""The page about the profiles: for whom each is, what it changes, and every rule's mode in each."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

__all__ = ["ProfileView", "render_profiles"]

_NOTE = "<!-- Made by `python -m tools.pages`: change bundle/profiles instead. -->\n"
_HEAD = """# Profiles

A profile is a named set of settings for a kind of site.
It lies over [the shipped settings](../../bundle/settings/data.yaml) and under a site's own, and says what differs.

```console
$ warden bundle profiles
…
$ warden bundle build --profile production
…
```

<!-- exit 1 -->
```console
$ warden decide --profile production docs/examples/create-topic.json
denied: POLICY_VIOLATION
…
```

Several lie over each other, the later over the earlier: `--profile production,ecosystem`.
In a profile's file `KFK-BRK-*` means every rule of the family; where two names mean a rule, the later one wins."""

ProfileView = tuple[str, str, Mapping[str, Any]]
"""Name, audience, and the rules' settings in force with the profile: {id: {mode, params}}."""


def render_profiles(rules: Mapping[str, Any], shipped: Mapping[str, Any], profiles: Sequence[ProfileView]) -> str:
    """Return the page.

    Args:
        rules: The rules' metadata by id.
        shipped: The rules' shipped settings by id.
        profiles: The profiles, in the order of the page.
    """
    parts = [_NOTE + "\n" + _HEAD]
    for name, audience, settings in profiles:
        parts += [f"## {name}", audience, *_iter_param_tables(shipped, settings)]
    profiles = [profile for profile in profiles if profile[2] != shipped]  # what is about no rule has no column
    parts += [
        "## Modes",
        "Bold where a profile differs from the shipped settings.",
        _format_table(rules, shipped, profiles),
    ]
    return "\n\n".join(parts) + "\n"


def _iter_param_tables(shipped: Mapping[str, Any], settings: Mapping[str, Any]) -> Iterator[str]:
    rows = [
        f"| {id} | `{name}` | `{_format_json(shipped[id]['params'][name])}` | `{_format_json(value)}` |"
        for id, setting in settings.items()
        for name, value in setting["params"].items()
        if value != shipped[id]["params"][name]
    ]
    if rows:
        yield "\n".join(["| rule | parameter | shipped | here |", "|---|---|---|---|", *rows])


def _format_table(rules: Mapping[str, Any], shipped: Mapping[str, Any], profiles: Sequence[ProfileView]) -> str:
    names = ["rule", "", "severity", "shipped", *(name for name, _, _ in profiles)]
    rows = []
    for id, rule in rules.items():
        mode = shipped[id]["mode"]
        cells = [_emphasise_difference(settings[id]["mode"], mode) for _, _, settings in profiles]
        rows.append([f"[{id}](rules/{id}.md)", rule["title"], rule["severity"], mode, *cells])
    lines = [names, ["---"] * len(names), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _emphasise_difference(mode: str, shipped: str) -> str:
    return mode if mode == shipped else f"**{mode}**"


def _format_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).replace("|", "\\|")
