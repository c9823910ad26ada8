"""Settings files: what is wrong with one is reported with its file, its line and one sentence."""

from typing import Any

import pytest

from warden.base.errors import SettingsError
from warden.policy.bundle import build_bundle
from warden.policy.bundle.settings import load_settings, merge_settings

pytestmark = pytest.mark.opa

_WAIVER = "{id: W-1, rule: KFK-RET-001, owner: risk, reason: hold, expires: 2027-03-31}"

_WRONG = {
    "unknown field": ("rule: {}\n", ["1: unknown field rule: did you mean rules?"]),
    "unknown rule": (
        "rules:\n  KFK-DUR-001: {mode: warn}\n  KFK-DUR-999: {mode: warn}\n",
        ["3: rules: unknown rule KFK-DUR-999: did you mean KFK-DUR-009?"],
    ),
    "unknown parameter": (
        "rules:\n  KFK-DUR-001:\n    params:\n      least: 3\n",
        ["4: rules.KFK-DUR-001.params: unknown parameter least"],
    ),
    "unknown mode": (
        "rules:\n  KFK-DUR-001:\n    mode: block\n",
        ['3: rules.KFK-DUR-001.mode: must be one of the following: "deny", "warn", "dryrun", "disabled"'],
    ),
    "wrong type": (
        "rules:\n  KFK-DUR-001:\n    params:\n      min: three\n",
        ["4: rules.KFK-DUR-001.params.min: must be an integer, not a string"],
    ),
    "out of range": (
        "rules:\n  KFK-DUR-001:\n    params: {min: 0}\n",
        ["3: rules.KFK-DUR-001.params.min: must be greater than or equal to 1"],
    ),
    "maximum below minimum": (
        "rules:\n  KFK-DUR-001:\n    params:\n      min: 5\n      max: 4\n",
        ["5: rules.KFK-DUR-001.params.max: max 4 is below min 5"],
    ),
    "maximum below the minimum that ships": (
        "rules:\n  KFK-DUR-001:\n    params:\n      max: 2\n",
        ["4: rules.KFK-DUR-001.params.max: max 2 is below min 3"],
    ),
    "no regular expression": (
        'rules:\n  KFK-NAM-001:\n    params:\n      pattern: "(a"\n',
        ['4: rules.KFK-NAM-001.params.pattern: "(a" is not a regular expression (RE2)'],
    ),
    "pattern that cannot be read": (
        'rules:\n  KFK-DEL-001:\n    params: {allowPatterns: ["*"], denyPatterns: ["audit.{eu,us.*"]}\n',
        [
            (
                '3: rules.KFK-DEL-001.params.denyPatterns.0: invalid pattern "audit.{eu,us.*": '
                "expected each { and [ closed, and a \\ before one that is meant as it is"
            ),
        ],
    ),
    "no day and no time zone": (
        "rules:\n  KFK-CHG-008:\n    params:\n      freezeUntil: 2027-13-45\n      timeZone: Moon/Base\n",
        [
            (
                "4: rules.KFK-CHG-008.params.freezeUntil: 2027-13-45 is not a day of the calendar: "
                "expected one such as 2026-12-31"
            ),
            '5: rules.KFK-CHG-008.params.timeZone: unknown time zone "Moon/Base": expected one such as Europe/Berlin',
        ],
    ),
    "cluster": (
        "clusters:\n  - match: {name: dev-*}\n    rules: {KFK-DUR-999: {mode: warn}}\n",
        ["3: clusters.0.rules: unknown rule KFK-DUR-999: did you mean KFK-DUR-009?"],
    ),
    "cluster without match": ("clusters:\n  - rules: {}\n", ["2: clusters.0: match is missing: write it"]),
    "enforcementPoint": (
        "enforcementPoints:\n  ci:\n    KFK-DUR-999: {mode: warn}\n",
        ["3: enforcementPoints.ci: unknown rule KFK-DUR-999: did you mean KFK-DUR-009?"],
    ),
    "waiver of an unknown rule": (
        f"waivers:\n  - {_WAIVER.replace('RET-001', 'RET-999')}\n",
        ["2: waivers.0.rule: unknown rule KFK-RET-999: did you mean KFK-RET-001?"],
    ),
    "waiver without its end": (
        "waivers:\n  - {id: W-1, rule: KFK-RET-001, owner: risk, reason: hold}\n",
        ["2: waivers.0: expires is missing: write it"],
    ),
    "waiver that ends on no day": (
        f"waivers:\n  - {_WAIVER.replace('03-31', '02-30')}\n",
        ["2: waivers.0.expires: 2027-02-30 is not a day of the calendar"],
    ),
    "waiver twice": (f"waivers:\n  - {_WAIVER}\n  - {_WAIVER}\n", ["3: waivers.1.id: waiver W-1 is there already"]),
    "two problems, in the order of their lines": (
        "rules:\n  KFK-DUR-001: {mode: block}\n  KFK-DUR-002:\n    params: {margin: -1}\n",
        [
            '2: rules.KFK-DUR-001.mode: must be one of the following: "deny", "warn", "dryrun", "disabled"',
            "4: rules.KFK-DUR-002.params.margin: must be greater than or equal to 0",
        ],
    ),
}


@pytest.mark.parametrize(("text", "problems"), _WRONG.values(), ids=_WRONG.keys())
def test_what_is_wrong_is_reported_with_its_line(opa_binary, tmp_path, settings_file, text, problems):
    """One line for each problem: file, line, place and reason."""
    path = settings_file(text)

    with pytest.raises(SettingsError) as caught:
        build_bundle(tmp_path / "bundle.tar.gz", settings=path, opa=opa_binary)

    assert [f"{path}:{problem}" for problem in problems] == str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rules: [unclosed", "2: not YAML ("),
        ("rules:\n\tKFK-DUR-001: {}\n", "2: not YAML ("),
        ("!!python/object/apply:os.getcwd []", "1: not YAML ("),
        ("- rules", " not a mapping: write rules:, clusters:, enforcementPoints: or waivers:"),
        ("rules", " not a mapping: write rules:, clusters:, enforcementPoints: or waivers:"),
        (
            "rules:\n  KFK-SIZ-001: {mode: deny}\n  KFK-SIZ-001: {mode: warn}\n",
            "3: the key KFK-SIZ-001 is there already, in line 2: keep one of the two",
        ),
        ("rules: {}\nrules: {}\n", "2: the key rules is there already, in line 1: keep one of the two"),
    ],
)
def test_what_is_no_settings_file(settings_file, text, sentence):
    """A file that is not a YAML mapping is named, with what to write."""
    path = settings_file(text)

    with pytest.raises(SettingsError) as caught:
        load_settings(path)

    assert str(caught.value).startswith(f"{path}:{sentence}")


@pytest.mark.parametrize("text", ["", "# rules:\n", "---\n"])
def test_a_file_that_says_nothing(settings_file, text):
    """No settings are settings: those that ship stand."""
    assert {} == load_settings(settings_file(text))


def test_a_file_that_is_not_there(tmp_path):
    """A missing file is an error of its own."""
    with pytest.raises(SettingsError, match=r"nowhere\.yaml: cannot be read \(.*\): name a YAML file with settings$"):
        load_settings(tmp_path / "nowhere.yaml")


def test_a_file_that_is_not_text(tmp_path):
    """Bytes that are not UTF-8 are not YAML either."""
    path = tmp_path / "settings.yaml"
    path.write_bytes(b"\xff\xfe\x00r")

    with pytest.raises(SettingsError, match=r"settings\.yaml:1: not YAML \(it is not in UTF-8\): save it in UTF-8"):
        load_settings(path)


def test_dates_stay_strings(settings_file):
    """A date without quotes is what the contract has: a string."""
    settings = load_settings(settings_file("waivers: [{expires: 2027-03-31}]\nrules: {A: {enforceFrom: 2027-01-01}}\n"))

    assert {"waivers": [{"expires": "2027-03-31"}], "rules": {"A": {"enforceFrom": "2027-01-01"}}} == settings


def test_merge():
    """Rules and parameters one by one, lists as a whole, what is not named stays."""
    base: dict[str, Any] = {
        "rules": {"A": {"mode": "deny", "params": {"min": 1, "max": 9}}, "B": {"mode": "warn"}},
        "waivers": [1],
        "enforcementPoints": {},
    }
    over = {"rules": {"A": {"params": {"min": 2}}}, "waivers": [2]}

    assert {
        "rules": {"A": {"mode": "deny", "params": {"min": 2, "max": 9}}, "B": {"mode": "warn"}},
        "waivers": [2],
        "enforcementPoints": {},
    } == merge_settings(base, over)
    assert 1 == base["rules"]["A"]["params"]["min"]
