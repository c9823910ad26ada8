"""``warden broker-plugin``: what the plugin of brokers needs in server.properties."""

from pathlib import Path

import click

from warden.base.errors import InputError
from warden.commands import EXIT_DENIED, EXIT_OK, CommandGroup
from warden.commands.shared.choice import Choice
from warden.commands.shared.place_option import LocalPath

__all__ = ["command"]


@click.group(cls=CommandGroup, short_help="Set up brokers that ask OPA themselves.")
def command() -> None:
    """Set up brokers whose controllers ask OPA themselves, so that nothing leads round the policy.

    The plugin is a jar beside Kafka's own: see docs/operate/broker-plugin.md.

    \b
    Examples:
      warden broker-plugin properties --cluster prod-eu --mode dryrun >> server.properties
      warden broker-plugin check server.properties
    """  # noqa: D301 - \b is click's mark for lines that stay as they are


@command.command("properties")
@click.option("--cluster", required=True, help="The cluster's name in Warden's settings and state.")
@click.option(
    "--opa-url", default="http://127.0.0.1:8181", show_default=True, help="The OPA on the controller's machine."
)
@click.option("--token-file", metavar="FILE", help="Where the controller reads OPA's token.")
@click.option(
    "--mode",
    type=Choice(["enforce", "dryrun"]),
    default="enforce",
    show_default=True,
    help="Whether denials are carried out, or only written into the broker's log.",
)
def properties(cluster: str, opa_url: str, token_file: str | None, mode: str) -> int:
    """Print the lines to be added to the server.properties of each controller.

    \b
    Examples:
      warden broker-plugin properties --cluster prod-eu --token-file /etc/kafka/opa.token
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.enforce.broker_plugin_properties import PluginSettings, format_properties

    settings = PluginSettings(cluster=cluster, opa_url=opa_url, token_file=token_file, mode=mode)
    click.echo("\n".join(format_properties(settings)))
    return EXIT_OK


@command.command("check")
@click.argument("file", type=LocalPath(path_type=Path, exists=True, dir_okay=False))
def check(file: Path) -> int:
    """Say what keeps the plugin from running with a server.properties; a node without controller needs nothing.

    Exit status: 0 nothing, 1 something.

    \b
    Examples:
      warden broker-plugin check /etc/kafka/server.properties
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.files.properties import load_properties
    from warden.enforce.broker_plugin_properties import list_problems

    read = load_properties(file)
    if not {"process.roles", "zookeeper.connect"} & read.keys():
        raise InputError(
            f"{file}: neither process.roles nor zookeeper.connect is in it: name a node's server.properties"
        )
    problems = list_problems(read)
    for problem in problems:
        click.echo(f"{file}: {problem}")
    return EXIT_DENIED if problems else EXIT_OK
