"""``warden test``: the tests of a site's own rules."""

from pathlib import Path

import click

from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import SITE
from warden.commands.shared.place_option import LocalPath

__all__ = ["command"]


@click.command(short_help="Run the tests of your own rules.")
@click.argument("directories", metavar="DIRECTORY...", nargs=-1, required=True, type=SITE)
@click.option(
    "--settings",
    type=LocalPath(path_type=Path, exists=True, dir_okay=False),
    help="YAML laid over the shipped settings.",
)
@click.option("--profile", type=PROFILE, metavar="NAME", help="Profile that lies between the two.")
@click.option("--run", metavar="REGEX", default="", help="Only tests whose names match, such as acme_test.")
def command(directories: tuple[Path, ...], settings: Path | None, profile: str | None, run: str) -> int:
    """Run the tests in each DIRECTORY of your own rules, as `--site` of other commands takes it.

    The rules are built with the library, so that a test may call `data.kafka.decision` and find settings and
    catalogues. Tests are rules test_... of packages below `site` in files *_test.rego.

    Exit status: 0 all pass, 1 a test fails, 2 the rules or the tests do not compile, or there is no test.

    \b
    Examples:
      warden test rules/
      warden test rules/ --settings settings.yaml --run acme_test
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.policy.bundle.site_tests import run_site_tests

    tests = run_site_tests(directories, settings=settings, profile=profile, run=run)
    failed = [test for test in tests if test.failed]
    for test in failed:
        click.echo(f"{test.place}: {test.name} fails")
        for line in test.output.splitlines():
            click.echo(f"  {line}")
    click.echo(f"{len(tests) - len(failed)} of {len(tests)} pass")
    return EXIT_DENIED if failed else EXIT_OK
