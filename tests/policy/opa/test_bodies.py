"""Bodies that are too large are refused before OPA unpacks or parses them, whoever sends them."""

import gzip
import re
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from warden.base.errors import OpaInputTooLarge
from warden.policy.bundle.build import Bundle
from warden.policy.opa.client import OpaClient
from warden.policy.opa.item_size import MAX_BODY_BYTES
from warden.policy.opa.local import LocalOpa

pytestmark = pytest.mark.opa

_RESET = 0  # OPA answers and closes before it has read the body: the answer may be lost
_OBJECTS = b'{"input":[' + b'{"a":[]},' * 1_300_000 + b'{"a":[]}]}'  # of which 12 MiB take OPA 1.8 GB


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("has_token", [False, True])
def test_a_body_that_costs_much(
    opa_binary: Path, small_bundle: Bundle, tmp_path: Path, packed: bool, has_token: bool
) -> None:
    """12 MiB of small objects, as they are or as 60 kB of gzip, are refused by name of the limit and cost no memory."""
    body = gzip.compress(_OBJECTS) if packed else _OBJECTS
    with LocalOpa(small_bundle, opa=opa_binary, directory=tmp_path / "opa") as opa:
        before = _most_memory(opa.pid)
        status, text = _post(opa, body, packed=packed, token=opa.tokens.query if has_token else "")
        grown = _most_memory(opa.pid) - before

    assert "server.decoding.gzip.max_length" in text or not packed
    assert status in ({400} if packed else {400, _RESET})
    assert grown < 64


def test_the_largest_body_that_is_read(local_opa: LocalOpa) -> None:
    """One byte less is the difference between being read and being refused."""
    body = b'{"input":"' + b"a" * (MAX_BODY_BYTES - 12) + b'"}'
    token = local_opa.tokens.query

    assert 200 == _post(local_opa, body, token=token)[0]
    assert _post(local_opa, body + b" ", token=token)[0] in {400, _RESET}


def test_a_batch_that_opa_does_not_read(local_opa: LocalOpa) -> None:
    """Items that only together are larger than OPA's limit are decided in smaller batches; one alone is refused."""
    items = {f"i{at}": {"say": "yes", "cluster": "c" * 1_500_000} for at in range(5)}
    with OpaClient(local_opa.url, token=local_opa.tokens.query) as client:
        decisions = client.decide_many(items)
    with (
        OpaClient(local_opa.url, token=local_opa.tokens.query, max_item_bytes=2**30) as client,
        pytest.raises(OpaInputTooLarge, match=r"server\.decoding\.max_length"),
    ):
        client.decide_many({"a": {"say": "yes", "cluster": "c" * 5_000_000}})

    assert list(items) == list(decisions)
    assert all(decision["allowed"] for decision in decisions.values())


def _post(opa: LocalOpa, body: bytes, *, token: str, packed: bool = False) -> tuple[int, str]:
    headers = {"Authorization": f"Bearer {token}", **({"Content-Encoding": "gzip"} if packed else {})}
    request = urllib.request.Request(f"{opa.url}/v1/data/kafka/lists/check", body, headers)
    try:
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.status, ""
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except (urllib.error.URLError, ConnectionError):
        return _RESET, ""


def _most_memory(pid: int) -> int:
    """The most that a process had at a time, in MiB."""
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) // 1024
