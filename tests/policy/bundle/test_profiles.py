"""Profiles: every one builds, and says only what there is."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from warden.base.errors import SettingsError
from warden.base.resources import find_shipped
from warden.commands.bundle import command
from warden.policy.bundle import build_bundle
from warden.policy.bundle.layers import list_profile_views, read_effective_settings
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.profiles import Profile, find_profile, list_profiles, load_profile, select_profiles
from warden.policy.bundle.settings import load_settings

NAMES = [
    *("ecosystem", "managed-kafka", "multi-tenant", "production", "regulated-data"),
    *("single-broker", "starter", "upgrade-check"),
]
IDS = ["KFK-BRK-001", "KFK-DUR-001", "KFK-DUR-002"]


def _shipped() -> dict[str, Any]:
    rules: dict[str, Any] = load_settings(find_shipped("bundle") / "settings" / "data.yaml")["rules"]
    return rules


def _profile(tmp_path: Path, text: str) -> Profile:
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return Profile("mine", path, "")


def test_the_profiles_and_for_whom_they_are() -> None:
    """Each says at its head for whom it is."""
    assert NAMES == [profile.name for profile in list_profiles()]
    assert ["For"] * len(NAMES) == [profile.audience.partition(" ")[0] for profile in list_profiles()]


def test_profiles_that_rules_offer() -> None:
    """What a denial names is there."""
    texts = [path.read_text(encoding="utf-8") for path in find_shipped("policies").glob("kafka/rules/**/*.rego")]
    offered = {name for text in texts for name in re.findall(r"the profile ([a-z-]+)", text)}

    assert {"single-broker"} <= offered <= set(NAMES)


def test_an_unknown_profile_is_named() -> None:
    """The error lists those that there are."""
    with pytest.raises(
        SettingsError, match=r"^unknown profile prodution: write production, the nearest of .*, starter"
    ):
        find_profile("prodution")


@pytest.mark.parametrize(
    ("text", "rules"),
    {
        "a rule": ("rules: {KFK-DUR-001: {mode: warn}}", {"KFK-DUR-001": {"mode": "warn"}}),
        "a family": (
            "rules: {KFK-DUR-*: {mode: warn}}",
            {"KFK-DUR-001": {"mode": "warn"}, "KFK-DUR-002": {"mode": "warn"}},
        ),
        "the later one wins": (
            "rules: {KFK-DUR-*: {mode: disabled}, KFK-DUR-002: {mode: deny}}",
            {"KFK-DUR-001": {"mode": "disabled"}, "KFK-DUR-002": {"mode": "deny"}},
        ),
        "what the later one leaves out stays": (
            "rules: {KFK-DUR-001: {params: {min: 2}}, KFK-DUR-*: {mode: warn, params: {max: 4}}}",
            {
                "KFK-DUR-001": {"params": {"min": 2, "max": 4}, "mode": "warn"},
                "KFK-DUR-002": {"mode": "warn", "params": {"max": 4}},
            },
        ),
        "what was so before": (
            "rules: {KFK-DUR-*: {found: deny}, KFK-DUR-002: {found: dryrun}}",
            {"KFK-DUR-001": {"found": "deny"}, "KFK-DUR-002": {"found": "dryrun"}},
        ),
        "a name that is not a rule": (
            "rules: {KFK-DUR-999: {mode: warn}}",
            {"KFK-DUR-999": {"mode": "warn"}},
        ),
        "no rules": ("enforcementPoints: {}", {}),
    }.values(),
)
def test_names_of_families_mean_their_rules(tmp_path: Path, text: str, rules: dict[str, Any]) -> None:
    """Only * stands for others; a name that is no rule is left for the check to find."""
    assert rules == load_profile(_profile(tmp_path, text), IDS)["rules"]


def test_a_family_without_rules_is_an_error(tmp_path: Path) -> None:
    """A profile about rules that are gone must not pass for one that works."""
    profile = _profile(tmp_path, "rules: {KFK-TIE-*: {mode: warn}}")

    with pytest.raises(SettingsError) as raised:
        load_profile(profile, IDS)

    message = f"{profile.path}: rules: KFK-TIE-* means no rule: correct the name or leave it out"
    assert message == str(raised.value)


@pytest.mark.opa
def test_profiles_over_each_other(opa_binary: Path) -> None:
    """Of several names each lays its settings over those before; one that is unknown is named."""
    policies = find_shipped("policies")
    rules = read_rule_metadata(opa_binary, policies)
    alone = read_effective_settings(opa_binary, policies, rules, "production")
    both = read_effective_settings(opa_binary, policies, rules, "production,ecosystem")
    chosen = load_settings(find_shipped("bundle") / "profiles" / "ecosystem" / "profile.yaml")["ecosystem"]

    assert ({**alone, "ecosystem": chosen}, {}) == (both, alone["ecosystem"])
    with pytest.raises(SettingsError, match="unknown profile ecosytem: write ecosystem, the nearest of "):
        select_profiles("production,ecosytem")


@pytest.mark.opa
@pytest.mark.parametrize("name", NAMES)
def test_every_profile_holds(name: str, opa_binary: Path) -> None:
    """Each names only rules, parameters and values that there are, and differs from what ships."""
    policies = find_shipped("policies")
    settings = read_effective_settings(opa_binary, policies, read_rule_metadata(opa_binary, policies), name)

    assert settings["rules"] == next(rules for shown, _, rules in list_profile_views() if shown == name)
    assert settings != load_settings(find_shipped("bundle") / "settings" / "data.yaml")


@pytest.mark.opa
def test_a_profile_lies_between_what_ships_and_a_sites_own(
    tmp_path: Path, settings_file: Any, opa_binary: Path
) -> None:
    """The bundle has the site's word before the profile's, and the profile's before the shipped one."""
    own = settings_file({"rules": {"KFK-DUR-001": {"mode": "dryrun"}}})
    policies = find_shipped("policies")
    settings = read_effective_settings(
        opa_binary, policies, read_rule_metadata(opa_binary, policies), "managed-kafka", own
    )

    assert {"mode": "dryrun", "params": {"min": 3, "max": 3}} == settings["rules"]["KFK-DUR-001"]
    assert "disabled" == settings["rules"]["KFK-SIZ-008"]["mode"]
    assert _shipped()["KFK-DUR-002"] == settings["rules"]["KFK-DUR-002"]


@pytest.mark.opa
def test_a_profile_goes_into_the_bundle(tmp_path: Path, opa_binary: Path) -> None:
    """A bundle with a profile is another bundle."""
    plain = build_bundle(tmp_path / "plain.tar.gz", opa=opa_binary)
    checked = build_bundle(tmp_path / "checked.tar.gz", profile="upgrade-check", opa=opa_binary)

    assert plain.revision != checked.revision


def test_an_upgrade_check_is_about_nothing_else() -> None:
    """Rules that say nothing of an upgrade are off, those of later days too; none denies."""
    modes = {id: setting["mode"] for id, setting in dict(_views())["upgrade-check"].items()}

    assert {"warn", "disabled"} == set(modes.values())
    assert {"CFG", "CLI", "CMP", "LST", "NAM"} >= {id[4:7] for id, mode in modes.items() if mode == "warn"}


def test_managed_kafka_says_nothing_of_brokers() -> None:
    """The provider's brokers are the provider's, but for the rule that is about providers."""
    rules = dict(_views())["managed-kafka"]

    assert ["KFK-BRK-006"] == [id for id in rules if id.startswith("KFK-BRK") and rules[id]["mode"] != "disabled"]


def test_a_starter_denies_less_than_what_ships() -> None:
    """No rule is stricter than as shipped, but for those against loss."""
    order = ["disabled", "dryrun", "warn", "deny"]
    shipped = _shipped()
    stricter = {
        id[4:7]
        for id, setting in dict(_views())["starter"].items()
        if order.index(setting["mode"]) > order.index(shipped[id]["mode"])
    }

    assert {"DEL"} >= stricter


def _views() -> list[tuple[str, dict[str, Any]]]:
    return [(name, rules) for name, _, rules in list_profile_views()]


def test_the_list_of_profiles() -> None:
    """`warden bundle profiles` names each one with its audience, and gives programs its rules."""
    listed = CliRunner().invoke(command, ["profiles"], standalone_mode=False, env={"COLUMNS": "300"})
    given = CliRunner().invoke(command, ["profiles", "--output", "json"], standalone_mode=False)

    assert (0, 0) == (listed.return_value, given.return_value)
    assert ["profile", *NAMES] == [line.split()[0] for line in listed.stdout.splitlines()]
    assert [
        {"name": name, "audience": audience, "rules": rules} for name, audience, rules in list_profile_views()
    ] == json.loads(given.stdout)
