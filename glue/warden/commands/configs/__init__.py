"""``warden configs``: configs, quotas, SCRAM credentials and client configs, as kafka-configs.sh has them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from warden.base.errors import ConfigurationError, InputError, KafkaError, StoreError
from warden.commands import EXIT_DENIED
from warden.commands.configs.arguments import parse_changes, parse_entity
from warden.commands.configs.connections import ConfigsAddress
from warden.commands.configs.entities import EntityPart, list_entity_names
from warden.commands.configs.options import add_entity_options
from warden.commands.topics.options import ChangeOptions, add_offline_change_options

__all__ = ["command"]

_OF_NODES = ("brokers", "broker-loggers")


class _KafkaConfigsCommand(click.Command):
    """Keeps the order of --entity-name and --entity-default, and ends with 1 where kafka-configs.sh does."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta["names"] = list_entity_names(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            _end(ctx, error)
            raise

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            _end(ctx, error)
        except (ConfigurationError, InputError, KafkaError, StoreError) as error:
            click.echo(f"warden: {error}", err=True)
            ctx.exit(EXIT_DENIED)


def _end(ctx: click.Context, error: click.UsageError) -> None:
    error.show()
    ctx.exit(EXIT_DENIED)


@click.command(
    cls=_KafkaConfigsCommand, short_help="Describe and alter configs, quotas, credentials and client configs."
)
@add_entity_options
@add_offline_change_options
def command(
    alter: bool,
    describe: bool,
    add_config: str | None,
    add_config_file: Path | None,
    delete_config: str | None,
    store: str,
    service: str | None,
    service_token: str | None,
    **options: Any,
) -> int:
    """Describe and alter what kafka-configs.sh does, with its options, lines and exit status, and client configs.

    The policy decides before anything is altered. Standard output has the lines of kafka-configs.sh alone; what the
    policy says of a change, warnings too, goes to standard error.

    Client configs (acks, session.timeout.ms, heartbeat.interval.ms) of users and of their clients are kept in the
    store; clients that look there take them without a restart (KIP-649). They are given beside quotas, in one command.
    A change is carried out as a whole or not at all.

    With --bootstrap-controller, brokers and broker-loggers are the controllers of a KRaft quorum.

    Exit status: 0 done, 1 denied, refused by Kafka or wrong, 2 nothing was decided.

    \b
    Examples:
      warden configs --bootstrap-server localhost:9092 --alter --topic orders --add-config retention.ms=86400000
      warden configs --bootstrap-server localhost:9092 --alter --user alice \\
                     --add-config acks=-1,session.timeout.ms=11000,producer_byte_rate=50000
      warden configs --bootstrap-server localhost:9092 --alter --user alice \\
                     --add-config 'SCRAM-SHA-512=[iterations=8192,password=secret]'
      warden configs --bootstrap-server localhost:9092 --describe --entity-type users --entity-name alice \\
                     --entity-type clients
      warden configs --service https://configs.example --describe --user alice
      warden configs --bootstrap-controller localhost:9093 --describe --entity-type brokers
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    if alter == describe:
        raise click.UsageError("Command must include exactly one action: --describe, --alter")
    for name, value in (("add-config", add_config), ("delete-config", delete_config)):
        if describe and value is not None:
            raise click.UsageError(f'Option "[describe]" can\'t be used with option "[{name}]"')
    if service is None and not options["bootstrap_server"] and not options["controllers"]:
        raise click.UsageError("Either --bootstrap-server or --bootstrap-controller must be specified.")
    entity = parse_entity(options, click.get_current_context().meta["names"], alter=alter)
    _check_place(entity, service, options)
    taken, where = ChangeOptions.from_options(options), ConfigsAddress(store, service, service_token)
    if describe:
        return _describe(taken, entity, where, options)
    changes = parse_changes(add_config, add_config_file, delete_config)
    first = entity[0]
    if first.kind.resource:
        from warden.commands.configs.alter_resources import alter_resource

        return alter_resource(taken, options["controllers"], first, changes)
    from warden.commands.configs.alter import alter as alter_entity
    from warden.commands.configs.scram import alter_credentials, is_scram

    if len(entity) == 1 and first.option == "users" and any(is_scram(key) for key, _ in changes):
        return alter_credentials(taken, first, changes, where)
    return alter_entity(taken, entity, dict(changes), where)


def _describe(
    options: ChangeOptions, entity: Sequence[EntityPart], where: ConfigsAddress, others: Mapping[str, Any]
) -> int:
    if entity[0].kind.resource:
        from warden.commands.configs.describe_resources import describe_resources

        return describe_resources(options, others["controllers"], entity[0], every=others["every"])
    from warden.commands.configs.describe import describe

    return describe(options, entity, where)


def _check_place(entity: Sequence[EntityPart], service: str | None, options: Mapping[str, Any]) -> None:
    option = entity[0].option
    if service is not None and option not in ("users", "clients"):
        raise click.UsageError(f"--service has client configs alone: give --bootstrap-server for {option}.")
    if options["controllers"] and options["bootstrap_server"]:
        raise click.UsageError("Only one of --bootstrap-server or --bootstrap-controller can be specified")
    if options["controllers"] and option not in _OF_NODES:
        raise click.UsageError(f"Controllers tell configs and loggers of nodes: give --bootstrap-server for {option}.")
