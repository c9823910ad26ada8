"""What releases changed: as two of their jars say, and what is refused as Kafka's own validators refuse it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from py4j.protocol import Py4JJavaError

from tests.fixtures.brokers.kafka_3_9 import class_path_3_9
from tools.catalog.history import PATCHES, compare_releases, read_release
from warden.base.resources import find_shipped
from warden.base.toolchain import versions
from warden.base.toolchain.jars import obtain_kafka_jars
from warden.policy.opa.local import LocalOpa

OLD, NEW = "3.9", "4.4"


@pytest.fixture(scope="module")
def there() -> dict[str, Any]:
    """The generated file."""
    loaded: dict[str, Any] = yaml.safe_load(
        (find_shipped("bundle") / "catalog" / "history" / "data.yaml").read_text("utf-8")
    )
    return loaded


@pytest.fixture(scope="module")
def releases() -> dict[str, Any]:
    """Two releases as their jars have them: those that other tests need anyway."""
    old = [Path(one) for one in class_path_3_9().split(":")]
    return {OLD: read_release("3.9.2", old), NEW: read_release(versions.KAFKA, obtain_kafka_jars())}


def at(steps: list[dict[str, Any]], release: str) -> dict[str, Any] | None:
    """The step of a release, None before the first and behind the last."""
    passed = [step for step in steps if step["since"] <= release]
    found = {name: value for name, value in passed[-1].items() if name != "since"} if passed else {"removed": True}
    return None if found.get("removed") else found


@pytest.mark.kafka
@pytest.mark.oracle
def test_it_is_what_two_releases_say(there: dict[str, Any], releases: dict[str, Any]) -> None:
    """Each config that changed from one to the other is there as both have it, and no other; requests and level too."""
    for component, steps in there["configs"].items():
        old, new = (releases[one]["configs"][component] for one in (OLD, NEW))
        assert min(len(old), len(new)) > 30
        differing = {name for name in old if old[name] != new.get(name)}
        assert differing <= steps.keys()
        for name, of_name in steps.items():
            assert (old.get(name), new.get(name)) == (at(of_name, OLD), at(of_name, NEW)), name
    apis = {name: (least, releases[NEW]["apis"].get(name)) for name, least in releases[OLD]["apis"].items()}
    raised = {name: both for name, both in apis.items() if both[1] is not None and both[0] != both[1]}
    assert raised == {name: (steps[0]["min"], steps[-1]["min"]) for name, steps in there["apis"].items()}
    levels = [{name: step[name] for name in ("min", "name")} for step in there["metadataVersion"]]
    assert [releases[OLD]["metadataVersion"], releases[NEW]["metadataVersion"]] == levels
    assert {one: releases[one]["level"] for one in (OLD, NEW)} == {one: there["levels"][one] for one in (OLD, NEW)}
    assert len(set(there["levels"].values())) == len(PATCHES)  # so that a level tells the release
    assert sorted(releases[NEW]["features"]) == there["features"]
    assert list(PATCHES) == list(there["patches"].values())


def test_history_of_releases() -> None:
    """What came, changed and went, each since when; what only came is no change."""

    def release(apis: Mapping[str, int], level: int, **broker: Any) -> dict[str, Any]:
        configs = {"broker": broker, "topic": {}}
        metadata = {"min": level, "name": str(level)}
        features = ["metadata.version", *(["group.version"] if level > 1 else [])]
        return {"configs": configs, "apis": apis, "metadataVersion": metadata, "level": level + 1, "features": features}

    same, one, other = ({"type": "int", "default": text} for text in "012")
    found = compare_releases(
        {
            "3.9.2": release({"Fetch": 0, "Gone": 0}, 1, same=same, goes=one, changes=one),
            "4.0.1": release({"Fetch": 4}, 7, same=same, changes=other, comes=one, later=one),
            "4.1.1": release({"Fetch": 4, "New": 0}, 7, same=same, changes=other, comes=one, later=other, goes=one),
        }
    )

    gone = {"since": "4.0", "removed": True}
    assert {
        "changes": [{"since": "3.9", **one}, {"since": "4.0", **other}],
        "goes": [{"since": "3.9", **one}, gone, {"since": "4.1", **one}],
        "later": [{"since": "4.0", **one}, {"since": "4.1", **other}],
    } == found["configs"]["broker"]
    assert {"Fetch": [{"since": "3.9", "min": 0}, {"since": "4.0", "min": 4}]} == found["apis"]
    assert [1, 7] == [step["min"] for step in found["metadataVersion"]]
    assert {"3.9": 2, "4.0": 8, "4.1": 8} == found["levels"]
    assert ["group.version", "metadata.version"] == found["features"]
    assert {"3.9": "3.9.2", "4.0": "4.0.1", "4.1": "4.1.1"} == found["patches"]


@pytest.fixture(scope="module")
def refuses(jvm: Any) -> Callable[[str, str, str], str | None]:
    """What Kafka's own definitions of the newest release say of a component's config and a text."""
    definition = jvm.org.apache.kafka.common.config.ConfigDef
    log = jvm.java.lang.Class.forName("org.apache.kafka.storage.internals.log.LogConfig").getDeclaredField("CONFIG")
    log.setAccessible(True)
    of = {"broker": jvm.kafka.server.KafkaConfig.configDef().configKeys(), "topic": log.get(None).configKeys()}

    def say(component: str, name: str, text: str) -> str | None:
        key = of[component][name]
        try:
            value = definition.parseType(name, text, key.type)
            if key.validator is not None:
                key.validator.ensureValid(name, value)
        except Py4JJavaError as error:
            return str(error.java_exception.getMessage())
        return None

    return say


@pytest.mark.kafka
@pytest.mark.opa
@pytest.mark.oracle
def test_refused_as_kafka_refuses(
    there: dict[str, Any], refuses: Callable[[str, str, str], str | None], opa: LocalOpa
) -> None:
    """Around each bound of a number that any release has, the newest's validator says the same, word for word."""
    cases: dict[str, tuple[str, str, str]] = {}
    for component, configs in there["configs"].items():
        for name, steps in configs.items():
            if steps[-1].get("type") not in {"short", "int", "long", "boolean"}:
                continue
            bounds = {int(step[side]) for step in steps for side in ("min", "max") if side in step}
            texts = {str(bound + off) for bound in bounds for off in (-1, 0, 1)} | {"", "x", " 7 ", "true", "-1", "1e3"}
            cases |= {f"{component}/{name}/{text}": (component, name, text) for text in sorted(texts)}
    items = {key: {"component": one[0], "configs": {one[1]: one[2]}} for key, one in cases.items()}
    with opa.build_client() as client:
        answer = client.evaluate("kafka/upgrade/findings", {"from": "3.5", "to": NEW, "items": items})
    said = {
        key: next((one["message"] for one in found if one["outcome"] == "refused"), None)
        for key, found in answer["findings"].items()
    }

    assert len(cases) > 200
    assert {key: refuses(*one) for key, one in cases.items()} == said
