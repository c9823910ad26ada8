"""``warden bundle``: build the bundle, list its rules, print the schema of settings."""

import json
from pathlib import Path

import click

from warden.cli import EXIT_DENIED, EXIT_OK
from warden.cli.completion import PROFILE
from warden.cli.output import OutputFile, console
from warden.errors import ConfigurationError

__all__ = ["command"]


@click.group()
def command() -> None:
    """Build the bundle that OPA loads, and look into it.

    \b
    Examples:
      warden bundle build --output build/bundle.tar.gz
      warden bundle build --settings settings.yaml --signing-key private.pem --signing-algorithm RS256
      warden bundle build --profile production
      warden bundle profiles
      warden bundle rules
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
@click.option("--settings", type=click.Path(path_type=Path), help="YAML laid over the shipped settings.")
@click.option("--profile", type=PROFILE, metavar="NAME", help="Profile between the two: see `warden bundle profiles`.")
@click.option(
    "--signing-key",
    type=click.Path(path_type=Path),
    help="Private key (PEM) or shared secret; default: a key for local use.",
)
@click.option("--signing-algorithm", metavar="NAME", help="Algorithm of --signing-key.  [default: RS256]")
def build(
    output: Path, settings: Path | None, profile: str | None, signing_key: Path | None, signing_algorithm: str | None
) -> int:
    """Build and sign the bundle: policies, catalogues and settings."""
    from warden.bundle import SigningKey, build_bundle

    if signing_algorithm and not signing_key:
        raise ConfigurationError("--signing-algorithm is of a key: give --signing-key too")
    key = SigningKey(signing_key, signing_algorithm or "RS256") if signing_key else None
    bundle = build_bundle(output, settings=settings, profile=profile, key=key)
    click.echo(f"{bundle.path}: revision {bundle.revision}, signed with {bundle.key.algorithm}")
    return EXIT_OK


@command.command()
@click.option(
    "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the list."
)
def rules(output: str) -> int:
    """List the rules: id, severity and title."""
    from rich.table import Table

    from warden.bundle.metadata import rule_metadata
    from warden.resources import share
    from warden.toolchain.opa import find_opa

    found = rule_metadata(find_opa(), share("policies"))
    if output == "json":
        click.echo(json.dumps(found, indent=2))
        return EXIT_OK
    table = Table("rule", "severity", "operations", "title", box=None, header_style="bold")
    for rule in found.values():
        table.add_row(rule["id"], rule["severity"], " ".join(rule["operations"]), rule["title"])
    console().print(table)
    return EXIT_OK


@command.command()
def schema() -> int:
    """Print the JSON schema of a settings file, for editors and other checkers."""
    from warden.bundle.settings import settings_schema
    from warden.resources import share
    from warden.toolchain.opa import find_opa

    click.echo(json.dumps(settings_schema(find_opa(), share("policies")), indent=2))
    return EXIT_OK


@command.command()
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=Path("docs/rules"),
    show_default=True,
    help="Directory to write.",
)
@click.option("--check", is_flag=True, help="Fail where a page was out of date.")
def pages(output: Path, check: bool) -> int:
    """Write a page for each rule: what it says, its parameters, examples and the way out."""
    from warden.bundle.layers import effective_settings
    from warden.bundle.metadata import rule_metadata
    from warden.pages import write_pages
    from warden.resources import share
    from warden.toolchain.opa import find_opa

    policies, opa = share("policies"), find_opa()
    rules = rule_metadata(opa, policies)
    changed = write_pages(output, policies, rules, effective_settings(opa, policies, rules))
    for path in changed:
        click.echo(f"wrote {path}")
    return EXIT_DENIED if check and changed else EXIT_OK


@command.command("profiles")
@click.option(
    "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form of the list."
)
@click.option("--page", type=OutputFile("profiles.md"), help="Write the page about them to this file instead.")
@click.option("--check", is_flag=True, help="With --page: fail where it was out of date.")
def list_profiles(output: str, page: Path | None, check: bool) -> int:
    """List the profiles: settings by name, and for whom they are."""
    from collections import Counter

    from rich.table import Table

    from warden.bundle.layers import profile_views

    if check and page is None:
        raise ConfigurationError("--check is of a page: give --page too")
    if page and output != "text":
        raise ConfigurationError(f"--output {output} is of the list, and --page writes a page: leave out one of them")
    if page:
        return _write_profiles(page, check)
    shown = profile_views()
    if output == "json":
        listed = [{"name": name, "audience": audience, "rules": rules} for name, audience, rules in shown]
        click.echo(json.dumps(listed, indent=2))
        return EXIT_OK
    table = Table("profile", "deny", "warn", "disabled", "for whom", box=None, header_style="bold")
    for name, audience, rules in shown:
        modes = Counter(setting["mode"] for setting in rules.values())
        table.add_row(name, str(modes["deny"]), str(modes["warn"]), str(modes["disabled"]), audience)
    console().print(table)
    return EXIT_OK


def _write_profiles(page: Path, check: bool) -> int:
    from warden.bundle.layers import effective_settings, profile_views
    from warden.bundle.metadata import rule_metadata
    from warden.pages.profiles import render_profiles
    from warden.resources import share
    from warden.toolchain.opa import find_opa

    policies, opa = share("policies"), find_opa()
    rules = rule_metadata(opa, policies)
    text = render_profiles(rules, effective_settings(opa, policies, rules)["rules"], profile_views())
    if page.is_file() and page.read_text(encoding="utf-8") == text:
        return EXIT_OK
    page.write_text(text, encoding="utf-8")
    click.echo(f"wrote {page}")
    return EXIT_DENIED if check else EXIT_OK
