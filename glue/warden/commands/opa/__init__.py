"""``warden opa``: run an OPA on this machine, check one, show its status, make a token, print the program's path."""

import json
import os
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.base.errors import ConfigurationError, OpaUnreachable
from warden.commands import EXIT_DENIED, EXIT_OK, CommandGroup
from warden.commands.opa.health import OPA_URL, health, watch
from warden.commands.shared.choice import Choice
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import OPA_CA_FILE, REVISION_FILE, SITE
from warden.commands.shared.place_option import LocalPath

if TYPE_CHECKING:
    from warden.policy.opa.local import LocalOpa

__all__ = ["command"]

_FILE = LocalPath(path_type=Path, exists=True, dir_okay=False)


@click.group(cls=CommandGroup)
def command() -> None:
    """Run OPA with Warden's bundle on this machine, and ask how an OPA is.

    \b
    Examples:
      warden opa run
      warden opa run --port 8181 --settings settings.yaml
      warden opa status --opa-url http://127.0.0.1:8181 --opa-token "$WARDEN_OPA_ADMIN_TOKEN"
      warden opa health
      warden opa token portal.token
      warden opa path
    """  # noqa: D301 - \b is click's mark for lines that stay as they are


command.add_command(health)
command.add_command(watch)


@command.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8181, show_default=True, help="Port of 127.0.0.1; 0: a free one."
)
@click.option("--settings", type=_FILE, help="YAML laid over the shipped settings.")
@click.option("--profile", type=PROFILE, metavar="NAME", help="Profile that lies between the two.")
@click.option("--site", type=SITE, multiple=True, help="Directory of your own rules; repeatable.")
@click.option(
    "--directory",
    type=LocalPath(path_type=Path, file_okay=False),
    default=Path("build/opa"),
    show_default=True,
    help="Where the bundle, OPA's log and the last good bundle are kept.",
)
@click.option("--config", type=_FILE, help="OPA's configuration; default: Warden's own opa-config.yaml.")
@click.option("--number", type=click.IntRange(1), metavar="N", help="Before the revision, as of warden bundle build.")
@click.option(
    "--revision-file",
    **REVISION_FILE,
    help="File with the highest number of a bundle seen: an older one is not given to OPA.",
)
def run(
    port: int,
    settings: Path | None,
    profile: str | None,
    site: tuple[Path, ...],
    directory: Path,
    config: Path | None,
    number: int | None,
    revision_file: Path | None,
) -> int:
    """Build the bundle and run OPA with it until Ctrl-C.

    OPA listens on 127.0.0.1 only, and asks for a token; each run makes new ones and prints them as shell variables.
    Whoever rebuilds the bundle in --directory changes what OPA decides within a second; a bundle that is not signed
    with the same key is refused, and with --revision-file one of a lower --number too. An OPA that hangs is started
    again, on the same port and with the same tokens; replicators fill it again.

    \b
    Examples:
      warden opa run
      warden opa run --port 0 --settings settings.yaml
      warden opa run --site policies/
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.base.files.private import make_private_directory
    from warden.policy.bundle.build import build_bundle
    from warden.policy.opa.health import HealthCheck, RestartDeadline
    from warden.policy.opa.local import LocalOpa
    from warden.policy.opa.log_disk_watch import LogDiskWatch
    from warden.policy.opa.revision_floor import RevisionFloor

    bundle = build_bundle(
        make_private_directory(directory) / "bundle.tar.gz",
        settings=settings,
        profile=profile,
        site=site,
        number=number,
    )
    floor = RevisionFloor(revision_file) if revision_file else None
    with LocalOpa(bundle, port=port, directory=directory, config=config, floor=floor) as opa:
        _introduce(opa, bundle.revision)
        log_watch, patience = (
            LogDiskWatch(opa.log),
            RestartDeadline(start_seconds=RestartDeadline.seconds),
        )  # it has answered already
        check = HealthCheck(opa.url, opa.tokens.query, opa.tokens.replicator)
        try:
            while opa.is_alive:
                if news := log_watch.poll():
                    click.echo(f"warden: {news}", err=True)
                if patience.is_over(state := check()):
                    click.echo(f"warden: OPA hangs and is started again: {state.problem}", err=True)
                    opa.restart()
                    patience.begin()
                time.sleep(2)
        except KeyboardInterrupt:
            return EXIT_OK
    raise OpaUnreachable(f"OPA has ended by itself: see {opa.log}")


def _introduce(opa: "LocalOpa", revision: str) -> None:
    """Print the address and the tokens on stdout, ready for a shell; the rest on stderr."""
    click.echo(f"export WARDEN_OPA_URL={opa.url}")
    for name, token in opa.tokens.environment.items():
        click.echo(f"export {name}={token}")
    click.echo(
        f"""
OPA decides at {opa.url} with bundle revision {revision}; its log is {opa.log}. In another shell, with the lines above:

  curl -s "$WARDEN_OPA_URL/v1/data/kafka/decision" -H "Authorization: Bearer $WARDEN_OPA_QUERY_TOKEN" \\
    -d '{{"input": {{"operation": "CreateTopic", …}}}}'

Ctrl-C stops it.""",
        err=True,
    )
    sys.stdout.flush()


@command.command()
@click.option("--opa-url", **OPA_URL)
@click.option("--opa-token", envvar="WARDEN_OPA_ADMIN_TOKEN", show_envvar=True, help="Its admin token.")
@click.option("--opa-ca-file", **OPA_CA_FILE)
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
def status(opa_url: str, opa_token: str | None, opa_ca_file: Path | None, output: str) -> int:
    """Say whether OPA decides, with which bundle, what went wrong with the last one, and whether decisions are logged.

    Exit status: 0 nothing is wrong, 1 a bundle was refused or the server of decision logs takes none, 2 OPA cannot be
    reached.

    \b
    Examples:
      warden opa status
      warden opa status --opa-url https://opa.example.com --output json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.policy.opa.session import OpaOptions, open_session

    with (
        open_session(OpaOptions((opa_url,), opa_token, ca_file=opa_ca_file)) as session,
        session.build_client() as client,
    ):
        document = client.read_status()
    bundles: dict[str, Any] = document.get("bundles", {})
    log: dict[str, Any] = document.get("decision_logs") or {}
    faulty = {name for name, bundle in bundles.items() if bundle.get("message") or not bundle.get("active_revision")}
    if output == "json":
        click.echo(json.dumps({"url": opa_url, "bundles": bundles, "decisionLog": log}, indent=2))
    else:
        for name, bundle in sorted(bundles.items()):
            click.echo(f"{name}: revision {bundle.get('active_revision', 'none')}")
            if name in faulty:
                click.echo(f"{name}: refused: {bundle.get('message', 'it has not been loaded')}", err=True)
        if log.get("code"):
            click.echo(f"decision log: not delivered: {log.get('message', log['code'])}", err=True)
    return EXIT_DENIED if faulty or not bundles or log.get("code") else EXIT_OK


@command.command()
@click.argument("file", type=LocalPath(path_type=Path, dir_okay=False))
def token(file: Path) -> int:
    """Make a token for a caller, write it to FILE and print its SHA-256 for the settings.

    Only this user can read FILE; nothing else has the token. A file that is there is not replaced.

    \b
    Examples:
      warden opa token portal.token
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.policy.opa.tokens import generate_token, hash_token

    secret = generate_token()
    try:
        with open(file, "x", encoding="utf-8", opener=partial(os.open, mode=0o600)) as out:
            out.write(secret)
    except OSError as error:
        raise ConfigurationError(
            f"{file} cannot be written ({error.strerror}): name a file that is not there"
        ) from error
    click.echo(hash_token(secret))
    return EXIT_OK


@command.command()
def path() -> int:
    """Print where the pinned OPA is; it is obtained first where it is missing."""
    from warden.base.toolchain.opa import find_opa

    click.echo(find_opa())
    return EXIT_OK
