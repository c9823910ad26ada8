"""``warden topics``: change topics of a live cluster, asking the policy first; one module per verb."""

import importlib

import click

from warden.base.files.nearest import find_nearest

__all__ = ["command"]

# verb → module of this package; each has one click command called `command`, which returns its exit status.
_VERBS = {
    "alter": "alter",
    "create": "create",
    "delete": "delete",
    "delete-records": "delete_records",
    "reassign": "reassign",
}


class _LazyVerbs(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _VERBS:
            if not ctx.resilient_parsing and (near := find_nearest(cmd_name, _VERBS)):
                ctx.fail(f"No such command '{cmd_name}'. Did you mean '{near}'?")
            return None
        command: click.Command = importlib.import_module(f"warden.commands.topics.{_VERBS[cmd_name]}").command
        return command


@click.command(cls=_LazyVerbs)
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
