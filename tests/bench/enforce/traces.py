"""`python -m tests.bench.enforce.traces`: what traces cost at the gateway, of all requests, of some, of none."""

import statistics
from contextlib import ExitStack
from functools import partial

from tests.bench.decisions.latency import in_turn
from tests.bench.enforce.gateway_client import Client
from tests.bench.enforce.gateway_process import build_creation, check_allowed, start_deciding, started_gateway
from tests.fixtures.collector import collect

__all__ = ["measure_traces"]

_SAMPLED = {"OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.01"}


def measure_traces(calls: int = 600) -> dict[str, dict[str, float]]:
    """Return, by how much is traced, the median time of a creation and the gateway's processor for one.

    Args:
        calls: Creations, each decided and only validated by the broker.
    """
    request = build_creation()
    with ExitStack() as stack:
        directory, broker, opa = start_deciding(stack)
        sent = {"OTEL_EXPORTER_OTLP_ENDPOINT": stack.enter_context(collect()).url}
        kinds = {"off": {}, "one in a hundred": sent | _SAMPLED, "all": sent}
        gateways = {
            name: stack.enter_context(started_gateway(directory / name.split()[0], broker, opa, **variables))
            for name, variables in kinds.items()
        }
        asks = {name: stack.enter_context(Client(one.address)).ask for name, one in gateways.items()}
        for ask in asks.values():
            for _ in range(50):
                check_allowed(ask(request))
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
