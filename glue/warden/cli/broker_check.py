"""``warden broker-check``: may a broker start with this configuration?"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.decision_text import decision_lines
from warden.cli.opa_options import with_opa
from warden.cli.options import argument, option, with_options

if TYPE_CHECKING:
    from warden.opa.session import OpaOptions

__all__ = ["command"]


@dataclass(frozen=True, kw_only=True)
class BrokerCheckOptions:
    """The configuration of a broker, and where it is about to start."""

    file: Path = argument(type=click.Path(path_type=Path, dir_okay=False))
    overrides: tuple[str, ...] = option(
        "--override", multiple=True, metavar="KEY=VALUE", help="As of kafka-server-start.sh."
    )
    cluster: str = option(
        "--cluster", default="unnamed", show_default=True, metavar="NAME", help="Its name in the settings."
    )
    enforcement_point: str = option(
        "--enforcement-point",
        default="start",
        show_default=True,
        metavar="NAME",
        help="Enforcement point, as the settings name it.",
    )
    output: str = option(
        "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
    )


@click.command()
@with_options(BrokerCheckOptions)
@with_opa
def command(options: BrokerCheckOptions, opa: "OpaOptions") -> int:
    """Evaluate the configuration in FILE (server.properties) with which a broker is about to start.

    Made for a unit's ExecStartPre or an init container: what is wrong from the beginning is named before the start, all
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
    from warden.client.warden import Warden
    from warden.files.properties import properties_of
    from warden.opa.session import open_session
    from warden.sources.kafka.server_properties import broker_id, resolve, without_secrets

    configs = resolve(properties_of(options.file), key_values("--override", options.overrides, example="broker.rack=a"))
    broker = broker_id(configs)
    with open_session(opa) as session, session.client() as client:
        warden = Warden(client=client, cluster=options.cluster, enforcement_point=options.enforcement_point)
        decision = warden.decide("StartBroker", {"broker": broker, "configs": without_secrets(configs)}, state={})
    if options.output == "json":
        click.echo(json.dumps(decision.document, indent=2))
    else:
        headline, *reasons = decision_lines(decision.document)
        click.echo("\n".join([f"broker {broker}: {headline}", *reasons]))
    return EXIT_OK if decision else EXIT_DENIED
