"""``warden bundle``: build the bundle, list its rules, print the schema of settings."""

import json
from pathlib import Path

import click

from warden.base.errors import ConfigurationError
from warden.commands import EXIT_OK, CommandGroup
from warden.commands.shared.choice import Choice
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import SITE
from warden.commands.shared.output import OutputFile, build_console
from warden.commands.shared.place_option import LocalPath
from warden.policy.contract.schemas import SCHEMAS, build_decision_input_schema, read_schema

__all__ = ["command"]


@click.group(cls=CommandGroup)
def command() -> None:
    """Build the bundle that OPA loads; list profiles, print schemas.

    \b
    Examples:
      warden bundle build --output build/bundle.tar.gz
      warden bundle build --settings settings.yaml --signing-key private.pem --signing-algorithm RS256
      warden bundle build --profile production
      warden bundle build --site policies/
      warden bundle build --only placement
      warden bundle build --only site --site policies/ --output site.tar.gz
      warden bundle profiles
      warden bundle schema > settings.schema.json
    """  # noqa: D301 - \b is click's mark for lines that stay as they are


@command.command()
@click.option(
    "--output",
    type=OutputFile("bundle.tar.gz"),
    default=Path("build/bundle.tar.gz"),
    show_default=True,
    help="File to write.",
)
@click.option(
    "--settings",
    type=LocalPath(path_type=Path, exists=True, dir_okay=False),
    help="YAML laid over the shipped settings.",
)
@click.option("--profile", type=PROFILE, metavar="NAME", help="Profile between the two: see `warden bundle profiles`.")
@click.option("--site", type=SITE, multiple=True, help="Directory of your own rules; repeatable.")
@click.option(
    "--number", type=click.IntRange(1), metavar="N", help="Before the revision, so that older bundles can be refused."
)
@click.option(
    "--only",
    type=Choice(["placement", "site"]),
    help="Leave out all rules about Kafka; or all but your own, for an OPA that loads the file beside Warden's bundle.",
)
@click.option(
    "--signing-key",
    type=LocalPath(path_type=Path),
    help="Private key (PEM) or shared secret; default: a key for local use.",
)
@click.option("--signing-algorithm", metavar="NAME", help="Algorithm of --signing-key.  [default: RS256]")
def build(
    output: Path,
    settings: Path | None,
    profile: str | None,
    site: tuple[Path, ...],
    number: int | None,
    only: str | None,
    signing_key: Path | None,
    signing_algorithm: str | None,
) -> int:
    """Build and sign the bundle: policies, catalogues, settings and your own rules."""
    from warden.base.resources import find_shipped
    from warden.policy.bundle import SigningKey, build_bundle
    from warden.policy.bundle.contents import PolicySelection
    from warden.policy.bundle.site_bundle import build_site_bundle

    if signing_algorithm and not signing_key:
        raise ConfigurationError("--signing-algorithm is of a key: give --signing-key too")
    key = SigningKey(signing_key, signing_algorithm or "RS256") if signing_key else None
    if only == "site":
        if settings or profile:
            raise ConfigurationError("--only site has no settings: leave out --settings and --profile, or --only")
        bundle = build_site_bundle(output, site, number=number, key=key)
    else:
        policies = PolicySelection(find_shipped("policies"), only)
        bundle = build_bundle(
            output, settings=settings, profile=profile, site=site, number=number, key=key, policies=policies
        )
    click.echo(f"{bundle.path}: revision {bundle.revision}, signed with {bundle.key.algorithm}")
    return EXIT_OK


@command.command()
@click.argument("document", type=Choice(SCHEMAS), default="settings", metavar="[DOCUMENT]")
@click.option("--operation", metavar="NAME", help="With decision-input: the operation, such as CreateTopic.")
def schema(document: str, operation: str | None) -> int:
    """Print the JSON Schema of a document of the contract, for editors and other checkers.

    DOCUMENT is settings where it is left out, or decision-input, decision, cluster-state, topics or waivers.

    \b
    Examples:
      warden bundle schema > settings.schema.json
      warden bundle schema decision-input --operation CreateTopic
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    if operation and document != "decision-input":
        raise ConfigurationError(
            f"--operation is of decision inputs: leave it out, or ask for decision-input, not {document}"
        )
    content = build_decision_input_schema(operation) if operation else read_schema(document)
    click.echo(json.dumps(content, indent=2))
    return EXIT_OK


@command.command("profiles")
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="Form of the list.")
def list_profiles(output: str) -> int:
    """List the profiles: settings by name, and for whom they are."""
    from collections import Counter

    from rich.table import Table

    from warden.policy.bundle.layers import list_profile_views

    shown = list_profile_views()
    if output == "json":
        listed = [{"name": name, "audience": audience, "rules": rules} for name, audience, rules in shown]
        click.echo(json.dumps(listed, indent=2))
        return EXIT_OK
    table = Table("profile", "deny", "warn", "disabled", "for whom", box=None, header_style="bold")
    for name, audience, rules in shown:
        modes = Counter(setting["mode"] for setting in rules.values())
        table.add_row(name, str(modes["deny"]), str(modes["warn"]), str(modes["disabled"]), audience)
    build_console().print(table)
    return EXIT_OK
