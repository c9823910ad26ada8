"""The thread that follows a cluster: it goes on whatever happens in it."""

import logging

import pytest

from tests.fixtures.conditions import eventually
from warden.enforce.service import cluster
from warden.enforce.service.cluster import ClusterFollower
from warden.enforce.service.config import ServedCluster
from warden.policy.opa.client import OpaClient


def test_a_defect_is_not_the_end(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged and named, so that the service is not ready; then the cluster is tried again."""
    problems: list[str | None] = []
    settings = ServedCluster.model_validate({"name": "c", "bootstrapServers": "127.0.0.1:9", "store": "topic:t"})
    with OpaClient("http://127.0.0.1:9") as client:
        followed = ClusterFollower(settings, client, lambda _: None)

        def fail(*_: object, **__: object) -> None:
            problems.append(followed.problem)
            raise ZeroDivisionError

        monkeypatch.setattr(cluster, "connect", fail)
        monkeypatch.setattr(cluster, "_PAUSE_SECONDS", 0.01)
        with caplog.at_level(logging.ERROR):
            followed.start()
            eventually(lambda: len(problems) > 2, "it is tried again")
            followed.stop()

    assert ["it has not been reached yet", "a defect: see the log", "a defect: see the log"] == problems[:3]
    assert {(cluster.__name__, "a defect")} == {(line.name, line.message) for line in caplog.records}
    assert {ZeroDivisionError} == {line.exc_info[0] for line in caplog.records if line.exc_info}
