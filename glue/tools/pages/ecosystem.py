"""The page about the topics that tools beside Kafka create, from the catalogue of the ecosystem."""

from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["render_ecosystem"]

_NOTE = "<!-- Made by `python -m tools.pages`: change bundle/catalog/ecosystem instead. -->\n"
_HEAD = """\
# The ecosystem's own topics

Kafka Connect, MirrorMaker 2, Kafka Streams and others create topics of their own, with names and settings that a \
site's rules would refuse.
The profile `ecosystem`, beside another one, lets them through:

```console
$ warden bundle build --profile production,ecosystem
…
```

A site that has some of the tools names these in its [settings](../operate/settings.md) instead:

```yaml
ecosystem:
  connect: {}
  mirror: {aliases: [us-east, us-west]}  # of the clusters whose topics MirrorMaker brings
```

A topic is a tool's own where its whole name matches and it is set as below: then the rules of the last column say \
nothing of it, and all others decide about it as about any topic.
One that has such a name and is set otherwise gets no exemption, and neither has one that is called otherwise \
(Connect's topics have the names that its workers' file gives them).
Where `mirror` has no `aliases`, those of MirrorMaker's own topics may be any, and topics brought from elsewhere are \
decided as any other.
Scans then decide about each topic as a whole, and not its name, labels and configs apart.

- [KFK-DUR-003](rules/KFK-DUR-003.md) may want `min.insync.replicas` of each topic. The gateway adds what the policy \
proposes; elsewhere, and for Streams groups (`group.protocol=streams`), set it: `config.storage.min.insync.replicas` \
and its like of Connect, `topic.min.insync.replicas` of Streams.
- Caps, replication factors and the numbers of partitions of [KFK-SIZ-001](rules/KFK-SIZ-001.md) hold for these \
topics too.
- [KFK-DEL-005](rules/KFK-DEL-005.md) as shipped lets nobody alter or delete what begins with `__`, Cruise Control's \
topics among them, which it then cannot change later.

Kafka Connect, MirrorMaker 2 (4.3) and Kafka Streams (4.4) are run through a gateway with \
`production,single-broker,ecosystem` by the project's tests; the others are from their documentation and source."""


def render_ecosystem(catalog: Mapping[str, Any]) -> str:
    """Return the page.

    Args:
        catalog: The tools by name, as in ``bundle/catalog/ecosystem``.
    """
    parts = [_NOTE + "\n" + _HEAD]
    for name, tool in catalog.items():
        table = [
            "| topics | name | settings | rules that say nothing |",
            "|---|---|---|---|",
            *_iter_rows(tool["topics"]),
        ]
        parts += [f"## {tool['title']}", f"`{name}`, from [its documentation]({tool['source']})", "\n".join(table)]
    return "\n\n".join(parts) + "\n"


def _iter_rows(topics: list[Mapping[str, Any]]) -> Iterator[str]:
    for kind in topics:
        settings = [f"`{key}={value}`" for key, values in kind["configs"].items() for value in values]
        settings += ["one partition"] if kind.get("partitions") == 1 else []
        rules = ", ".join(f"[{rule}](rules/{rule}.md)" for rule in kind["exempt"])
        what = kind["what"] + (", of the aliases that are named" if kind.get("onlyAliases") else "")
        name = kind["name"].replace("|", "\\|")
        yield f"| {what} | `{name}` | {', '.join(_join_alternatives(settings)) or 'any'} | {rules} |"


def _join_alternatives(settings: list[str]) -> Iterator[str]:
    """Values of one config behind each other, with "or" between them."""
    by_key: dict[str, list[str]] = {}
    for setting in settings:
        by_key.setdefault(setting.partition("=")[0], []).append(setting)
    return (" or ".join(values) for values in by_key.values())
