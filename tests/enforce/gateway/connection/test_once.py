"""Whatever a client sends and in whatever pieces: nothing goes on that was not decided, nothing is answered twice."""

import contextlib
import random
from collections import deque

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.enforce.gateway.frames import (
    ALLOWED,
    DENIED,
    KEYS,
    connection,
    create_topics,
    raw_request,
    raw_response,
    taken,
)
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, encode_frame, read_head

# A topic's first letter says what becomes of it: allowed, denied, or left out of OPA's answer.
TOPICS = st.lists(st.from_regex(r"\A[adu][a-z]{3}\Z"), min_size=1, max_size=4, unique=True)
REQUESTS = st.lists(
    st.one_of(
        st.tuples(st.just("create"), TOPICS),
        st.tuples(st.sampled_from(["list", "quiet", "undecided"]), st.just(["aaaa", "dddd"])),
    ),
    min_size=1,
    max_size=6,
)


def frames(data):
    """The whole frames that bytes begin with, and the rest."""
    found = []
    while len(data) >= LENGTH and len(data) >= (size := LENGTH + int.from_bytes(data[:LENGTH], "big")):
        found.append(data[:size])
        data = data[size:]
    return found, data


def encoded(kind, names, id_):
    """A request of the client."""
    match kind:
        case "list":
            return raw_request("ListGroups", 3, b"\x01\0", id_)
        case "quiet":  # Produce without acknowledgement: no response comes
            return raw_request("Produce", 9, b"\0\0\0" + bytes(20), id_)
    return create_topics(*names, correlation_id=id_)


class Broker:
    """Answers what reaches it, in pieces, and remembers the topics that it was to create."""

    def __init__(self):
        self.created, self.pending, self._rest = [], b"", b""

    def take(self, data):
        """Take bytes of the gateway."""
        found, self._rest = frames(self._rest + data)
        for raw in found:
            head = read_head(raw)
            if head.api.name == "CreateTopics":
                wanted = codec.decode(head.api.key, head.version, "Request", raw[head.body_start :]).fields["topics"]
                self.created += [(head.correlation_id, topic["name"]) for topic in wanted]
                topics = [{"name": topic["name"], "errorCode": 0, "errorMessage": None} for topic in wanted]
                self.pending += raw_response("CreateTopics", 7, {"topics": topics}, head.correlation_id)
            elif head.api.name == "ListGroups":
                self.pending += encode_frame(head.correlation_id.to_bytes(4, "big"), b"\0groups")


def decide(core, kinds):
    """Decide what a connection wants, by the first letter of each topic."""
    wanted = {key: one["request"]["topic"] for key, one in core.pending_inputs.items()}
    if kinds["undecided"] == set(wanted.values()):
        core.deny_pending("away")
        return
    answers = {"a": ALLOWED, "d": DENIED}
    core.apply_decisions({key: answers[name[0]] for key, name in wanted.items() if name[0] in answers})


@given(REQUESTS, st.integers(0, 2**32))
def test_everything_is_decided_and_answered_once(requests, seed):
    """In random pieces, with the broker and OPA answering at random times."""
    chance, core, broker = random.Random(seed), connection(), Broker()
    client = deque(b"".join(encoded(kind, names, at) for at, (kind, names) in enumerate(requests, 1)))
    got, undecided = b"", {"undecided": {"aaaa", "dddd"}}
    while client or broker.pending or core.is_waiting:
        able = {"client": client and not core.is_waiting, "broker": broker.pending}
        steps = [step for step, is_able in able.items() if is_able]
        if core.is_waiting and core.pending_inputs:
            steps.append("decide")
        match chance.choice(steps):
            case "client":
                size = min(len(client), chance.randint(1, 60))
                core.receive_from_client(bytes(client.popleft() for _ in range(size)))
            case "broker":
                count = chance.randint(1, 30)
                piece, broker.pending = broker.pending[:count], broker.pending[count:]
                core.receive_from_broker(piece)
            case "decide":
                decide(core, undecided)
        to_client, to_broker = taken(core)
        got += to_client
        broker.take(to_broker)

    answers, rest = frames(got)
    answered = [at for at, (kind, _) in enumerate(requests, 1) if kind != "quiet"]
    assert (b"", answered) == (rest, [int.from_bytes(one[4:8], "big") for one in answers])
    lists = {at: names for at, (kind, names) in enumerate(requests, 1) if kind in {"create", "undecided"}}
    free = {at for at, (kind, names) in enumerate(requests, 1) if kind == "create" and set(names) != {"aaaa", "dddd"}}
    assert [
        (at, name) for at, names in lists.items() for name in names if at in free and name[0] == "a"
    ] == broker.created
    for at, raw in zip(answered, answers, strict=True):
        if at in lists:
            topics = codec.decode(KEYS["CreateTopics"], 7, "Response", raw[LENGTH + 5 :]).fields["topics"]
            codes = {topic["name"]: topic["errorCode"] for topic in topics}
            assert lists[at] == [topic["name"] for topic in topics]
            assert {name for name in lists[at] if at in free and name[0] == "a"} == {
                n for n, c in codes.items() if c == 0
            }
    assert core.idle


@given(st.binary(max_size=200), st.integers(0, 120), st.booleans())
@example(b"\x1b", 5, True)  # the key of CreateTopics becomes that of OffsetCommit
def test_damaged_requests_create_nothing_undecided(garbage, at, flip):
    """Bytes that are changed or put into a guarded request never reach the broker without a decision."""
    whole = create_topics("orders")
    damaged = bytearray(whole)
    if flip and garbage:
        damaged[at % len(whole)] ^= garbage[0] or 1
    else:
        damaged[at % len(whole) : at % len(whole)] = garbage
    core = connection()
    with contextlib.suppress(ProtocolError, codec.Undecodable):
        core.receive_from_client(bytes(damaged))
    for raw in frames(taken(core)[1])[0]:
        api = read_head(raw).api  # members of groups commit undecided
        assert api.handling == "pass" or api.name == "OffsetCommit", "a guarded request that nobody decided"


@pytest.mark.parametrize("name", ["Produce", "ListGroups"])
def test_a_head_that_never_ends_is_refused(name):
    """Until a head is whole nothing goes on: it may not be as long as a frame."""
    core, version = connection(), {"Produce": 9, "ListGroups": 3}[name]
    tags = b"\x01\0\xff\xff\xff\x07" + bytes(200_000)  # a tagged field without an end
    head = KEYS[name].to_bytes(2, "big") + version.to_bytes(2, "big") + bytes(4) + b"\0\x02me" + tags
    data = (50 * 1024 * 1024).to_bytes(4, "big") + head

    with pytest.raises(ProtocolError, match="a head of more than"):
        core.receive_from_client(data)
    assert (b"", b"") == taken(core)
