"""``warden remediate``: keep stored Kubernetes objects where policy has them."""

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.base.errors import ConfigurationError
from warden.base.extras import check_extras
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.place_option import LocalPath
from warden.commands.shared.serving import config_option, json_option, listen_option, parse_address

if TYPE_CHECKING:
    from warden.enforce.remediate.config import RemediatorConfig

__all__ = ["command"]

_LISTEN = "127.0.0.1:9103"


@click.command(short_help="Keep stored Kubernetes objects where policy has them.")
@config_option("Which objects, by which OPA, how fast: a YAML file, see docs/operate/remediator.md.")
@click.option("--once", is_flag=True, help="Look at all objects once, patch those that differ, then end.")
@click.option("--report-only", is_flag=True, help="Patch nothing, say what differs.")
@click.option("--accept", is_flag=True, help="Patch what the first decisions have to patch, however many it is.")
@click.option(
    "--undo",
    metavar="RECORD",
    type=LocalPath(path_type=Path, exists=True, dir_okay=False),
    help="Give objects back what an undo record says that they had, then end.",
)
@listen_option(_LISTEN)
@json_option("What --once and --undo print.")
def command(
    config: Path, once: bool, report_only: bool, accept: bool, undo: Path | None, listen: str, output: str
) -> int:
    """Patch stored objects whose annotations are not those that policy has for them now.

    Watches the objects, the clusters that OPA knows, and the revision of its bundle. The log is JSON lines on stderr.
    SIGTERM and Ctrl-C end it after the patch that is under way.

    Exit status with --once: 0 all objects are as policy has them, 1 one is refused, held or (with --report-only)
    differs. With --undo: 1 one is not as it was before.

    \b
    Examples:
      warden remediate --config remediator.yaml
      warden remediate --config remediator.yaml --once --report-only
      warden remediate --config remediator.yaml --once --accept --output json
      warden remediate --config remediator.yaml --undo records/20270131T120000Z-host-7-a1b2c3.jsonl
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.long_running import make_identity, run_program
    from warden.enforce.remediate.config import read_config

    settings = read_config(config)
    identity = make_identity()
    if undo is not None:
        if once or report_only or accept:
            raise ConfigurationError("--undo stands alone: leave out --once, --report-only and --accept")
        return _undo(settings, undo, identity, output)
    if not once:
        check_extras("kubernetes", "prometheus_client")
        from warden.enforce.remediate.remediator import Remediator

        make = partial(Remediator, settings, identity, report_only=report_only, accept=accept)
        run_program("warden.enforce.remediate", "remediating", make, parse_address(listen, _LISTEN))
        return EXIT_OK
    from warden.enforce.remediate.once import remediate_once

    report = remediate_once(settings, identity, report_only=report_only, accept=accept)
    click.echo(json.dumps(report, indent=2) if output == "json" else "\n".join(_format_report(report, report_only)))
    left = report["refused"] or report["held"] or (report_only and report["differing"])
    return EXIT_DENIED if left else EXIT_OK


def _undo(settings: "RemediatorConfig", record: Path, identity: str, output: str) -> int:
    from warden.enforce.remediate.undo import RESULTS_NOT_RESTORED, undo_entries
    from warden.enforce.remediate.undo_record import read_undo_entries

    results = undo_entries(settings, read_undo_entries(record), identity)
    lines = (" ".join(filter(None, (result["result"], result["path"], result.get("reason")))) for result in results)
    click.echo(json.dumps(results, indent=2) if output == "json" else "\n".join(lines))
    return EXIT_DENIED if any(result["result"] in RESULTS_NOT_RESTORED for result in results) else EXIT_OK


def _format_report(report: dict[str, Any], report_only: bool) -> list[str]:
    lines = [f"{report['objects']:,} objects: {len(report['differing']):,} differ, {len(report['refused']):,} refused"]
    for difference in report["differing"]:
        lines.append(f"differs {difference['object']}")
        for name, after in difference["after"].items():
            lines += [f"  {name}", f"    - {difference['before'][name]}", f"    + {after}"]
    for refusal in report["refused"]:
        lines += [f"refused {refusal['object']}", *(f"  {error}" for error in refusal["errors"])]
    if report["held"]:
        lines.append(f"held: {report['held']}")
    if not report_only:
        where = f", undo record {report['record']}" if report["record"] else ""
        lines.append(f"{report['patched']:,} patched{where}")
    return lines
