"""Generated sequences of tenants' policies on a real API server and OPA, held to a small model."""

import os
import random
import shutil
from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.policies.policy_maps import Maps
from warden.base.errors import OpaError

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

STEPS = 14
SEEDS = int(os.environ.get("WARDEN_TEST_SEEDS", "2"))
NAMES = ("a", "b")


class _Model:
    """What is in force: by namespace and name the text's number, and those ConfigMaps of which none ever was."""

    def __init__(self, maps: Maps) -> None:
        self._maps = maps
        self.there: dict[tuple[str, str], int | None] = {}

    @property
    def groups(self) -> tuple[str, ...]:
        return self._maps.namespace, self._maps.shop, self._maps.pay

    def package(self, group: str, name: str) -> str:
        return f"site.placement.{name}" if group == self._maps.namespace else f'site.tenants["{group}"].{name}'

    def answer(self, namespace: str) -> tuple[list[str], bool]:
        """Return the warnings about an object of a namespace, and whether it is refused."""
        about = {self._maps.namespace, namespace}
        warnings = sorted(
            f"{group} {name} {number}"
            for (group, name), number in self.there.items()
            if number is not None and group in about
        )
        rows = [[number for (other, _), number in self.there.items() if other == group] for group in about]
        return warnings, any(row and all(number is None for number in row) for row in rows)


def _texts(model: _Model, group: str, name: str, number: int) -> dict[str, str]:
    package, other = model.package(group, name), next(one for one in reversed(model.groups) if one != group)
    elsewhere = "system.authz" if group == model.groups[0] else "site.placement.evil"
    return {
        "good": f'package {package}\n\nwarnings contains "{group} {name} {number}"\n',
        "broken": f"package {package}\n\nwarnings contains x if {number}\n",
        "unparsable": f"package x {{ {number}",
        "foreign": f"package {elsewhere}\n\nx := {number}\n",
        "curious": f'package {package}\n\nwarnings contains json.marshal(data.site.tenants["{other}"].x{number})\n',
    }


def _write(maps: Maps, model: _Model, random_: random.Random, number: int) -> None:
    group, name = random_.choice(model.groups), random_.choice(NAMES)
    kind = random_.choices(("good", "broken", "unparsable", "foreign", "curious"), (5, 1, 1, 1, 1))[0]
    maps.write(name, {"a.rego": _texts(model, group, name, number)[kind]}, namespace=group)
    if kind == "good":
        model.there[group, name] = number
        eventually(lambda: maps.says_ok(name, group), f"{group}/{name} says ok")
    else:
        model.there.setdefault((group, name), None)
        maps.refuses(name, namespace=group)


def _delete(maps: Maps, model: _Model, random_: random.Random, _: int) -> None:
    if model.there:
        group, name = random_.choice(sorted(model.there))
        maps.delete(name, group)
        del model.there[group, name]


def _restart_replicator(maps: Maps, _: _Model, __: random.Random, ___: int) -> None:
    maps.stop()
    maps.start()


def _restart_both(maps: Maps, _: _Model, __: random.Random, ___: int) -> None:
    maps.stop()
    maps.opa._end()
    shutil.rmtree(maps.opa.directory / "bundles" / "configmaps", ignore_errors=True)
    maps.opa.start()
    maps.opa.wait_ready(120)
    maps.start()


STEP: dict[Callable[..., None], int] = {_write: 10, _delete: 2, _restart_replicator: 1, _restart_both: 1}


@pytest.mark.parametrize("seed", range(SEEDS))
def test_what_decides_is_the_model(maps, seed):
    """Of each ConfigMap its newest text that compiles, about its own namespace; whatever happens, in whatever order."""
    random_, model = random.Random(seed), _Model(maps)
    for number in range(STEPS):
        random_.choices(list(STEP), list(STEP.values()))[0](maps, model, random_, number)
        for namespace in (*model.groups[1:], maps.unlisted):
            wanted = model.answer(namespace)
            _decides(maps, namespace, wanted, f"seed {seed}, step {number}: {namespace} is decided as {wanted}")


def _decides(maps: Maps, namespace: str, wanted: tuple[list[str], bool], what: str) -> None:
    last: list[Any] = []

    def same() -> bool:
        try:
            answer = maps.answer(namespace)
        except OpaError as error:
            last[:] = [error]
            return False
        last[:] = [(answer.get("warnings", []), "errors" in answer)]
        return last == [wanted]

    try:
        eventually(same, what)
    except AssertionError as error:
        raise AssertionError(f"{error}, not {last}") from None
