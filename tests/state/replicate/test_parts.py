"""Replicas larger than one request: loaded in parts, and never taken for whole before the last of them."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from tests.fixtures.conditions import eventually
from tests.state.replicate.documents import patched
from tests.state.replicate.fake import FakeSource
from tests.state.replicate.replicas import holds, running, topics
from warden.base.errors import OpaInputTooLarge, OpaUndefined
from warden.policy.opa.client import OpaClient
from warden.policy.opa.item_size import MAX_BODY_BYTES
from warden.policy.opa.local import LocalOpa
from warden.state.replicate.parts import iter_parts
from warden.state.replicate.target import Target

_META = {"revision": "1", "observedAt": "2026-11-21T10:00:00Z"}
_CREATE = {"cluster": "in-parts", "operation": "CreateTopic", "now": "2026-11-21T10:00:01Z"} | {
    "request": {"topic": "shop.orders", "numPartitions": 3, "replicationFactor": 3, "configs": {}}
}
_LOADING = 'cluster: the state of "in-parts" is being loaded: ask again in a moment'


class Watched:
    """A client that looks at something before each write and after the last one."""

    def __init__(self, client: OpaClient, look: Callable[[], Any]) -> None:
        self._client, self._look = client, look
        self.found: list[Any] = []
        self.sizes: list[int] = []

    def get_data(self, path: Sequence[str]) -> Any:
        return self._client.get_data(path)

    def put_data(self, path: Sequence[str], document: Any) -> int:
        return self._wrote(self._client.put_data(path, document))

    def patch_data(self, path: Sequence[str], operations: Sequence[Any]) -> int:
        return self._wrote(self._client.patch_data(path, operations))

    def _wrote(self, sent: int) -> int:
        self.sizes.append(sent)
        self.found.append(self._look())
        return sent


@pytest.mark.parametrize("most", [1, 60, 200, 10_000])
def test_parts_do_the_same(most: int) -> None:
    """Whatever the limit, the parts one after another make the same document, each within it if that can be."""
    document = {"a": {"b/c": {"d": [1, 2, 3], "~": {}}, "e": "f" * 50}, "g": {"": {"x": 1}}, "h": 5}
    changes = [{"op": "add", "path": f"/{key}", "value": value} for key, value in document.items()]
    parts = list(iter_parts([{"op": "remove", "path": "/old"}, *changes], most))
    done: Any = {"old": 1}
    for part in parts:
        done = patched(done, part)

    assert document == done
    assert [] == [part for part in parts if len(json.dumps(part, separators=(",", ":"))) > most + 1 and len(part) > 1]


@pytest.mark.opa
def test_a_load_in_parts(opa: LocalOpa, client: OpaClient) -> None:
    """Readers are refused with the reason until the last part is there; then everything is, with the meta as given."""
    document = _state(300)
    with opa.build_client() as reader:
        watched = Watched(client, lambda: reader.decide(_CREATE)["errors"])
        _target(watched).swap(document, _META)

    assert [[_LOADING]] * (len(watched.found) - 1) == watched.found[:-1]
    assert 5 < len(watched.found)
    assert _LOADING not in watched.found[-1]
    assert max(watched.sizes) < 2 * 4096
    assert {**document, "meta": {**_META, "writer": {"one": "1"}}} == client.get_data(["clusters", "in-parts"])


@pytest.mark.opa
def test_a_whole_replica_goes_on_deciding(opa: LocalOpa, client: OpaClient) -> None:
    """A replica that an earlier run left decides until one patch makes it the new one."""
    client.put_data(["clusters", "in-parts"], {**_state(300), "meta": {**_META, "writer": {"before": "0"}}})
    now = {**_state(301), "clusterSize": 4}
    with opa.build_client() as reader:
        watched = Watched(client, lambda: reader.decide(_CREATE)["errors"])
        target = _target(watched)
        target.swap(now, {**_META, "revision": "2"})
        [claimed, patched] = watched.found
        more = [{"op": "add", "path": "/topics", "value": _state(400)["topics"]}]
        target.patch(more, {**_META, "revision": "3"})

    assert _LOADING not in [*claimed, *patched]
    assert [[_LOADING]] * (len(watched.found) - 3) == watched.found[2:-1]
    assert {**now, **_state(400), "clusterSize": 4} == _without_meta(client.get_data(["clusters", "in-parts"]))
    assert {"revision": "3", "writer": {"one": "3"}} == {
        key: client.get_data(["clusters", "in-parts", "meta"])[key] for key in ("revision", "writer")
    }


@pytest.mark.opa
@pytest.mark.parametrize("before", [{}, {"brokers": {}}, {"other": 1}])
def test_a_whole_replica_that_has_nothing_of_the_new_one(opa: LocalOpa, client: OpaClient, before: Any) -> None:
    """Its meta is there at every moment, and says that it is being loaded."""
    _target(client, "before").swap(before, _META)
    metas = Watched(client, lambda: client.get_data(["clusters", "in-parts"]).get("meta", {}))
    document = {"topics": _state(300)["topics"]}
    _target(metas).swap(document, {**_META, "revision": "2"})

    assert [True] * (len(metas.found) - 2) == [meta.get("loading", False) for meta in metas.found[1:-1]]
    assert 5 < len(metas.found)
    assert {**document, "meta": {**_META, "revision": "2", "writer": {"one": "2"}}} == client.get_data(
        ["clusters", "in-parts"]
    )


@pytest.mark.opa
def test_a_load_that_was_broken_off(opa: LocalOpa, client: OpaClient) -> None:
    """What is left of it is never whole, and the next writer begins anew; the first one's next part changes nothing."""
    first, second = _target(client), _target(client, "two")
    written: list[int] = []

    class Failing(Watched):
        def _wrote(self, sent: int) -> int:
            written.append(sent)
            if len(written) == 4:
                raise OpaUndefined("made up")
            return sent

    with pytest.raises(OpaUndefined):
        _target(Failing(client, lambda: None)).swap(_state(300), _META)
    with opa.build_client() as reader:
        assert [_LOADING] == reader.decide(_CREATE)["errors"]
    second.swap(_state(200), {**_META, "revision": "5"})
    with pytest.raises(OpaUndefined):
        first.patch([{"op": "add", "path": "/topics/x", "value": {}}], _META)

    assert _state(200) == _without_meta(client.get_data(["clusters", "in-parts"]))


@pytest.mark.opa
def test_more_than_opa_reads_at_once(opa: LocalOpa, client: OpaClient) -> None:
    """A replicator loads and alters what has more bytes than a request may have."""
    document = topics(3_000)
    document["topics"] |= {f"x{at}": {"configs": {"some.config": "y" * 9000}} for at in range(500)}
    assert len(json.dumps(document)) > MAX_BODY_BYTES
    with pytest.raises(OpaInputTooLarge, match=r"server\.decoding\.max_length"):
        client.put_data(["clusters", "too-large"], document)
    source = FakeSource("fake-large", document)
    with running(opa, source, timeout=60.0) as replicator:
        eventually(lambda: holds(client, source, document), "the first load")
        assert not replicator.statuses[0].counts["errors", "opa"]
    client.patch_data(["clusters"], [{"op": "remove", "path": "/fake-large"}])


def _target(client: Any, writer: str = "one") -> Target:
    return Target(client, ("clusters", "in-parts"), ("clusters", "in-parts", "meta"), writer, most=4096)


def _state(count: int) -> dict[str, Any]:
    parts = {"brokers": {str(node): {"host": "b", "configs": {}} for node in (1, 2, 3)}, "defaults": {}, "acls": {}}
    return {"clusterSize": 3, **parts, "topics": {f"shop.t{at}": {"configs": {"a": "b" * 20}} for at in range(count)}}


def _without_meta(replica: dict[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in replica.items() if key != "meta"}


@pytest.fixture
def client(client: OpaClient) -> Iterator[OpaClient]:
    """The replicator's client; what a test wrote is removed after it."""
    yield client
    client.put_data(["clusters", "in-parts"], {})
    client.patch_data(["clusters"], [{"op": "remove", "path": "/in-parts"}])
