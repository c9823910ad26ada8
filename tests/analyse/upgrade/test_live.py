"""`warden upgrade-check` on a live cluster."""

import json

import pytest
from click.testing import CliRunner

from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.commands.upgrade_check import command
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.endpoints import RemoteOpa
from warden.state.sources.kafka.read.collect import collect


@pytest.mark.kafka
@pytest.mark.opa
def test_a_live_cluster(scan_opa: RemoteOpa) -> None:
    """What a real broker has stored: an empty list on a topic. From 4.2 on it tells of no duplicates."""
    with LocalBroker(properties={"ssl.enabled.protocols": "TLSv1.3,TLSv1.3"}) as broker:
        run_tool(broker, "TopicCommand", "--create", "--topic", "kept")
        kept = ["--entity-type", "topics", "--entity-name", "kept", "--add-config", "cleanup.policy="]
        run_tool(broker, "kafka.admin.ConfigCommand", "--alter", *kept)
        topics = lambda: collect(broker.bootstrap_servers)["topics"]  # noqa: E731 - one line of it
        eventually(lambda: topics().get("kept", {}).get("configs"), "the broker knows the override")
        opa = ["--opa-url", scan_opa.url, "--opa-token", str(scan_opa.token)]
        live = ["--bootstrap-server", broker.bootstrap_servers, "--cluster", "live", "--output", "json"]
        result = CliRunner().invoke(command, ["--from", "3.9", "--to", "4.2", *live, *opa], standalone_mode=False)

    said = json.loads(result.output[result.output.index("{") :])
    found = [
        (one["component"], one["config"], one["value"], one["outcome"])
        for one in said["findings"]
        if one["outcome"] != "default"
    ]
    assert [("topic", "cleanup.policy", "", "reinterpreted")] == found
    assert {} == said["unknown"]
    assert "num.recovery.threads.per.data.dir" in {one["config"] for one in said["findings"]}
    assert 1 == result.return_value
