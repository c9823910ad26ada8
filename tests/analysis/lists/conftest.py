"""One OPA for all tests of this directory, and the command that asks it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from warden.opa.local import LocalOpa


@pytest.fixture(scope="session")
def lint(opa: LocalOpa) -> Callable[..., Result]:
    """Runs `warden lint-config` with arguments."""
    from warden.cli.lint_config import command

    def run(*arguments: str | Path) -> Result:
        options = ["--opa-url", opa.url, "--opa-token", opa.tokens.query]
        return CliRunner().invoke(command, [*map(str, arguments), *options], standalone_mode=False)

    return run
