"""The gateway's own client of OPA: what it does not send, and how long it waits."""

import asyncio

import pytest

from tests.policy.opa.faults import Answer, faulty
from warden.base.errors import OpaInputTooLarge, OpaTimeout, OpaUndefined
from warden.enforce.gateway.config import GatewayOpa
from warden.enforce.gateway.decisions.decider import Decider


def decide(url, inputs, **settings):
    """One call, by a decider of its own."""

    async def call():
        async with Decider(GatewayOpa(url=url, **settings)) as decider:
            decider.check_size(inputs)
            return await decider.decide({"items": inputs, "order": list(inputs)})

    return asyncio.run(call())


@pytest.mark.parametrize("answer", [Answer(trickle=True), Answer(slow_head=True), Answer(silent=True)])
def test_an_answer_that_trickles(answer):
    """Its head or its body: nothing is decided once the time is up."""
    with faulty([answer]) as server, pytest.raises(OpaTimeout, match=r"did not answer within [\d.]+ s"):
        decide(server.url, {"topics/0": {}}, timeout=0.3)


def test_what_is_too_large_is_not_sent():
    """The item is named, and OPA sees nothing of the request."""
    inputs = {"topics/0": {"request": {"topic": "a"}}, "topics/1": {"request": {"topic": "x" * 5000}}}
    with faulty([Answer()]) as server:
        with pytest.raises(OpaInputTooLarge, match=r"^topics/1 has 5,\d+ bytes of JSON, more than the 4,096"):
            decide(server.url, inputs, max_item_bytes=4096)
        assert 0 == server.count


@pytest.mark.parametrize(
    "decision", [b"{}", b'{"allowed": true}', b'{"allowed": true, "errors": ["no"], "error": null, "violations": []}']
)
def test_what_is_no_decision_decides_nothing(decision):
    """As everywhere: the function that says so is one."""
    body = b'{"result": {"topics/0": %s}}' % decision
    with faulty([Answer(body=body)]) as server, pytest.raises(OpaUndefined, match="did not decide the item 'topics/0'"):
        decide(server.url, {"topics/0": {}})
