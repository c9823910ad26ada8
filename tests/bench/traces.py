"""`python -m tests.bench.traces`: what traces cost at the gateway, of all requests, of some, of none, in one run."""

import statistics
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from tests.bench.gateway import ALONE
from tests.bench.gateway_client import Client
from tests.bench.gateway_process import started_gateway
from tests.bench.latency import in_turn
from tests.bench.questions import state
from tests.enforce.gateway.frames import raw_request
from tests.fixtures.collector import collect
from warden.demo.local_broker import LocalBroker
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["measure_traces"]

_SAMPLED = {"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.01"}


def measure_traces(calls: int = 600) -> dict[str, dict[str, float]]:
    """Return, by how much is traced, the median time of a creation and the gateway's processor for one.

    Args:
        calls: Creations, each decided and only validated by the broker.
    """
    topic = {"name": "payments.orders.paid", "numPartitions": 6, "replicationFactor": 1}
    topic |= {"assignments": [], "configs": []}
    request = raw_request("CreateTopics", 7, {"topics": [topic], "timeoutMs": 1000, "validateOnly": True})
    with ExitStack() as stack:
        directory = Path(stack.enter_context(TemporaryDirectory(prefix="warden-bench-")))
        (directory / "settings.yaml").write_text(yaml.safe_dump({"rules": ALONE}), encoding="utf-8")
        bundle = build_bundle(directory / "bundle.tar.gz", settings=directory / "settings.yaml")
        opa = stack.enter_context(LocalOpa(bundle))
        stored = state(100)
        stored["meta"]["observedAt"] = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
        with opa.client(opa.tokens.replicator) as client:
            client.put_data(["clusters", "bench"], stored)
        broker = stack.enter_context(LocalBroker(heap=768))
        sent = {"OTEL_EXPORTER_OTLP_ENDPOINT": stack.enter_context(collect()).url}
        kinds = {"off": {}, "one in a hundred": sent | _SAMPLED, "all": sent}
        gateways = {
            name: stack.enter_context(started_gateway(directory / name.split()[0], broker, opa, **variables))
            for name, variables in kinds.items()
        }
        asks = {name: stack.enter_context(Client(one.address)).ask for name, one in gateways.items()}
        for ask in asks.values():
            for _ in range(50):
                if b"KFK-" in (answer := ask(request)) or b"policy engine" in answer:
                    raise RuntimeError(f"the creation is denied: {answer!r}")
        before = {name: one.cpu() for name, one in gateways.items()}
        taken = in_turn({name: partial(ask, request) for name, ask in asks.items()}, calls)
        return {
            name: {
                "medianMs": statistics.median(taken[name]) * 1e3,
                "cpuUs": (one.cpu() - before[name]) / calls * 1e6,
            }
            for name, one in gateways.items()
        }


if __name__ == "__main__":
    for name, found in measure_traces().items():
        print(f"{name:17} {found['medianMs']:6.2f} ms  {found['cpuUs']:6.0f} us of processor")
