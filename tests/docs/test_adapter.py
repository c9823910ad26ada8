"""The Python on the page about asking before changing is run against a real OPA."""

import re
from typing import Any

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden import Warden

_PAGE = (CHECKOUT / "docs/reference/adapter.md").read_text(encoding="utf-8")
_ADAPTER, _CLIENT, _WRAPPER = re.findall(r"```python\n(.*?)```", _PAGE, re.DOTALL)
_STATE = {
    "clusterSize": 1,
    "brokers": {"1": {"host": "a", "rack": None, "configs": {}}},
    "defaults": {},
    "topics": {},
    "totals": {"topics": 0, "partitions": 0, "replicas": 0, "byOwner": {}, "byPrincipal": {}},
}


@pytest.fixture(autouse=True)
def _known_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every decision input has a cluster's state, which the page takes from the replicator."""
    common = Warden.build_shared_input
    monkeypatch.setattr(Warden, "build_shared_input", lambda self, state=None: common(self, state or _STATE))


@pytest.mark.opa
def test_the_adapter(few_opa):
    """What the policy denies is answered, and the rest of the request goes on."""
    sizes = {"shop.orders.created": 10, "shop.orders.lost": 11}
    rest = {"replicationFactor": 1, "assignments": [], "configs": []}
    topics = [{"name": name, "numPartitions": size, **rest} for name, size in sizes.items()]
    with Warden(few_opa.url, few_opa.tokens.query, cluster="prod-eu") as warden:
        names: dict[str, Any] = {"request": {"topics": topics}, "warden": warden}
        exec(_ADAPTER, names)
    parsed, results = names["parsed"], names["results"]

    assert [0, 44] == [result.error_code for result in results.values()]
    assert topics[:1] == names["select_allowed"](parsed, results)["topics"]
    assert ["shop.orders.lost"] == [element["name"] for element in names["build_denied_elements"](parsed, results)]


@pytest.mark.opa
def test_the_client(few_opa, capsys):
    """It asks the OPA at its address, and prints what speaks against the change."""
    ask = _CLIENT.replace("http://127.0.0.1:8181", few_opa.url)
    shown = []
    for text in (ask, ask.replace("num_partitions=6", "num_partitions=11"), ask.replace('"86400000"', '"x"')):
        exec(text, {"token": few_opa.tokens.query})
        shown.append(capsys.readouterr().out)

    assert shown[0] == ""
    assert "KFK-SIZ-001 11 partitions are above the maximum of 10 use 10 partitions\n" in shown[1]
    assert shown[2].startswith("Invalid value x for configuration retention.ms: ")


def test_the_wrapper():
    """It is there under the name that the page imports it by."""
    line = _WRAPPER.splitlines()[0]
    names: dict[str, Any] = {}
    exec(line, names)

    assert "PolicyAdminClient(" in _WRAPPER
    assert "labels" in names["PolicyAdminClient"].create_topics.__annotations__
