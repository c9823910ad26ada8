"""What a library says while a store is opened is an error of ours: who follows a cluster tries again after it."""

from collections.abc import Callable
from typing import Any

import pytest
from kafka.errors import KafkaError as LibraryError

from warden.base.errors import KafkaError
from warden.enforce.client_configs.open_store import has_store, open_store


class _Admin:
    def describe_topics(self, topics: list[str]) -> Any:
        raise LibraryError("the connection ended")


class _Connection:
    admin, bootstrap_servers = _Admin(), "b:9092"


@pytest.mark.parametrize(
    "ask", [lambda cluster: open_store("topic:a", cluster, {}), lambda cluster: has_store("topic:a", cluster)]
)
def test_a_cluster_that_goes_away(ask: Callable[[Any], object]) -> None:
    """As it may between the login and the first look at the topic."""
    with pytest.raises(KafkaError, match=r"^the cluster at b:9092 failed \(.*the connection ended\): try again$"):
        ask(_Connection())
