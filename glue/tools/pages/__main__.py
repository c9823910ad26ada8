"""``python -m tools.pages``: write the pages made from rules, packages and schemas, or check that they are true."""

from pathlib import Path

import click

from tools.command_line import run, write_texts
from tools.pages.architecture import render_architecture, render_policies
from tools.pages.controls import render_controls
from tools.pages.ecosystem import render_ecosystem
from tools.pages.manual import render_manual
from tools.pages.openapi import render_openapi
from tools.pages.profiles import render_profiles
from tools.pages.python_members import render_python_members
from tools.pages.rules import render_rules
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.catalog import read_catalog
from warden.policy.bundle.layers import list_profile_views, read_effective_settings
from warden.policy.bundle.metadata import read_rule_metadata

__all__ = ["command", "render_pages"]


def render_pages() -> dict[str, str]:
    """Return the pages: path below the directory of reference pages → text."""
    policies, opa = find_shipped("policies"), find_opa()
    rules = read_rule_metadata(opa, policies)
    settings = read_effective_settings(opa, policies, rules)["rules"]
    pages = {f"rules/{name}": text for name, text in render_rules(policies, rules, settings).items()}
    pages["rules/README.md"] += "\n" + render_controls(read_catalog("controls"), rules)
    return pages | {
        "ecosystem.md": render_ecosystem(read_catalog("ecosystem")),
        "openapi.yaml": render_openapi(policies.parent),
        "profiles.md": render_profiles(rules, settings, list_profile_views()),
        "python.md": render_python_members(policies.parent),
        "warden.1": render_manual(policies.parent),
        "../explain/architecture.md": render_architecture(policies.parent),
        "../../policies/README.md": render_policies(policies.parent),
    }


@click.command(name="python -m tools.pages", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing, name the files that are out of date, and fail if any are.")
@click.option(
    "--docs",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    default=Path("docs/reference"),
    show_default=True,
    help="Directory that holds rules/ and the other pages that are made.",
)
def command(check: bool, docs: Path) -> int:
    """Write a page for each rule, their index, tables of others, openapi.yaml, warden.1; remove a page of no rule."""
    pages = render_pages()
    status = write_texts({docs / name: text for name, text in pages.items()}, "tools.pages", check=check)
    left_over = [path for path in sorted((docs / "rules").glob("*.md")) if f"rules/{path.name}" not in pages]
    for path in left_over:
        if check:
            click.echo(f"{path} is out of date: run `python -m tools.pages`", err=True)
            continue
        path.unlink()
        click.echo(f"removed {path}")
    return int(check and bool(status or left_over))


if __name__ == "__main__":
    run(command)
