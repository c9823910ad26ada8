"""Which objects a decision is due about."""

from tests.enforce.remediate.replica_sets import KEY, replica_set
from warden.enforce.remediate.objects import WatchedObjects


def test_what_a_decision_is_due_about():
    """New objects and new versions; not what is known, late, our own, or in a namespace that is left alone."""
    objects = WatchedObjects(["kube-system"])
    objects.load([(KEY, replica_set()), (("replicasets", "kube-system", "dns"), replica_set())])
    assert [KEY] == list(objects.peek_due(5))
    objects.mark_decided([KEY])

    objects.replace(KEY, replica_set("9"))
    for version in ("9", "8"):
        objects.follow({KEY: replica_set(version)})
        assert 0 == objects.due
    objects.follow({KEY: replica_set("10")})
    assert 1 == objects.due
    objects.mark_decided([KEY])
    objects.follow({KEY: replica_set("3", uid="u2")})
    assert 1 == objects.due
    objects.follow({KEY: None})
    assert (0, 0) == (objects.due, len(objects))


def test_a_second_list():
    """It makes a decision due about what it shows otherwise, be the version lower, and forgets what it lacks."""
    other = ("replicasets", "shop", "db")
    objects = WatchedObjects()
    objects.load([(KEY, replica_set()), (other, replica_set())])
    objects.mark_decided([KEY, other])
    objects.load([(KEY, replica_set("2"))])
    assert {KEY: replica_set("2")} == objects.peek_due(5)
    objects.mark_decided([KEY])
    objects.load([(KEY, replica_set("2"))])
    assert 0 == objects.due
