"""``warden broker-check``: may a broker start with this configuration?"""

import json
from pathlib import Path

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.asked import at_opa, opened_opa, with_policy
from warden.cli.verdict import verdict_lines

__all__ = ["command"]


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--override", "overrides", multiple=True, metavar="KEY=VALUE", help="As of kafka-server-start.sh.")
@click.option("--cluster", default="unnamed", show_default=True, metavar="NAME", help="Its name in the settings.")
@click.option("--point", default="start", show_default=True, metavar="NAME", help="The door's name in the settings.")
@at_opa
@with_policy
@click.option("--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def command(
    file: Path,
    overrides: tuple[str, ...],
    cluster: str,
    point: str,
    url: str | None,
    token: str | None,
    settings: Path | None,
    profile: str | None,
    output: str,
) -> int:
    """Judge the configuration in FILE (server.properties) with which a broker is about to start.

    Made for a unit's ExecStartPre or an init container: what is wrong from the beginning is told before the start, all
    of it at once, so that no later change is refused for it. Variables of config providers are filled in as Kafka does;
    passwords are not sent to the policy.

    Exit status: 0 it may start, 1 denied, 2 nothing was decided.

    \b
    Examples:
      warden broker-check /etc/kafka/server.properties
      warden broker-check --override broker.rack=a --cluster prod-eu /etc/kafka/server.properties
      ExecStartPre=/usr/bin/warden broker-check --opa-url http://127.0.0.1:8181 /etc/kafka/server.properties
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.cli.topics.values import key_values
    from warden.kafka.server_properties import broker_id, resolve, without_secrets
    from warden.properties import properties_of
    from warden.service import Warden

    configs = resolve(properties_of(file), key_values("--override", overrides, example="broker.rack=a"))
    broker = broker_id(configs)
    with opened_opa(url, token, settings, profile) as client:
        warden = Warden(client=client, cluster=cluster, point=point)
        decision = warden.decide("StartBroker", {"broker": broker, "configs": without_secrets(configs)}, state={})
    if output == "json":
        click.echo(json.dumps(decision.document, indent=2))
    else:
        verdict, *reasons = verdict_lines(decision.document)
        click.echo("\n".join([f"broker {broker}: {verdict}", *reasons]))
    return EXIT_OK if decision else EXIT_DENIED
