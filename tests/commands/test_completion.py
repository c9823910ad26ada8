"""What a shell offers on Tab, and that it is what commands take."""

import pytest
from click.shell_completion import ShellComplete

from warden.commands import command


def _offered(words: list[str], incomplete: str) -> list[str]:
    items = ShellComplete(command, {}, "warden", "_WARDEN_COMPLETE").get_completions(words, incomplete)
    return [item.value for item in items]


@pytest.mark.parametrize(
    ("command", "option"),
    [
        *[(command, "--profile") for command in ("decide", "check", "scan", "run", "bundle build", "opa run")],
        ("topics create", "--profile"),
        ("impact", "--baseline-profile"),
        ("impact", "--candidate-profile"),
    ],
)
def test_profiles(command, option):
    """Wherever a profile is named, those that begin so are offered."""
    assert ["managed-kafka", "multi-tenant"] == _offered([*command.split(), option], "m")


@pytest.mark.opa
def test_components(warden, opa, tmp_path):
    """All that the policy knows are offered, and no other."""
    path = tmp_path / "x.properties"
    path.write_text("a=b\n", encoding="utf-8")
    where = ["--opa-url", opa.url, "--opa-token", opa.tokens.query]
    _, _, said = warden("check", *where, "--component", "none", str(path))

    assert said.rstrip().rpartition("known are ")[2].split(", ") == _offered(["check", "--component"], "")
