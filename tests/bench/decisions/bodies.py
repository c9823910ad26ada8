"""Memory and time that an OPA takes for the worst body of each size that it accepts, from somebody without a token.

    python -m tests.bench.decisions.bodies

OPA reads, unpacks and parses a body before it looks at who sends it. Each body goes to an OPA of its own, with the
limit of `opa-config.yaml` raised to the body's size.
"""

import gzip
import re
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from warden.base.resources import find_shipped
from warden.policy.bundle.build import build_bundle
from warden.policy.opa.local import LocalOpa

__all__ = ["FORMS", "show"]

_MIB: Final = 1024 * 1024


def _repeated(piece: bytes, before: bytes, after: bytes) -> Callable[[int], bytes]:
    def body(size: int) -> bytes:
        times = (size - len(before) - len(after)) // len(piece)
        return before + (piece * times).rstrip(b",") + after

    return body


def _nested(size: int) -> bytes:
    depth = min(9_000, (size - 10) // 2)  # OPA's parser of JSON takes no more than 10,000
    piece = b"[" * depth + b"]" * depth + b","
    return _repeated(piece, b'{"input":[', b"]}")(size)


FORMS: Final[Mapping[str, Callable[[int], bytes]]] = {
    "objects": _repeated(b'{"a":[]},', b'{"input":[', b"]}"),
    "lists": _repeated(b"[],", b'{"input":[', b"]}"),
    "nested": _nested,
    "numbers": _repeated(b"1,", b'{"input":[', b"]}"),
    "text": _repeated(b"a", b'{"input":"', b'"}'),
}
"""Bodies of a size, by what they are made of."""


def _measure(opa: LocalOpa, body: bytes, *, packed: bool) -> tuple[int, float, int]:
    """Return the status of the answer, the seconds that it took, and the most memory that OPA had, in MiB."""
    headers = {"Content-Encoding": "gzip"} if packed else {}
    request = urllib.request.Request(f"{opa.url}/v1/data/kafka/decision", body, headers)
    start = time.perf_counter()
    try:
        with urllib.request.urlopen(request, timeout=600) as answer:
            status = answer.status
    except urllib.error.HTTPError as error:
        status = error.code
    seconds = time.perf_counter() - start
    most = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{opa.pid}/status").read_text(encoding="utf-8"))
    return status, seconds, int(most[1]) // 1024 if most else 0


def show(sizes: tuple[int, ...] = (1, 2, 4, 8)) -> None:
    """Print a row of Markdown for each form and size."""
    print("| form | MiB | sent as gzip, kB | status | seconds | MiB of memory |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="warden-bench-") as directory:
        bundle = build_bundle(Path(directory) / "bundle.tar.gz")
        text = find_shipped("deploy/opa-config.yaml").read_text(encoding="utf-8")
        config = Path(directory) / "opa-config.yaml"
        for form, made in FORMS.items():
            for size in sizes:
                limit = size * _MIB
                config.write_text(re.sub(r"max_length: \d+", f"max_length: {limit}", text), encoding="utf-8")
                packed = gzip.compress(made(limit))
                with LocalOpa(bundle, config=config) as opa:
                    status, seconds, memory = _measure(opa, packed, packed=True)
                print(
                    f"| {form} | {size} | {len(packed) / 1000:.0f} | {status} | {seconds:.2f} | {memory} |", flush=True
                )


if __name__ == "__main__":
    show()
