"""The order of several OPAs, and what becomes of errors and answers, by a clock of the test's own."""

import pytest

from warden.base.errors import (
    OpaError,
    OpaEvaluationError,
    OpaInputTooLarge,
    OpaRefused,
    OpaTimeout,
    OpaUndefined,
    OpaUnreachable,
)
from warden.policy.failover.attempts import FailoverCall
from warden.policy.failover.failover_reasons import FailoverReason, find_failover_reason
from warden.policy.failover.join_reasons import join_reasons
from warden.policy.failover.ranking import OpaCheckResult, OpaRanking

GOOD = {"allowed": True, "errors": [], "error": None, "violations": [], "stateAge": 1.0}


class Recorder:
    """Keeps what is reported."""

    def __init__(self) -> None:
        self.health: list[tuple[str, str | None]] = []
        self.revisions: dict[str, str | None] = {}
        self.failovers: list[str] = []
        self.deciders: list[tuple[str, str, bool]] = []

    def report_health(self, url: str, problem: str | None, revision: str | None) -> None:
        """As of `Reporter`."""
        self.health.append((url, problem))

    def report_revisions(self, revisions: dict[str, str | None]) -> None:
        """As of `Reporter`."""
        self.revisions = revisions

    def report_failover(self, url: str, problem: str) -> None:
        """As of `Reporter`."""
        self.failovers.append(url)

    def report_decider(self, url: str, cluster: str, revision: str | None, *, is_other: bool) -> None:
        """As of `Reporter`."""
        self.deciders.append((url, cluster, is_other))


class World:
    """Three OPAs, a clock, and what is reported."""

    def __init__(self) -> None:
        self.now, self.recorder = 1000.0, Recorder()
        self.ranking = OpaRanking(["a", "b", "c"], ["x", "y"], 10.0, self.recorder, lambda: self.now)
        self.woken: list[str] = []
        self.ranking.wake = self.woken.append

    def take(self, url: str, x: float | None = 0.0, y: float | None = 0.0, **more: str) -> None:
        """A check has found states of these ages."""
        self.ranking.record_check(url, OpaCheckResult(ages={"x": x, "y": y}, **more))

    def attempts(self, limit: float = 6.0, cluster: str = "x") -> FailoverCall:
        """A call about a cluster."""
        return FailoverCall(self.ranking, cluster, limit, lambda: self.now)


@pytest.fixture
def world() -> World:
    """Nothing is known yet."""
    return World()


def test_the_order(world: World) -> None:
    """By cluster: first those with a state as new as another's, last those that fail; else as configured."""
    assert ["a", "b", "c"] == world.ranking.rank_urls("x")
    world.take("a", x=None)
    assert ["a", "b", "c"] == world.ranking.rank_urls("x")  # no other is known to have one
    world.take("b", x=30.0)
    world.take("c", x=20.0)
    assert ["b", "c", "a"] == world.ranking.rank_urls("x")
    world.take("c", x=19.0)
    assert ["c", "a", "b"] == world.ranking.rank_urls("x")
    assert ["a", "b", "c"] == world.ranking.rank_urls("y")
    world.ranking.record_failure("c", "down", "OpaUnreachable")
    assert ["b", "a", "c"] == world.ranking.rank_urls("x")
    world.take("c", x=19.0)
    assert ["c", "a", "b"] == world.ranking.rank_urls("x")
    assert [("c", "down"), ("c", None)] == world.recorder.health
    assert ["c"] == world.woken


def test_a_state_that_nobody_renews_grows_old(world: World) -> None:
    """It is behind once another was observed so much later."""
    world.take("a")
    world.now += 11
    world.take("b")
    assert ["b", "c", "a"] == world.ranking.rank_urls("x")


def test_the_oldest_state_that_is_used(world: World) -> None:
    """One that is behind, has none or fails does not count."""
    world.take("a", x=2.0)
    world.take("b", x=7.0)
    world.take("c", x=40.0)
    assert 7.0 == world.ranking.find_oldest("x", 1.0)
    world.now += 1
    assert 9.0 == world.ranking.find_oldest("x", 9.0)
    world.ranking.record_failure("b", "down", "OpaUnreachable")
    assert 3.0 == world.ranking.find_oldest("x", 1.0)


def test_readiness(world: World) -> None:
    """One OPA that decides is enough, and one with a state of each cluster."""
    assert (None, []) == (world.ranking.find_common_failure(), world.ranking.list_clusters_without_state())
    for url in "abc":
        world.take(url, x=None)
    assert (None, ["x"]) == (world.ranking.find_common_failure(), world.ranking.list_clusters_without_state())
    world.take("b")
    assert [] == world.ranking.list_clusters_without_state()
    for url in "abc":
        world.ranking.record_failure(url, f"{url} is down", "OpaUnreachable")
    expected = ("a is down; b is down; c is down", frozenset({"OpaUnreachable"}))
    assert expected == world.ranking.find_common_failure()


def test_revisions_are_reported_once_they_change(world: World) -> None:
    """With that of each OPA."""
    world.take("a", revision="r1")
    world.take("b", revision="r2")
    assert {"a": "r1", "b": "r2", "c": None} == world.recorder.revisions


def test_shares_of_the_time(world: World) -> None:
    """One that hangs takes an equal share; what is left goes to the others, and never more than the whole."""
    attempts = world.attempts(6.0)
    for url, share in (("a", 2.0), ("b", 2.0), ("c", 2.0)):
        assert (url, share) == attempts.take_next()
        world.now += share
        attempts.record_failure(OpaTimeout(f"{url} is late"))
    assert None is attempts.take_next()
    with pytest.raises(OpaTimeout, match=r"^a is late; b is late; c is late$"):
        attempts.use_doubtful_answer()
    assert ["a", "b"] == world.recorder.failovers
    quick = world.attempts(6.0)
    assert ("a", 2.0) == quick.take_next()
    quick.record_failure(OpaUnreachable("a is down"))
    assert ("b", 3.0) == quick.take_next()


@pytest.mark.parametrize("error", [OpaUndefined("undefined"), OpaInputTooLarge("large")])
def test_an_answer_is_an_answer(world: World, error: OpaError) -> None:
    """What is undefined, or too large, no other OPA is called for."""
    attempts = world.attempts()
    attempts.take_next()
    with pytest.raises(type(error)):
        attempts.record_failure(error)
    assert ([], []) == (world.recorder.failovers, world.recorder.health)


@pytest.mark.parametrize(
    ("error", "failed", "woken"),
    [
        (OpaUnreachable("down"), True, ["a"]),
        (OpaRefused("401"), False, ["a"]),
        (OpaEvaluationError("conflict"), False, []),
    ],
)
def test_what_an_error_says_of_an_opa(world: World, error: OpaError, failed: bool, woken: list[str]) -> None:
    """One that refuses is looked at; one whose policy fails at an input is well, and the next is called."""
    attempts = world.attempts()
    attempts.take_next()
    attempts.record_failure(error)
    assert ("b", 3.0) == attempts.take_next()
    assert attempts.accept(GOOD, None)
    assert (failed, woken) == (world.ranking.rank_urls("x")[0] != "a", world.woken)
    assert [("b", "x", True)] == world.recorder.deciders


@pytest.mark.parametrize(
    ("errors", "kind"),
    [
        ([OpaUnreachable("1"), OpaTimeout("2"), OpaUnreachable("3")], OpaTimeout),
        ([OpaUnreachable("1"), OpaRefused("2", code="no", status=400), OpaTimeout("3")], OpaRefused),
        ([OpaRefused("1"), OpaEvaluationError("2"), OpaUnreachable("3")], OpaEvaluationError),
    ],
)
def test_the_error_of_all(world: World, errors: list[OpaError], kind: type[OpaError]) -> None:
    """OPA is away only where all are: a webhook lets nothing pass for one that is down beside one that refuses."""
    attempts = world.attempts()
    for error in errors:
        attempts.take_next()
        attempts.record_failure(error)
    with pytest.raises(OpaError, match=r"^1; 2; 3$") as raised:
        attempts.use_doubtful_answer()
    (first,) = (error for error in errors if type(error) is kind)
    assert (kind, vars(first)) == (type(raised.value), vars(raised.value))


def test_an_answer_without_a_state(world: World) -> None:
    """Another is called that may have one; it is used where none has, and then nothing is learnt of the OPA."""
    doubt = FailoverReason("no state", needs_state=True)
    attempts = world.attempts()
    for _ in "ab":
        attempts.take_next()
        assert not attempts.accept("without", doubt)
    attempts.take_next()
    assert attempts.accept("without", doubt)
    assert ["a", "b", "c"] == world.ranking.rank_urls("x")
    world.take("b")
    attempts = world.attempts()
    attempts.take_next()
    assert not attempts.accept("without", doubt)
    attempts.take_next()
    assert attempts.accept("with", None)
    assert "a" == world.ranking.rank_urls("x")[-1]


def test_a_state_that_is_gone_is_looked_for_wherever_one_may_be_by_now(world: World) -> None:
    """What a check found of the others is older than the answer; where none ever had a state, one call is enough."""
    doubt = FailoverReason("no state", needs_state=True)
    for url in "abc":
        world.take(url, None, 0.0 if url == "a" else None)
    attempts = world.attempts()
    attempts.take_next()
    assert attempts.accept("without", doubt)
    world.take("c", None, None, problem="is away")
    attempts = world.attempts(cluster="y")
    for _ in "ab":
        attempts.take_next()
        assert not attempts.accept("without", doubt)
    assert "c" == (attempts.take_next() or ("", 0.0))[0]
    assert attempts.accept("with", None)


def test_an_answer_that_must_not_be_used(world: World) -> None:
    """It is none, even where there is no other; one that is only broken is the caller's to refuse."""
    for is_final in (True, False):
        attempts = world.attempts()
        while attempts.take_next() is not None:
            assert not attempts.accept("answer", FailoverReason("a doubt", is_final=is_final))
        if is_final:
            with pytest.raises(OpaUnreachable, match=r"^a doubt$"):
                attempts.use_doubtful_answer()
        else:
            assert "answer" == attempts.use_doubtful_answer()


@pytest.mark.parametrize(
    ("decisions", "text"),
    [
        ({"1": GOOD}, None),
        ({"1": {**GOOD, "stateAge": None}}, "u has no state of the cluster"),
        ({}, "u did not decide the item '1'"),
        (["1"], "u did not decide the item '1'"),
        ({"1": {**GOOD, "allowed": False}}, "u did not decide the item '1'"),
    ],
)
def test_doubts(decisions: object, text: str | None) -> None:
    """What is not a decision, and what was decided without a state."""
    doubt = find_failover_reason("u", decisions, ["1"])
    assert (text is None) == (doubt is None)
    assert doubt is None or doubt.text.startswith(str(text))
    assert None is find_failover_reason("u", {"1": {**GOOD, "stateAge": None}}, ["1"], needs_state=False)


def test_reasons_in_one_sentence() -> None:
    """As they are where that is short, else without details, and of many only some: what is too long is not shown."""
    late = "http://127.0.0.1:{}/v1/data/kafka/decision did not answer in time (limits: total 2 s): check that OPA …"
    assert "a; b" == join_reasons(["a", "b", "a"])
    assert late.format(1) == join_reasons([late.format(1)])
    both = "http://127.0.0.1:1 did not answer in time; http://127.0.0.1:2 did not answer in time"
    assert both == join_reasons([late.format(1), late.format(2)])
    many = join_reasons([late.format(at) for at in range(9)])
    assert many.endswith("; and 5 more")
    assert len(many) <= 190
