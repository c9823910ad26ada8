"""``warden replicate``: keep the state of live systems in OPA."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import click

from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.serving import config_option, json_option, listen_option, parse_address

__all__ = ["command"]

_LISTEN = "127.0.0.1:9102"
_MAX_SHOWN_OPERATIONS = 20  # operations that text shows


@click.command(short_help="Keep the state of live clusters in OPA, whole and fresh.")
@config_option("What to replicate, from where, to which OPA: a YAML file, see docs/operate/replicator.md.")
@click.option("--once", is_flag=True, help="Load and write once, then end.")
@click.option("--dry-run", is_flag=True, help="With --once: write nothing, show what OPA has otherwise.")
@click.option("--all", "everything", is_flag=True, help="Keep parts of the state too that no loaded rule reads.")
@listen_option(_LISTEN)
@click.option(
    "--accept-loss",
    multiple=True,
    metavar="NAME",
    help="Believe a load of this source that loses more than its guard allows. May be given several times.",
)
@json_option("What --once prints.")
def command(
    config: Path,
    once: bool,
    dry_run: bool,
    everything: bool,
    listen: str,
    accept_loss: tuple[str, ...],
    output: str,
) -> int:
    """Keep data.clusters and data.kubernetes of an OPA the same as the live systems that a file names.

    Loads each source, swaps it into OPA by one write, then writes what changes, one patch at a time. The log is JSON
    lines on stderr. SIGTERM and Ctrl-C end it after the write that is under way.

    Exit status with --once --dry-run: 0 OPA has all of it, 1 OPA differs.

    \b
    Examples:
      warden replicate --config replicator.yaml
      warden replicate --config replicator.yaml --once
      warden replicate --config replicator.yaml --once --dry-run --output json
      warden replicate --config replicator.yaml --accept-loss prod-eu
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.state.replicate.config import read_config

    if dry_run and not once:
        raise ConfigurationError("--dry-run needs --once: without it the replicator never ends")
    settings = read_config(config)
    if once:
        if settings.policies is not None:
            raise ConfigurationError(f"{config}: policies: are followed and not loaded once: leave --once out")
        from warden.state.replicate.once import replicate_once

        loads = replicate_once(settings, trim=not everything, accept_loss=accept_loss, dry_run=dry_run)
        click.echo(json.dumps(loads, indent=2) if output == "json" else "\n".join(map(_format_load, loads)))
        return EXIT_DENIED if dry_run and any(load["operations"] for load in loads) else EXIT_OK
    check_extras("prometheus_client")
    from warden.base.long_running import run_program
    from warden.state.replicate.replicator import Replicator

    make = partial(Replicator, settings, trim=not everything, accept_loss=accept_loss)
    run_program("warden.state.replicate", "replicating", make, parse_address(listen, _LISTEN))
    return EXIT_OK


def _format_load(load: dict[str, Any]) -> str:
    counts = ", ".join(f"{count:,} {kind}" for kind, count in load["entries"].items() if count)
    lines = [f"{load['source']}: {counts or 'nothing'}"]
    if load["written"]:
        lines.append(f"  written to OPA as revision {load['revision']}")
    elif not load["operations"]:
        lines.append("  OPA has all of it")
    else:
        changes = load["operations"]
        how = "differs from that" if load["previous"] else "has nothing of it"
        lines.append(f"  OPA {how}: {len(changes):,} changes would make it the same")
        lines += [f"  {change['op']:7} {change['path']}" for change in changes[:_MAX_SHOWN_OPERATIONS]]
        lines += (
            [f"  … and {len(changes) - _MAX_SHOWN_OPERATIONS:,} more: see --output json"]
            if len(changes) > _MAX_SHOWN_OPERATIONS
            else []
        )
    lines += [f"  would be held back: {load['held']}"] if load["held"] else []
    lines += [f"  kept by another replicator: {load['leader']}"] if load["leader"] else []
    lines += [f"  not known: {line}" for line in load["missing"]]
    return "\n".join(lines)
