"""A connection without sockets: what leaves it, in which order, whatever the pieces in which bytes come."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.enforce.gateway.frames import connection, create_topics, raw_request, raw_response, taken
from warden.enforce.gateway.connection.connection_state import Deferred, PassingThrough
from warden.enforce.gateway.wire import codec
from warden.enforce.gateway.wire.frames import LENGTH, ProtocolError, encode_frame

LIST_GROUPS = ("ListGroups", 3)
ALLOWED = {"allowed": True, "errors": [], "error": None, "violations": []}
_ERROR = {"code": 44, "name": "POLICY_VIOLATION", "message": "no"}
DENIED = {"allowed": False, "errors": ["no"], "error": _ERROR, "violations": []}


def answered(*refused, correlation_id=1):
    """What a broker answers that has created topics."""
    topics = [{"name": name, "errorCode": 0, "errorMessage": None} for name in refused]
    return raw_response("CreateTopics", 7, {"topics": topics}, correlation_id)


def topics_of(raw):
    """Names and errors of a CreateTopics response."""
    return [(t["name"], t["errorCode"]) for t in codec.decode(19, 7, "Response", raw[LENGTH + 5 :]).fields["topics"]]


def test_what_passes_is_not_touched():
    """Requests and responses that nobody decides are the same bytes on both sides."""
    core, request = connection(), raw_request(*LIST_GROUPS, b"\x01\0")
    core.receive_from_client(request)
    answer = encode_frame(b"\0\0\0\x01", b"\0whatever")
    core.receive_from_broker(answer)

    assert (answer, request) == taken(core)
    assert core.idle


def test_a_frame_goes_on_before_it_is_whole():
    """A large request is not held back: of a body that passes nothing is kept."""
    core, request = connection(), raw_request("Produce", 9, b"\0\xff\xff" + bytes(1000))
    core.receive_from_client(request[:100])

    assert (b"", request[:100]) == taken(core)
    assert isinstance(core.state, PassingThrough)


@given(st.lists(st.integers(1, 40)))
def test_pieces_do_not_matter(sizes):
    """However bytes are cut, the same bytes leave, and the same decisions are wanted."""
    core, stream = (
        connection(),
        b"".join(
            [
                raw_request(*LIST_GROUPS, b"\x01\0", 1),
                create_topics("a", "b", correlation_id=2),
                raw_request(*LIST_GROUPS, b"\x01\0", 3),
            ]
        ),
    )
    at, sent = 0, b""
    for size in [*sizes, *[7] * len(stream)]:
        core.receive_from_client(stream[at : at + size])
        at += size
        if core.pending_inputs and core.is_waiting:
            assert ["a", "b"] == [one["request"]["topic"] for one in core.pending_inputs.values()]
            core.apply_decisions({"topics/0": ALLOWED, "topics/1": ALLOWED})
        sent += taken(core)[1]
        if at >= len(stream):
            break
    core.receive_from_client(b"")
    assert stream == sent + taken(core)[1]


def test_a_response_one_byte_at_a_time():
    """The merged answer does not depend on how the broker's comes in."""
    core = connection()
    core.receive_from_client(create_topics("a", "b"))
    core.apply_decisions({"topics/0": DENIED, "topics/1": ALLOWED})
    to_broker = taken(core)[1]
    assert create_topics("b") == to_broker
    for byte in answered("b"):
        core.receive_from_broker(bytes([byte]))

    assert [("a", 44), ("b", 0)] == topics_of(taken(core)[0])


def test_nothing_is_read_while_a_decision_is_wanted():
    """Requests behind one that is being decided wait, so that the broker gets them in their order."""
    core, later = connection(), raw_request(*LIST_GROUPS, b"\x01\0", 2)
    core.receive_from_client(create_topics("a") + later)
    assert (b"", b"") == taken(core)
    core.apply_decisions({"topics/0": ALLOWED})

    assert (b"", create_topics("a") + later) == taken(core)


def test_an_answer_of_the_gateway_waits_for_those_before_it():
    """What is denied is answered after the requests that the client sent first."""
    core = connection()
    core.receive_from_client(raw_request(*LIST_GROUPS, b"\x01\0", 1) + create_topics("a", correlation_id=2))
    core.apply_decisions({"topics/0": DENIED})
    assert b"" == taken(core)[0]
    first = encode_frame(b"\0\0\0\x01", b"\0groups")
    core.receive_from_broker(first)
    to_client, _ = taken(core)

    assert to_client.startswith(first)
    assert [("a", 44)] == topics_of(to_client[len(first) :])


def test_all_denied_never_reaches_the_broker():
    """A request of which nothing is allowed is answered here alone."""
    core = connection()
    core.receive_from_client(create_topics("a", "b"))
    core.apply_decisions({"topics/0": DENIED, "topics/1": DENIED})
    to_client, to_broker = taken(core)

    assert b"" == to_broker
    assert [("a", 44), ("b", 44)] == topics_of(to_client)
    assert core.idle


def test_without_a_decision_all_is_denied():
    """Where OPA is away the client gets 44 and why; what comes after flows."""
    core = connection()
    core.receive_from_client(create_topics("a") + raw_request(*LIST_GROUPS, b"\x01\0", 2))
    core.deny_pending("The policy engine did not decide.")
    to_client, to_broker = taken(core)

    assert b"policy engine" in to_client
    assert raw_request(*LIST_GROUPS, b"\x01\0", 2) == to_broker


def test_a_missing_decision_is_not_an_allowed_one():
    """An item that OPA left out is not forwarded."""
    core = connection()
    core.receive_from_client(create_topics("a", "b"))
    core.apply_decisions({"topics/0": ALLOWED})

    assert create_topics("a") == taken(core)[1]


def test_a_duplicate_is_refused_and_the_rest_goes_on():
    """A topic named twice is one refusal, in the place of the first."""
    core = connection()
    core.receive_from_client(create_topics("a", "b", "a"))
    core.apply_decisions({"topics/1": ALLOWED})
    assert create_topics("b") == taken(core)[1]
    core.receive_from_broker(answered("b"))

    assert [("a", 42), ("b", 0)] == topics_of(taken(core)[0])


def test_proposed_configs_are_merged_and_decided_again():
    """What the policy wants is put into the request, and that is decided."""
    core = connection()
    core.receive_from_client(create_topics("a"))
    core.apply_decisions({"topics/0": ALLOWED | {"annotations": {"configs": {"min.insync.replicas": "2"}}}})
    assert {"min.insync.replicas": "2"} == core.pending_inputs["topics/0"]["request"]["configs"]
    core.apply_decisions({"topics/0": ALLOWED})
    request = codec.decode(19, 7, "Request", taken(core)[1][LENGTH + 13 :]).fields

    assert [{"name": "min.insync.replicas", "value": "2"}] == request["topics"][0]["configs"]


def test_produce_without_acknowledgements_has_no_place():
    """No response comes for acks=0: the next response is the next request's."""
    core = connection()
    none = raw_request("Produce", 9, b"\0\0\0" + bytes(20), 1)  # no transactional id, acks 0
    core.receive_from_client(none + raw_request(*LIST_GROUPS, b"\x01\0", 2))
    answer = encode_frame(b"\0\0\0\x02", b"\0groups")
    core.receive_from_broker(answer)

    assert answer == taken(core)[0]
    assert core.idle


def test_an_unknown_tagged_field_is_refused_whole():
    """What the gateway cannot read all of is not decided, not forwarded, and the client gets the reason."""
    core, request = connection(), create_topics("a")
    tagged = encode_frame(request[LENGTH:-1], b"\x01\x63\x01x")  # one tag, number 99
    core.receive_from_client(tagged)
    to_client, to_broker = taken(core)

    assert b"" == to_broker
    assert [("a", 42)] == topics_of(to_client)


def test_zeros_behind_a_request_say_nothing():
    """librdkafka puts one after some requests: what is allowed goes on as it came, what is denied is denied."""
    core, padded = connection(), encode_frame(create_topics("a", "b")[LENGTH:], b"\0")
    core.receive_from_client(padded)
    core.apply_decisions({"topics/0": ALLOWED, "topics/1": ALLOWED})
    assert padded == taken(core)[1]
    core.receive_from_client(padded)
    core.apply_decisions({"topics/0": ALLOWED, "topics/1": DENIED})

    assert create_topics("a") == taken(core)[1]


def test_ten_thousand_topics_in_one_request():
    """One question for all, and a half of them denied."""
    core, names = connection(), [f"t{n}" for n in range(10_000)]
    core.receive_from_client(create_topics(*names))
    assert (True, True, {}) == (core.large, isinstance(core.state, Deferred), core.pending_inputs)
    core.handle_deferred()
    core.apply_decisions({key: ALLOWED if int(key.split("/")[1]) % 2 else DENIED for key in core.pending_inputs})
    assert create_topics(*names[1::2]) == taken(core)[1]
    core.receive_from_broker(answered(*reversed(names[1::2])))

    assert [(name, 0 if n % 2 else 44) for n, name in enumerate(names)] == topics_of(taken(core)[0])


@pytest.mark.parametrize("data", [encode_frame(b"\0\0\0\x01", b"late"), encode_frame(b"\0\0\0\x07", b"other")])
def test_a_response_that_is_not_awaited_ends_the_connection(data):
    """A broker that answers what nobody waits for, or out of order, may be anybody."""
    core = connection()
    core.receive_from_client(raw_request(*LIST_GROUPS, b"\x01\0", 2))

    with pytest.raises(ProtocolError, match="a response"):
        core.receive_from_broker(data)
