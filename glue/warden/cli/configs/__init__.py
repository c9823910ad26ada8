"""``warden configs``: configs of brokers and controllers, quotas and client configs, as kafka-configs.sh has them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import click

from warden.cli.configs.entities import Part, key_values, names, parts_of
from warden.cli.configs.opened import Place
from warden.cli.topics.options import ChangeOptions, collected_change_options

__all__ = ["command"]

_DEFAULT_STORE = "topic:warden-client-configs"


class _InOrder(click.Command):
    """Keeps the order of --entity-name and --entity-default, which belong to the types before them."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["names"] = names(args)
        return super().parse_args(ctx, args)


@click.command(cls=_InOrder, short_help="Describe and alter quotas and client configs; describe brokers' configs.")
@click.option("--alter", "action", flag_value="alter", help="Alter an entity.")
@click.option("--describe", "action", flag_value="describe", help="Describe entities.")
@click.option(
    "--entity-type",
    "types",
    type=click.Choice(["users", "clients", "brokers"]),
    multiple=True,
    required=True,
    help="What the entity consists of; repeatable.",
)
@click.option("--entity-name", multiple=True, metavar="NAME", help="The name of a type's entity, in the types' order.")
@click.option("--entity-default", is_flag=True, multiple=True, help="In place of a name: the default entity.")
@click.option("--add-config", metavar="KEY=VALUE,…", help="Quotas and client configs to set; [a,b] for a list.")
@click.option("--delete-config", metavar="KEY,…", help="Quotas and client configs to remove.")
@click.option(
    "--store",
    default=_DEFAULT_STORE,
    show_default=True,
    metavar="KIND:PLACE",
    help="Where client configs are: topic:NAME of the cluster, or sqlite:PATH.",
)
@click.option(
    "--service",
    metavar="URL",
    help="In the store's place: the `warden serve` that has the client configs, and asks the policy about them.",
)
@click.option(
    "--bootstrap-controller",
    "controllers",
    default="",
    metavar="HOST:PORT",
    help="Controller to connect to, in a broker's place, for --entity-type brokers; several with commas.",
)
@click.option("--all", "every", is_flag=True, help="With --describe of brokers: what is not dynamic too.")
@click.option("--service-token", envvar="WARDEN_SERVICE_TOKEN", show_envvar=True, help="Your token for it.")
@collected_change_options
def command(
    action: Literal["alter", "describe"] | None,
    types: Sequence[str],
    add_config: str | None,
    delete_config: str | None,
    store: str,
    service: str | None,
    service_token: str | None,
    **options: Any,
) -> int:
    """Describe and alter quotas and client configs of users and of clients, and configs of brokers.

    The policy decides before anything is altered.

    Quotas are the broker's, as ever. Client configs (acks, session.timeout.ms, heartbeat.interval.ms) are kept in the
    store; clients that look there take them without a restart (KIP-649). A change is carried out as a whole or not at
    all.

    With --bootstrap-controller, --entity-type brokers is about the controllers of a KRaft quorum, and about the configs
    of all nodes; they know no quotas and client configs.

    Exit status: 0 done, 1 something was denied, 2 nothing was decided or Kafka refused.

    \b
    Examples:
      warden configs --bootstrap-server localhost:9092 --alter --entity-type users --entity-name alice \\
                     --add-config acks=-1,session.timeout.ms=11000,producer_byte_rate=50000
      warden configs --bootstrap-server localhost:9092 --describe --entity-type users --entity-name alice \\
                     --entity-type clients
      warden configs --service https://configs.example --describe --entity-type users --entity-name alice
      warden configs --bootstrap-controller localhost:9093 --describe --entity-type brokers
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    if action is None:
        raise click.UsageError("Give one action: --describe or --alter.")
    _check_place(types, service, options)
    if service is None and not options["bootstrap_server"] and not options["controllers"]:
        raise click.UsageError("Missing option '--bootstrap-server', without which there has to be --service.")
    of_nodes = "brokers" in types
    where, entity = Place(store, service, service_token), parts_of(types, click.get_current_context().meta["names"])
    if action == "describe":
        if add_config is not None or delete_config is not None:
            raise click.UsageError("--add-config and --delete-config go with --alter.")
        if of_nodes:
            from warden.cli.configs.nodes import describe_nodes

            return describe_nodes(
                ChangeOptions.take(options), options["controllers"], entity[0], every=options["every"]
            )
        from warden.cli.configs.describe import describe

        return describe(ChangeOptions.take(options), entity, where)
    added = key_values(add_config or "")
    deleted = [name for name in (delete_config or "").split(",") if name]
    if not added and not deleted:
        raise click.UsageError("Give --add-config or --delete-config with --alter.")
    _check_named(entity)
    if of_nodes:
        from warden.cli.configs.alter_nodes import alter_nodes

        return alter_nodes(
            ChangeOptions.take(options), options["controllers"], entity[0], {**dict.fromkeys(deleted), **added}
        )
    from warden.cli.configs.alter import alter

    return alter(ChangeOptions.take(options), entity, {**dict.fromkeys(deleted), **added}, where)


def _check_place(types: Sequence[str], service: str | None, options: Mapping[str, Any]) -> None:
    of_nodes = "brokers" in types
    if of_nodes and service is not None:
        raise click.UsageError("--service has client configs alone: give --bootstrap-server for --entity-type brokers.")
    if options["controllers"] and options["bootstrap_server"]:
        raise click.UsageError("--bootstrap-server and --bootstrap-controller are two ways: give one.")
    if options["controllers"] and not of_nodes:
        raise click.UsageError("Controllers tell no quotas and client configs: give --bootstrap-server.")
    if options["every"] and not of_nodes:
        raise click.UsageError("--all goes with --entity-type brokers.")


def _check_named(entity: Sequence[Part]) -> None:
    if any(part.any_name for part in entity):
        raise click.UsageError("Give --entity-name or --entity-default for each --entity-type with --alter.")
