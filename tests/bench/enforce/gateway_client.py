"""Clients for the bench of the gateway: one that waits for each response, and many at once."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Self

from tests.enforce.gateway.frames import raw_request, raw_response
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH

__all__ = ["Client", "busy", "fetch_frames", "idle", "metadata_frame"]


class Client:
    """One connection; leaving the block closes it.

    Args:
        address: ``host:port``.
    """

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), timeout=120)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def ask(self, request: bytes) -> bytes:
        """Send a request and return its response."""
        self._socket.sendall(request)
        return self._take(int.from_bytes(self._take(LENGTH), "big"))

    def _take(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            piece = self._socket.recv(count - len(data))
            if not piece:
                raise ConnectionError("the connection has ended")
            data += piece
        return bytes(data)


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes) -> bytes:
    writer.write(request)
    return await reader.readexactly(int.from_bytes(await reader.readexactly(LENGTH), "big"))


async def _open(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.rpartition(":")
    return await asyncio.open_connection(host, int(port))


@asynccontextmanager
async def idle(address: str, count: int) -> AsyncIterator[None]:
    """So many connections, each of which has made one request."""
    writers = []
    try:
        for _ in range(count):
            reader, writer = await _open(address)
            writers.append(writer)
            await _ask(reader, writer, raw_request("ListGroups", 3, b"\0"))
        yield
    finally:
        for writer in writers:
            writer.close()


async def busy(address: str, count: int, request: Callable[[], bytes], rounds: int) -> None:
    """So many connections at once, each with one request after the other."""

    async def one() -> None:
        reader, writer = await _open(address)
        for _ in range(rounds):
            await _ask(reader, writer, request())
        writer.close()

    await asyncio.gather(*(one() for _ in range(count)))


async def fetch_frames(address: str, topic: str, size: int) -> bytes:
    """Return a request for so many bytes of a topic's partition 0, of a version whose responses tell new leaders."""
    from kafka.protocol.consumer import FetchRequest

    reader, writer = await _open(address)
    wanted = {"topics": [{"topicId": None, "name": topic}], "allowAutoTopicCreation": False}
    answer = await _ask(reader, writer, raw_request("Metadata", 9, {**wanted, "topics": [{"name": topic}]}))
    assert topic.encode() in answer
    answer = await _ask(reader, writer, raw_request("Metadata", 12, wanted))
    writer.close()
    (found,) = codec.decode(3, 12, "Response", answer[5:]).fields["topics"]
    partition: Any = FetchRequest.FetchTopic.FetchPartition(
        partition=0, fetch_offset=0, partition_max_bytes=size, current_leader_epoch=-1, last_fetched_epoch=-1,
        log_start_offset=-1,
    )  # fmt: skip
    fetch = FetchRequest(
        version=16, max_wait_ms=500, min_bytes=1, max_bytes=size, isolation_level=0, session_id=0, session_epoch=-1,
        topics=[FetchRequest.FetchTopic(topic_id=found["topicId"], partitions=[partition])], forgotten_topics_data=[],
        rack_id="",
    )  # fmt: skip
    return raw_request("Fetch", 16, bytes(fetch.encode()))


def metadata_frame(topics: int) -> tuple[bytes, int]:
    """Return the response about so many topics of 6 partitions with 3 replicas on 12 brokers, and its version."""
    replicas = [1, 2, 3]
    partition = {"errorCode": 0, "leaderId": 1, "leaderEpoch": 1, "replicaNodes": replicas, "isrNodes": replicas}
    partitions = [{**partition, "partitionIndex": at, "offlineReplicas": []} for at in range(6)]
    named = [{"name": f"team.topic-{at}", "errorCode": 0, "partitions": partitions} for at in range(topics)]
    brokers = [{"nodeId": at, "host": f"broker-{at}.example.com", "port": 9092, "rack": "a"} for at in range(12)]
    return raw_response("Metadata", 12, {"brokers": brokers, "topics": named, "clusterId": "c"}), 12
