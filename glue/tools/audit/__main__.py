"""``python -m tools.audit``: known vulnerabilities of what requirements.lock, or an SBOM, names."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from tools.audit.database import describe_database
from tools.audit.packages import Parts, read_parts
from tools.audit.scanner import Finding, list_vulnerabilities
from tools.command_line import run
from warden.base.errors import ToolchainError

__all__ = ["NOT_RUN", "command"]

_CLEAN, _FOUND = 0, 1

NOT_RUN: Final = 3
"""The exit status where not everything was looked up: neither that nothing is known, nor that something is."""


@click.command(name="python -m tools.audit", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("sbom", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--database",
    type=click.Path(path_type=Path),
    help="A directory with OSV's archives PyPI/all.zip, Maven/all.zip and Go/all.zip; without it, OSV's service.",
)
def command(sbom: Path | None, database: Path | None) -> int:
    r"""Look up the known vulnerabilities of what the lock, or SBOM, names.

    SBOM is a document of CycloneDX in JSON, such as dist/sbom-image.json.

    The exit status is 0 where none is known of any package, 1 where one is, and 3 where not all was looked up.

    \b
    Examples:
      python -m tools.audit
      python -m tools.audit --database osv dist/sbom-image.json
    """
    from tools.sbom.__main__ import render_lock_sbom
    from tools.toolchain.go_programs import find_osv_scanner

    parts = read_parts(sbom.read_text(encoding="utf-8") if sbom else render_lock_sbom())
    counts = Counter(package.ecosystem for package in parts.packages)
    try:
        source = describe_database(database, counts) if database else ["OSV's service, as of now"]
        findings = list_vulnerabilities(find_osv_scanner(), parts.packages, database)
    except ToolchainError as error:
        click.echo(f"not run: {error}", err=True)
        return NOT_RUN
    for line in _report(parts, counts, source, findings):
        click.echo(line)
    return _FOUND if findings else _CLEAN


def _report(parts: Parts, counts: Counter[str], source: Sequence[str], findings: Sequence[Finding]) -> Sequence[str]:
    lines = [f"compared with {line}" for line in source]
    lines += [f"not compared, since OSV has no list of such: {label}" for label in parts.others]
    if parts.excluded:
        lines.append(f"not compared, since only tests or builds have them: {parts.excluded} components")
    for finding in findings:
        names = ", ".join([finding.id, *finding.aliases])
        lines.append(
            f"{finding.package.name} {finding.package.version}: {names}: {finding.summary or 'without a summary'}"
        )
    listed = ", ".join(f"{count} of {ecosystem}" for ecosystem, count in sorted(counts.items()))
    affected = len({finding.package for finding in findings})
    return [*lines, f"{affected} of {sum(counts.values())} packages ({listed}) have known vulnerabilities"]


if __name__ == "__main__":
    run(command)
