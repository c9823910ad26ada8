"""Documents of decisions as the store keeps them: JSON, deflated with what all of them have in common. Pure."""

import json
import zlib
from collections.abc import Mapping
from typing import Any, Final

__all__ = ["pack", "unpack"]

# What documents have in common, so that short ones are packed well too. It is part of the store's format.
_COMMON: Final = (
    b'{"input":{"api":{"key":"","version":7},"cluster":"","clusterState":{"meta":{"observedAt":""},"topics":{"":{"configs"'
    b':{},"labels":{"dataClass":"internal","owner":""},"numPartitions":1,"replicasAssignments":{"0":[1,2,3]},'
    b'"replicationFactor":3}}},"enforcementPoint":"gateway","operation":"AlterTopic","principal":{"name":"","type":"User"},'
    b'"request":{"configs":{"mode":"incremental","ops":[{"name":"","op":"SET","value":""}]},"topic":""}},"result":'
    b'{"allowed":false,"annotations":{},"error":{"code":44,"message":"","name":"POLICY_VIOLATION"},"errors":[],'
    b'"revision":"","stateAge":1,"violations":[{"cause":"caused","effect":"warn","fix":"set ","message":"","patch":[],'
    b'"path":["configs"],"rule":"KFK-","severity":"medium","waiver":null}],"warnings":[]},"path":"kafka/decision"}'
)


def pack(document: Mapping[str, Any]) -> bytes:
    """Return a document as the store keeps it."""
    packer = zlib.compressobj(level=4, zdict=_COMMON)
    return packer.compress(json.dumps(document, separators=(",", ":")).encode()) + packer.flush()


def unpack(body: bytes) -> Mapping[str, Any]:
    """Return the document that `pack` was given."""
    document: Mapping[str, Any] = json.loads(zlib.decompressobj(zdict=_COMMON).decompress(body))
    return document
