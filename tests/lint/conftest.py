"""One OPA for all tests of this directory, and the command that asks it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from warden.bundle.build import Bundle
from warden.opa.server import LocalOpa


@pytest.fixture(scope="session")
def lint(opa_binary: Path, shipped_bundle: Bundle) -> Iterator[Callable[..., Result]]:
    """Runs `warden lint-config` with arguments."""
    from warden.cli.lint_config import command

    with LocalOpa(shipped_bundle, opa=opa_binary) as opa:

        def run(*arguments: str | Path) -> Result:
            options = ["--url", opa.url, "--token", opa.tokens.query]
            return CliRunner().invoke(command, [*map(str, arguments), *options], standalone_mode=False)

        yield run
