"""Policies pushed into an OPA with the whole bundle and with that of placement, while it decides."""

import statistics
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import requests

from warden.bundle.build import build_bundle
from warden.bundle.contents import Policies
from warden.opa.session import start_opa
from warden.resources import share

__all__ = ["measure_pushes", "show_pushes"]

_PUSHES = 10
_OBJECT = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a", "namespace": "b"}}
_POLICY = 'package site.placement\n\nwarnings contains "{number}" if input.kind == "Deployment"\n'


def measure_pushes() -> dict[str, dict[str, float]]:
    """Return for each bundle the seconds of a push (median and most), and of the slowest decision meanwhile."""
    found = {}
    with TemporaryDirectory(prefix="warden-bench-") as directory:
        for name, only in (("whole", None), ("placement", "placement")):
            bundle = build_bundle(Path(directory) / f"{name}.tar.gz", policies=Policies(share("policies"), only))
            with start_opa(bundle.path) as opa:
                found[name] = _push(opa.ensure(), opa.tokens.policies, opa.tokens.query)
    return found


def _push(url: str, writer: str, reader: str) -> dict[str, float]:
    taken: list[float] = []
    over = threading.Event()

    def decide() -> None:
        with requests.Session() as session:
            session.headers["Authorization"] = f"Bearer {reader}"
            while not over.is_set():
                started = time.perf_counter()
                session.post(f"{url}/v1/data/io/k8s/federation/admission", json={"input": _OBJECT}).raise_for_status()
                taken.append(time.perf_counter() - started)
                over.wait(0.002)

    thread = threading.Thread(target=decide, daemon=True)
    thread.start()
    try:
        pushes = [_seconds(url, writer, number) for number in range(_PUSHES + 1)][1:]
    finally:
        over.set()
        thread.join(60)
    return {"median": statistics.median(pushes), "most": max(pushes), "slowestDecision": max(taken)}


def _seconds(url: str, token: str, number: int) -> float:
    started = time.perf_counter()
    requests.put(
        f"{url}/v1/policies/configmaps/bench/bench/a.rego",
        data=_POLICY.format(number=number),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "text/plain"},
        timeout=120,
    ).raise_for_status()
    return time.perf_counter() - started


def show_pushes(found: dict[str, dict[str, float]]) -> list[str]:
    """Return the lines that a person reads."""
    whole, placement = found["whole"], found["placement"]
    lines = [
        f"policy pushed into an OPA with the bundle {name}: {row['median']:.2f} s, at most {row['most']:.2f} s; "
        f"slowest decision meanwhile {row['slowestDecision']:.2f} s"
        for name, row in found.items()
    ]
    return [*lines, f"placement alone: {whole['median'] / placement['median']:.1f} times as fast"]


if __name__ == "__main__":
    for line in show_pushes(measure_pushes()):
        print(line)
