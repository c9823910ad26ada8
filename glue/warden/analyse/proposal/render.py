"""The settings file of a proposal: YAML with the figures as comments, which no YAML writer keeps. Pure."""

import json
from collections.abc import Iterator, Mapping
from textwrap import wrap
from typing import Any

__all__ = ["render_settings"]

_MODES = {
    "deny": "Kept everywhere today: deny from the first day.",
    "warn": "Nearly kept: warn. When they deny, a change of what breaks them today is warned of, unless it is worse.",
    "dryrun": "Not kept: recorded alone. Look again on {review}.",
}


def render_settings(
    proposal: Mapping[str, Any],
    *,
    source: str,
    profile: str | None,
    points: Mapping[str, Mapping[str, Any]],
    titles: Mapping[str, str],
) -> str:
    """Return the settings file.

    Args:
        proposal: What `checks.proposal.settings` returned.
        source: What was counted, in words.
        profile: The profile that the settings lie on; None for none.
        points: What the shipped settings say of rules at enforcement points, such as those that read labels at the
            gateway.
        titles: Rule id → title.
    """
    return "\n".join([*_iter_lines(proposal, source, profile, titles), *_iter_point_lines(points), ""])


def _iter_point_lines(points: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """What requests cannot say is left out there, whatever the modes above are: to be seen, and changed, here."""
    if points:
        yield "enforcementPoints: # what requests cannot say there is left out, as shipped"
    for point, rules in sorted(points.items()):
        yield f"  {point}:"
        yield from (f"    {id}: {{mode: {rule['mode']}}}" for id, rule in sorted(rules.items()) if "mode" in rule)


def _iter_lines(
    proposal: Mapping[str, Any], source: str, profile: str | None, titles: Mapping[str, str]
) -> Iterator[str]:
    yield f"# Proposed by `warden settings propose` from {_replace_unprintable(source)}."
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
            yield from (f"  #   {_replace_unprintable(line)}" for line in rule["words"])
            said = f" # {_replace_unprintable(titles[id])}" if titles.get(id) else ""
            yield f"  {id}: {{mode: {mode}}}{said}"
    if proposal["classes"]:
        yield "clusters: # what differs there"
    for pattern, rules in sorted(proposal["classes"].items()):
        yield f"  - match: {{name: {_format_value(pattern)}}}"
        yield "    rules:"
        yield from (f"      {id}: {{mode: {mode}}}" for id, mode in sorted(rules.items()))
    if proposal["waivers"]:
        yield "waivers:"
    for waiver in proposal["waivers"]:
        yield f"  - {_format_value(waiver)}"


def _format_value(value: Any) -> str:
    """A value as JSON that is YAML too, which has neither control characters as they are nor pairs of surrogates."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else f"\\U{ord(letter):08x}" for letter in text)


def _replace_unprintable(line: str) -> str:
    """One line of printable text: names come from clusters."""
    return "".join(letter if letter.isprintable() else "?" for letter in line)
