"""Objects that could not be patched: others come first, each has its own pauses, and what was done is found out."""

from dataclasses import replace

from warden.enforce.remediate.failed_patches import FailedPatches
from warden.enforce.remediate.remediation import Remediation
from warden.enforce.remediate.undo_record import UndoRecord, read_undo_entries

A, B, C = (("replicasets", "shop", name) for name in "abc")


def _one(key=A, version="7", before=None, uid="u1"):
    metadata = {"uid": uid, "resourceVersion": version, "annotations": {"x": before} if before else {}}
    patch = {"metadata": {"annotations": {"x": "2"}, "resourceVersion": version, "uid": uid}}
    return Remediation(key, {"kind": "ReplicaSet", "metadata": metadata}, patch, {"x": "2"})


def _thing(version="8", uid="u1", **annotations):
    return {"metadata": {"uid": uid, "resourceVersion": version, "annotations": annotations}}


def _now(thing):
    return Remediation(A, thing, None, {})


def test_others_come_first():
    """What was never tried, then whose pause ended first; nothing while all of them wait."""
    tries = FailedPatches()
    assert A == tries.find_next([A, B], 0.0)
    tries.count_failure(_one(A), "no", 0.0, noted=False)
    tries.count_failure(_one(B), "no", 0.1, noted=False)
    assert C == tries.find_next([A, B, C], 100.0)
    assert 0.0 == tries.compute_wait([A, B, C], 0.1)
    assert tries.find_next([A, B], 0.1) is None
    assert 0.4 <= tries.compute_wait([A, B], 0.1) <= 1.0
    first = A if tries.compute_wait([A], 0.0) <= tries.compute_wait([B], 0.0) else B
    assert first == tries.find_next([A, B], 100.0)
    assert tries.find_next([], 0.0) is None
    assert 0.0 == tries.compute_wait([], 0.0)


def test_pauses_grow():
    """Each object has its own, up to a minute, whatever has become of the others."""
    tries = FailedPatches()
    assert [1, 2, 3, 4] == [tries.count_failure(_one(A), "no", 0.0, noted=False) for _ in range(4)]
    assert 1 == tries.count_failure(_one(B), "no", 0.0, noted=False)
    assert 4.0 <= tries.compute_wait([A], 0.0) <= 8.0
    assert tries.compute_wait([B], 0.0) <= 1.0
    for _ in range(20):
        tries.count_failure(_one(A), "no", 0.0, noted=False)
    assert tries.compute_wait([A], 0.0) <= 60.0


def test_a_problem():
    """How many wait, and the reason of the first; nothing once they are forgotten."""
    tries = FailedPatches()
    assert (None, 0) == (tries.problem, len(tries))
    tries.count_failure(_one(A), "the webhook of w0 is down", 0.0, noted=False)
    assert "1 cannot be patched now, such as replicasets/shop/a: the webhook of w0 is down" == str(tries.problem)
    tries.count_failure(_one(A), "x" * 1000, 0.0, noted=False)
    assert (200, "x…") == (len(text := str(tries.problem)), text[-2:])
    tries.retain_only([B])
    assert (None, 0) == (tries.problem, len(tries))


def test_a_patch_that_was_carried_out_after_all():
    """It is found by what the object has now, once, with whether the record has it; another's value is none of ours."""
    tries = FailedPatches()
    one = _one()
    assert tries.settle(_now(_thing(x="2"))) is None
    for noted, thing, found in (
        (False, _thing(x="2"), (one, False)),
        (True, _thing(x="2"), (one, True)),
        (False, _thing(x="3"), None),
        (False, _thing(x="2", uid="u2"), None),
    ):
        tries.count_failure(one, "no answer", 0.0, noted=noted)
        assert tries.settle(_now(_thing("7", x="2"))) is None
        assert found == tries.settle(_now(thing))
        assert tries.settle(_now(thing)) is None


def test_what_a_target_has_after_all():
    """It is found by what nothing is left to do for, once; the version of the object says nothing."""
    tries, manifest = FailedPatches(), {"kind": "PropagationPolicy"}
    tried = replace(_one(), patch=manifest, manifest=manifest, carrier=("propagationpolicies", "shop", "a"))
    tries.count_failure(tried, "no answer", 0.0, noted=True)
    for now in (
        tried,
        replace(tried, patch=None, manifest={"kind": "Placement"}),
        replace(tried, patch=None, manifest=None),
    ):
        assert tries.settle(now) is None
    assert (tried, True) == tries.settle(replace(tried, patch=None))
    assert tries.settle(replace(tried, patch=None)) is None


def test_one_line_for_each_patch():
    """A try again needs none where the record has the same patch; another patch does."""
    tries = FailedPatches()
    assert not tries.has_noted(_one())
    tries.count_failure(_one(), "no answer", 0.0, noted=True)
    assert [True, False, False] == [tries.has_noted(one) for one in (_one(), _one(version="8"), _one(before="1"))]
    tries.count_failure(_one(), "no", 0.0, noted=False)
    assert not tries.has_noted(_one())


def test_a_line_that_is_withdrawn(tmp_path):
    """What is left is what was done; with no line left there is no record."""
    record = UndoRecord(tmp_path, "run")
    record.note("/apis/apps/v1/x", "u1", {"a": None}, {"a": "1"})
    record.withdraw()
    assert not record.path.exists()
    record.note("/apis/apps/v1/x", "u1", {"a": None}, {"a": "1"})
    record.note("/apis/apps/v1/y", "u2", {"a": "é"}, {"a": "1"})
    record.withdraw()
    record.note("/apis/apps/v1/z", "u3", {"a": None}, {"a": "1"})
    assert ["u1", "u3"] == [move.uid for move in read_undo_entries(record.path)]
