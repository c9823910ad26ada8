"""What the remediator knows without any server: objects, plan, rate, stop, records, and OPA's responses."""

import json

import pytest

from tests.docs.console import File, read_page
from tests.fixtures.checkout import CHECKOUT
from warden.base.errors import ConfigurationError, InputError
from warden.enforce.remediate.bucket import TokenBucket
from warden.enforce.remediate.config import Stop, read_config
from warden.enforce.remediate.hourly_limit import HourlyLimit
from warden.enforce.remediate.leadership import Leadership
from warden.enforce.remediate.objects import Objects
from warden.enforce.remediate.plan import RemediationPlan
from warden.enforce.remediate.record import UndoEntry, UndoRecord, read_undo_entries
from warden.enforce.remediate.remediation import parse_remediation
from warden.enforce.remediate.remediator import Remediator

KEY = ("replicasets", "shop", "web")


def _thing(version="7", uid="u1", **annotations):
    metadata = {"name": "web", "namespace": "shop", "uid": uid, "resourceVersion": version, "annotations": annotations}
    return {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata}


def test_what_a_decision_is_due_about():
    """New objects and new versions; not what is known, late, our own, or in a namespace that is left alone."""
    objects = Objects(["kube-system"])
    objects.load([(KEY, _thing()), (("replicasets", "kube-system", "dns"), _thing())])
    assert [KEY] == list(objects.peek_due(5))
    objects.mark_decided([KEY])

    objects.replace(KEY, _thing("9"))
    for version in ("9", "8"):
        objects.follow({KEY: _thing(version)})
        assert 0 == objects.due
    objects.follow({KEY: _thing("10")})
    assert 1 == objects.due
    objects.mark_decided([KEY])
    objects.follow({KEY: _thing("3", uid="u2")})
    assert 1 == objects.due
    objects.follow({KEY: None})
    assert (0, 0) == (objects.due, len(objects))


def test_a_second_list():
    """It makes a decision due about what it shows otherwise, be the version lower, and forgets what it lacks."""
    other = ("replicasets", "shop", "db")
    objects = Objects()
    objects.load([(KEY, _thing()), (other, _thing())])
    objects.mark_decided([KEY, other])
    objects.load([(KEY, _thing("2"))])
    assert {KEY: _thing("2")} == objects.peek_due(5)
    objects.mark_decided([KEY])
    objects.load([(KEY, _thing("2"))])
    assert 0 == objects.due


PATCH = {"metadata": {"annotations": {"a": "2"}, "resourceVersion": "7", "uid": "u1"}}


@pytest.mark.parametrize(
    ("over", "errors"),
    [
        ({}, ()),
        ({"errors": ["no"]}, ("no",)),
        ({"patch": {"metadata": {**PATCH["metadata"], "uid": "u2"}}}, None),
        ({"patch": {"metadata": {**PATCH["metadata"], "resourceVersion": "8"}}}, None),
        ({"patch": {"metadata": {**PATCH["metadata"], "labels": {}}}}, None),
        ({"patch": {"metadata": {**PATCH["metadata"], "annotations": {"a": 2}}}}, None),
        ({"patch": {**PATCH, "spec": {}}}, None),
        ({"patch": 3}, None),
        ({"errors": "no"}, None),
        ({"annotations": None}, None),
    ],
)
def test_responses(over, errors):
    """A patch is taken only for this version of this object and its annotations; all else is an error."""
    answer = {"annotations": {"a": "2"}, "patch": PATCH, "errors": [], "warnings": [], **over}
    one = parse_remediation(KEY, _thing(a="1"), answer)
    if errors == ():
        assert ({"a": "1"}, {"a": "2"}, ()) == (one.before, one.after, one.errors)
    else:
        assert one.patch is None
        assert (errors or ("the policy's response about this object cannot be read",)) == one.errors


def test_a_plan_names_a_refusal_once():
    """The same errors about an object are new once; others are new again, and a patch replaces them."""
    plan = RemediationPlan()
    answer: dict[str, object] = {"annotations": {}, "patch": None, "errors": ["a"], "warnings": []}
    refused = parse_remediation(KEY, _thing(), answer)
    assert [refused] == plan.record_decisions([refused])
    assert [] == plan.record_decisions([refused])
    other = parse_remediation(KEY, _thing(), {**answer, "errors": ["b"]})
    assert [other] == plan.record_decisions([other])
    mended = parse_remediation(KEY, _thing(), {**answer, "errors": [], "patch": PATCH})
    plan.record_decisions([mended])
    assert ({KEY: mended}, {}) == (plan.pending, plan.refused)
    plan.retain_only([])
    assert {} == plan.pending


def test_token_bucket():
    """A burst at once, then so many a second; a clock that goes back gives nothing and takes nothing."""
    bucket = TokenBucket(2.0, 3)
    assert [True] * 3 + [False] == [bucket.take(10.0) for _ in range(4)]
    assert 0.5 == bucket.wait(10.0)
    assert [True, False] == [bucket.take(10.5) for _ in range(2)]
    assert not bucket.take(4.0)
    assert [True, False] == [bucket.take(4.5) for _ in range(2)]
    assert [True] * 3 + [False] == [bucket.take(1000.0) for _ in range(4)]


def test_stop():
    """What is pending and what was patched in the hour count together; a tenth of many, and so many of few."""
    stop = HourlyLimit(Stop(share=0.1, at_least=5))
    assert stop.reason(5, 8, 0.0) is None
    assert "6 of 8 objects would be patched and 0 were within the hour, more than 5" in str(stop.reason(6, 8, 0.0))
    assert stop.reason(100, 1000, 0.0) is None
    for _ in range(3):
        stop.count(0.0)
    assert "3 of 8 objects would be patched and 3 were" in str(stop.reason(3, 8, 3599.0))
    assert stop.reason(3, 8, 3600.0) is None


def test_accept():
    """It lifts one stop, until all of that is done; the next holds, whatever was patched before."""
    stop = HourlyLimit(Stop(share=0.0, at_least=2), accept=True)
    assert stop.reason(2, 9, 0.0) is None
    for pending in range(9, 0, -1):
        assert stop.reason(pending, 9, 1.0) is None
        stop.count(1.0)
    assert stop.reason(0, 9, 2.0) is None
    assert stop.reason(2, 9, 3.0) is None
    assert stop.reason(3, 9, 4.0) is not None


def test_a_stop_outlives_its_process():
    """The next one takes over what was patched; an age below 0, as after a clock that went back, counts as 0."""
    first = HourlyLimit(Stop(share=0.0, at_least=2))
    first.count(100.0)
    first.count(150.0)
    assert [60, 10] == first.ages(160.0)
    second = HourlyLimit(Stop(share=0.0, at_least=2))
    second.restore([*first.ages(160.0), -3600, 4000], 5.0)
    assert "1 of 9 objects would be patched and 3 were" in str(second.reason(1, 9, 5.0))


def test_a_record(tmp_path):
    """What is written is read; a last line that is cut off was never sent, and any other damage has its line."""
    record = UndoRecord(tmp_path / "records", "run")
    assert not record.path.exists()
    for uid in ("u1", "u2"):
        record.note("/apis/apps/v1/x", uid, {"a": None}, {"a": "2"})
    moves = read_undo_entries(record.path)
    assert [("u1", {"a": None}, {"a": "2"}), ("u2", {"a": None}, {"a": "2"})] == [
        (move.uid, move.before, move.after) for move in moves
    ]
    whole = record.path.read_text(encoding="utf-8")
    record.path.write_text(whole[:-9], encoding="utf-8")
    assert [moves[0]] == read_undo_entries(record.path)
    record.path.write_text("{}\n" + whole, encoding="utf-8")
    with pytest.raises(InputError, match=r"jsonl:1: this is not a line of an undo record"):
        read_undo_entries(record.path)
    assert isinstance(moves[0], UndoEntry)


@pytest.mark.parametrize(
    "line",
    ["[]", "3", '{"time": 1}', json.dumps({"time": "t", "path": "x", "uid": "u", "before": {}, "after": {}})],
)
def test_lines_that_are_no_records(tmp_path, line):
    """Whatever is written there, it is one sentence with the line."""
    path = tmp_path / "r.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"r\.jsonl:1: "):
        read_undo_entries(path)


def _config(tmp_path, text):
    path = tmp_path / "remediator.yaml"
    path.write_text(text, encoding="utf-8")
    return read_config(path)


def test_the_page(tmp_path):
    """The configuration that is shown there is one."""
    page = read_page((CHECKOUT / "docs" / "operate" / "remediator.md").read_text(encoding="utf-8"))
    (file,) = (one for one in page if isinstance(one, File) and one.name == "remediator.yaml")
    assert "https://opa.warden.svc:8181" == _config(tmp_path, file.text).opa.url


def test_a_kubeconfig_that_names_no_file(tmp_path):
    """The remediator does not start with it."""
    config = _config(tmp_path, "records: r\nkubernetes: {kubeconfig: nowhere.yaml}\n")
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml"):
        Remediator(config, "me")


def test_the_least_configuration(tmp_path):
    """Only where records go has to be said; Deployments and ReplicaSets are meant, and never those of the system."""
    config = _config(tmp_path, "records: r\n")
    assert tmp_path / "r" == config.records
    assert ["Deployment", "ReplicaSet"] == [resource.kind for resource in config.resources]
    assert "kube-system" in config.except_namespaces


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("opa: {}\n", r"remediator.yaml:1: records: "),
        ("records: r\nrate: {perSecond: 0}\n", r"remediator.yaml:2: rate.perSecond: "),
        ("records: r\nstop: {share: 2}\n", r"remediator.yaml:2: stop.share: "),
        ("records: r\ndebounce: -1\n", r"remediator.yaml:2: debounce: "),
        ("records: r\nbogus: 1\n", r"remediator.yaml:2: bogus: "),
        ("records: r\nopa: {token: secret}\n", r"remediator.yaml:2: opa.token: a secret is never in this file"),
        (
            "records: r\nresources:\n- {apiVersion: v1, kind: A}\n- {apiVersion: v1, kind: A}\n",
            r"A of v1 is there twice: name it once",
        ),
    ],
)
def test_what_is_wrong_in_a_configuration(tmp_path, text, sentence):
    """Each mistake has its file, its line and what to write."""
    with pytest.raises(ConfigurationError, match=sentence):
        _config(tmp_path, text)


def test_an_identity_leads_only_while_it_renews(tmp_path):
    """Without a lease nobody leads."""
    config = _config(tmp_path, "records: r\n")
    assert not Leadership(config.lease, "me").is_leader()
