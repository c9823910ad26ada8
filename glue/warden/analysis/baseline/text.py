"""The settings file of a proposal: YAML with the figures as comments, which no YAML writer keeps. Pure."""

import json
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

__all__ = ["settings_text"]

_MODES = {
    "deny": "Kept everywhere today: deny from the first day.",
    "warn": "Nearly kept: warn, with waivers for topics that break them.",
    "dryrun": "Not kept: recorded alone. Look again on {review}.",
}


def settings_text(proposal: Mapping[str, Any], *, source: str, profile: str | None) -> str:
    """Return the settings file.

    Args:
        proposal: What `checks.proposal.settings` returned.
        source: What was counted, in words.
        profile: The profile that the settings lie on; None for none.
    """
    return "\n".join([*_lines(proposal, source, profile), ""])


def _lines(proposal: Mapping[str, Any], source: str, profile: str | None) -> Iterator[str]:
    yield f"# Proposed by `warden settings propose` from {source}."
    if profile is not None:
        yield f"# It lies on a profile: give --profile {profile} with it."
    if proposal["uncounted"]:
        yield "# As they were, since a snapshot has nothing that they are about:"
        yield from (f"#   {line}" for line in wrap(" ".join(proposal["uncounted"]), 110))
    yield "rules:" if proposal["rules"] else "rules: {}"
    for mode, title in _MODES.items():
        of_mode = {id: rule for id, rule in proposal["rules"].items() if rule["mode"] == mode}
        if of_mode:
            yield f"  # {title.format(review=proposal['review'])}"
        for id, rule in sorted(of_mode.items()):
            yield from (f"  #   {_comment(line)}" for line in rule["words"])
            yield f"  {id}: {{mode: {mode}}}"
    if proposal["classes"]:
        yield "clusters: # what differs there"
    for pattern, rules in sorted(proposal["classes"].items()):
        yield f"  - match: {{name: {json.dumps(pattern)}}}"
        yield "    rules:"
        yield from (f"      {id}: {{mode: {mode}}}" for id, mode in sorted(rules.items()))
    if proposal["waivers"]:
        yield "waivers:"
    for waiver in proposal["waivers"]:
        yield "  - " + json.dumps(waiver, ensure_ascii=False)


def _comment(line: str) -> str:
    """One line of printable text: names come from clusters."""
    return "".join(letter if letter.isprintable() else "?" for letter in line)
