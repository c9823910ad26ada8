"""``warden settings``: mistakes with their lines, and what holds where, with the line that says so."""

import io
import json
import sys

import pytest
import yaml

from warden.base.resources import find_shipped
from warden.policy.bundle.effective_rules import read_rules_in_force
from warden.policy.bundle.layers import read_layers

pytestmark = pytest.mark.opa

_JSON = ("--output", "json")

SETTINGS = """\
rules:
  KFK-SIZ-001: {mode: deny, params: {min: 1, max: 50}}
clusters:
  - match: {name: "dev-*"}
    rules:
      KFK-SIZ-001: {params: {max: 9}}
enforcementPoints:
  ci: {KFK-SIZ-001: {mode: warn}}
"""


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    """A file with each kind of layer."""
    path = tmp_path_factory.mktemp("settings") / "settings.yaml"
    path.write_text(SETTINGS, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def layers(settings):
    """The file over what ships."""
    return read_layers(settings, None)


@pytest.mark.parametrize(
    ("cluster", "point", "mode", "most"),
    [
        ("dev-1", "ci", ("warn", 8), (9, 6)),
        ("prod", "ci", ("warn", 8), (50, 2)),
        ("dev-1", "gateway", ("deny", 2), (9, 6)),
    ],
)
def test_effective(settings, layers, cluster, point, mode, most) -> None:
    """The enforcement point's own stands over the cluster's, and that over the base; each value has its line."""
    rules = read_rules_in_force(layers, cluster=cluster, enforcement_point=point)
    size = rules["KFK-SIZ-001"]

    assert (mode[0], f"{settings}:{mode[1]}") == (size.mode, size.origins["mode"])
    assert (most[0], f"{settings}:{most[1]}") == (size.params["max"], size.origins["max"])
    assert rules["KFK-RET-001"].origins["min"].startswith(str(find_shipped("bundle") / "settings" / "data.yaml"))


def test_show(warden, settings) -> None:
    """A table of what holds; a rule that there is not is an error."""
    arguments = ("show", "--settings", str(settings), "--effective", "--cluster", "dev-1")
    _, table, _ = warden("settings", *arguments, "KFK-SIZ-001")
    rows = [line.split()[:3] for line in table.splitlines()[1:]]

    assert [["KFK-SIZ-001", name, value] for name, value in (("mode", "warn"), ("max", "9"), ("min", "1"))] == rows
    status, _, err = warden("settings", "show", "XXX")
    assert (2, "warden: no rule XXX: warden rules lists all of them\n") == (status, err)


def test_show_merged(warden, settings) -> None:
    """What is merged holds anywhere: in YAML or JSON, and of no cluster."""
    shown = [warden("settings", "show", "--settings", str(settings), *more, "KFK-SIZ-001") for more in ((), _JSON)]
    expected = {"rules": {"KFK-SIZ-001": {"mode": "deny", "params": {"min": 1, "max": 50}}}}

    assert [expected, expected] == [yaml.safe_load(shown[0][1]), json.loads(shown[1][1])]
    for option in ("--cluster", "--enforcement-point"):
        status, out, err = warden("settings", "show", option, "dev-1")
        assert (2, "", True) == (status, out, f"{option} is of what holds somewhere: give --effective" in err)


def test_validate(warden, settings, tmp_path) -> None:
    """A mistake is named with its line."""
    path = tmp_path / "mistake.yaml"
    path.write_text(SETTINGS.replace("max: 9", "max: none"), encoding="utf-8")
    status, _, err = warden("settings", "validate", str(path))

    assert (2, True) == (status, f"{path}:6: " in err), err


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SETTINGS, (0, "-: valid\n", "")),
        (
            "rules:\n  KFK-SIZ-999: {mode: deny}\n",
            (2, "", "warden: standard input:2: rules: unknown rule KFK-SIZ-999"),
        ),
    ],
)
def test_validate_standard_input(warden, monkeypatch, text, expected) -> None:
    """It is read once, and mistakes have their lines all the same."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    status, out, err = warden("settings", "validate", "-")

    assert expected == (status, out, err[: len(expected[2])]), err
