"""Namespaces that OPA was slow about: their objects wait, those of others do not."""

from warden.enforce.remediate.objects import WatchedObjects
from warden.enforce.remediate.slow_namespaces import SlowNamespaces

SHOP, PAY = ("replicasets", "shop", "web"), ("replicasets", "pay", "web")
CLUSTER_WIDE = ("clusterthings", "web")


def _thing(version="1"):
    return {"metadata": {"uid": "u", "resourceVersion": version}}


def test_pauses_grow():
    """Each namespace has its own, from ten seconds to five minutes."""
    slow = SlowNamespaces()
    assert [1, 2, 3] == [slow.count_failure("shop", "late", 0.0) for _ in range(3)]
    assert 1 == slow.count_failure("pay", "late", 0.0)
    assert slow.is_waiting("pay", 4.9)
    assert not slow.is_waiting("pay", 10.0)
    assert slow.is_waiting("shop", 19.9)
    assert not slow.is_waiting("other", 0.0)
    for _ in range(10):
        slow.count_failure("shop", "late", 0.0)
    assert not slow.is_waiting("shop", 300.0)


def test_what_is_said():
    """How many wait and why the first does; nothing once all are decided about."""
    slow = SlowNamespaces()
    slow.count_failure("shop", "OPA did not answer in time", 0.0)
    slow.count_failure("", "x", 0.0)
    said = "namespaces not decided about in time: 2, such as shop: OPA did not answer in time"
    assert said == slow.problem
    slow.retain_only({""})
    assert "shop" not in slow
    slow.retain_only(())
    assert slow.problem is None


def test_objects_of_some_namespaces():
    """Those of the others stay due, in order; one that was late comes last."""
    objects = WatchedObjects()
    objects.load([(SHOP, _thing()), (PAY, _thing()), (CLUSTER_WIDE, _thing())])
    assert [PAY, CLUSTER_WIDE] == list(objects.peek_due(5, lambda namespace: namespace != "shop"))
    assert [CLUSTER_WIDE] == list(objects.iter_due(lambda namespace: not namespace))
    objects.put_last(SHOP)
    assert [PAY, CLUSTER_WIDE, SHOP] == list(objects.peek_due(5))
    objects.mark_decided([SHOP])
    objects.put_last(SHOP)
    assert not objects.is_due(SHOP)
