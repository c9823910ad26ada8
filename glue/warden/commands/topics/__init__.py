"""``warden topics``: change topics of a live cluster, asking the policy first; one module per verb."""

import click

from warden.commands import LazyGroup

__all__ = ["command"]

_VERBS = {verb: verb.replace("-", "_") for verb in ("alter", "create", "delete", "delete-records", "reassign")}


class _Verbs(LazyGroup):
    package, modules = __name__, _VERBS


@click.command(cls=_Verbs)
def command() -> None:
    """Change topics of a live cluster as Kafka's own tools do, but ask the policy first.

    What is denied does not happen; what is allowed does. With --validate-only nothing happens at all.

    Exit status: 0 all allowed, 1 something was denied, 2 nothing was decided or Kafka refused.

    \b
    Examples:
      warden topics create --bootstrap-server localhost:9092 --topic shop.orders.created --partitions 6
      warden topics alter --bootstrap-server localhost:9092 --topic shop.orders.created --config retention.ms=86400000
      warden topics delete --bootstrap-server localhost:9092 --topic shop.orders.created --validate-only
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
