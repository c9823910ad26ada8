"""Imports point one way: between the groups of the package, and between the rooms inside a group."""

import re
from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from tools.lint.layers import (
    GROUPS,
    POLICIES,
    REFERENCES_BACK,
    ROOTS,
    USES,
    USES_OF_ROOMS,
    find_group,
    find_room,
    iter_imports,
    iter_references,
)

MODULES = sorted(
    (CHECKOUT / root, path.relative_to(CHECKOUT / root))
    for package, root in ROOTS.items()
    for path in (CHECKOUT / root / package).rglob("*.py")
)


def is_upward(name: str, target: str) -> bool:
    """Whether an import goes to a group that the module's own may not use, or to a later room of its own group."""
    own, other = find_group(name), find_group(target)
    if own == other:
        order = ["", *GROUPS.get(own, [])]
        rooms = [find_room(name), find_room(target)]
        return rooms[0] != "" and set(rooms) <= set(order) and order.index(rooms[1]) > order.index(rooms[0])
    return other not in (*USES[own], *USES_OF_ROOMS.get(f"{own}.{find_room(name)}", ()))


@pytest.mark.parametrize(("root", "module"), MODULES, ids=str)
def test_imports_point_one_way(root: Path, module: Path) -> None:
    """No module imports from a group or a room above its own."""
    name = ".".join(module.with_suffix("").parts).removesuffix(".__init__")

    assert [] == [target for target in iter_imports(root / module) if is_upward(name, target)]


@pytest.mark.parametrize("group", GROUPS)
def test_every_room_has_its_place(group: str) -> None:
    """The rooms on disk are the rooms of the list."""
    package, *rest = group.split(".")
    directory = (CHECKOUT / ROOTS[package] / package).joinpath(*rest)
    rooms = {path.stem for path in directory.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()}

    assert set(GROUPS[group]) == rooms - {"__init__"}


def test_every_package_of_rego_has_its_place() -> None:
    """The packages on disk are those of the list, and those below them."""
    listed = [name for packages in POLICIES.values() for name in packages]
    policies = CHECKOUT / "policies"
    found = {".".join(file.parent.relative_to(policies).parts) for file in policies.rglob("*.rego")}
    found -= {"kafka", "kafka.fixtures"}

    assert [] == [name for name in sorted(found) if not any(f"{name}.".startswith(f"{each}.") for each in listed)]
    assert set() == set(listed) - found
    assert len(listed) == len(set(listed))


def test_what_stands_right_below_kafka_is_for_callers() -> None:
    """Every package there is on the page of the contract, or on that about a first rule; the rest is in groups."""
    pages = "".join((CHECKOUT / "docs" / page).read_text() for page in ("reference/contract.md", "start/first-rule.md"))
    names = {path.name for path in (CHECKOUT / "policies/kafka").iterdir() if path.is_dir()}

    assert {"base", "engine", "fixtures", "model", "rules"} <= names
    for name in names - {"base", "engine", "fixtures", "model", "rules"}:
        assert re.search(rf"\bkafka[./]{name}\b", pages), name


def test_references_of_rego_point_one_way() -> None:
    """No package refers to one that comes later in the list, but for those that are stated."""
    order = [name for packages in POLICIES.values() for name in packages]
    files = [file for file in (CHECKOUT / "policies").rglob("*.rego") if not file.name.endswith("_test.rego")]
    found = {pair for file in files for pair in iter_references(file)}

    later = {(own, other) for own, other in found if own and order.index(other) > order.index(own)}
    assert REFERENCES_BACK == later
    assert len(found) > 100


@pytest.mark.parametrize(
    ("name", "target", "upward"),
    [
        ("warden.enforce.gateway.connection.relay", "warden.policy.opa.client", False),
        ("warden.enforce.gateway.connection.relay", "warden.analyse.check.files", True),
        ("warden.analyse.scan.plan", "warden.enforce.sdk", True),
        ("warden.base.did_you_mean", "warden.base.toolchain", True),
        ("warden.base.toolchain.opa", "warden.base.did_you_mean", False),
        ("warden.policy.opa.client", "warden.state.snapshot.directory", True),
        ("spark_jobs.jobs.trend", "warden.commands.trend", False),
        ("spark_jobs.scan.tables", "warden.commands.trend", True),
    ],
)
def test_an_upward_import_is_found(name: str, target: str, upward: bool) -> None:
    """The rule tells imports that go up from those that go down."""
    assert upward is is_upward(name, target)
