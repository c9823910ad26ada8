"""AlterTopic: more partitions, by CreatePartitions, and other replicas, by AlterPartitionReassignments."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from tests.oracle.broker import Answer, Answers, Broker
from tests.oracle.cases.sampling import Case
from tests.oracle.cases.topics import described, leaving, make, topic_state

__all__ = ["NO_TOPICS", "OPERATION", "answers", "before", "draw", "edges", "requested"]

OPERATION = "AlterTopic"
"""As in a decision input."""

NO_TOPICS = ("", " ", "a b", ".", "..", "x" * 249, "x" * 250, "a/b", "__cluster_metadata", "none")
"""Names of no topic, legal and illegal."""

_INTERNAL = ("__consumer_offsets", "__transaction_state", "__share_group_state")
_COUNTS = (-(2**31), -1, 0, 1, 2, 3, 4, 5)
_MANY = 10000  # new partitions, of which a request can have no more
# Broker 1 is alive, 2 is registered and down, and there are no others.
_LISTS: tuple[list[int], ...] = (
    *([], [1], [2], [7], [0], [-1], [1, 1], [2, 2], [1, 2], [2, 1], [1, 7], [7, 7]),
    *([1, 2, 1], [1, 2, 7]),
)
_MOVES = "AlterPartitionReassignments"
# Of partitions that are refused for one thing and others for another, the engine names one, in this order.
_FIRST = (3, 42, 38, 39)


def _growth(name: str, topic: str, count: int, lists: list[list[int]] | None, there: int | None = None) -> Case:
    """A topic of so many partitions that is to have ``count``; None is not a topic."""
    request: dict[str, Any] = {"topic": topic, "numPartitions": count}
    request |= {} if lists is None else {"newAssignments": lists}
    assignments = None if lists is None else [{"brokerIds": replicas} for replicas in lists]
    sent = ("CreatePartitions", {"name": topic, "count": count, "assignments": assignments})
    return Case(name, OPERATION, request, sent, _topics(topic, there))


def _move(
    name: str,
    topic: str,
    replicas: Mapping[int, list[int] | None],
    there: int | None = None,
    moving: Mapping[int, list[int]] | None = None,
    *,
    as_many: bool = False,
) -> Case:
    """New replicas of some partitions, of which some are ``moving`` to others already; ``as_many`` as there were."""
    request: dict[str, Any] = {"topic": topic, "reassignments": {str(place): ids for place, ids in replicas.items()}}
    request |= {"allowReplicationFactorChange": False} if as_many else {}
    partitions = [{"partitionIndex": place, "replicas": ids} for place, ids in replicas.items()]
    state = _topics(topic, there)
    for place, target in (moving or {}).items():
        removing = [broker for broker in [1] if broker not in target]
        adding = [broker for broker in target if broker != 1]
        state["topics"][topic]["replicasAssignments"][str(place)] = [*target, *removing]
        state["topics"][topic]["reassigning"][str(place)] = {"adding": adding, "removing": removing}
    return Case(name, OPERATION, request, (_MOVES, {"name": topic, "partitions": partitions}), state)


def _topics(topic: str, partitions: int | None) -> dict[str, Any]:
    internal = topic in _INTERNAL
    return {"topics": {} if partitions is None else {topic: topic_state(partitions, {}, internal=internal)}}


def edges() -> Iterator[Case]:
    """Every count from every count, every list of brokers, names of no topic, and internal topics."""
    for there in (1, 2, 3):
        for count in _COUNTS:
            yield _growth(f"{there} partitions, {count} wanted", f"grown.{there}.{count}", count, None, there)
    for i, replicas in enumerate(_LISTS):
        yield _growth(f"one more on {replicas}", f"on.{i}", 2, [replicas], 1)
        yield _growth(f"two more on [1] and {replicas}", f"on.both.{i}", 3, [[1], replicas], 1)
        yield _move(f"partition 0 to {replicas}", f"moved.{i}", {0: replicas}, 1)
        yield _move(f"on its way to 2, to {replicas}", f"moved.again.{i}", {0: replicas}, 1, {0: [2]})
        yield _move(f"on its way to 1 and 2, to {replicas}", f"more.again.{i}", {0: replicas}, 1, {0: [1, 2]})
        yield from _to_as_many(i, replicas)
    for wanted, given in ((2, 0), (2, 2), (3, 1), (1, 1), (1, 0), (0, 1)):
        yield _growth(f"{wanted} partitions with {given} lists", f"lists.{wanted}.{given}", wanted, [[1]] * given, 1)
    for i, way in enumerate(([2], [1, 2], [2, 1])):
        yield _move(f"on its way to {way}, back", f"back.{i}", {0: None}, 2, {0: way})
        yield _move(f"another is on its way to {way}, back", f"back.other.{i}", {1: None}, 2, {0: way})
    yield _growth("two more on [2], which is down, and [7]", "on.down", 3, [[2], [7]], 1)
    yield from _so_many()
    for topic in NO_TOPICS:
        yield _growth(f"grown, {topic[:9]!r}, {len(topic)} long", topic, 2, None)
        yield _growth(f"grown on [7], {topic[:9]!r}, {len(topic)} long", topic, 2, [[7]])
        for target in ([1], [7], [], None):
            yield _move(f"{topic[:9]!r}, {len(topic)} long, to {target}", topic, {0: target})
    for place in (1, 2, 2**31 - 1):
        for i, moved in enumerate(([1], [7], None)):
            yield _move(f"partition {place} to {moved}", f"no.partition.{place}.{i}", {place: moved}, 1)
    yield _growth("an internal one grown", _INTERNAL[0], 2, None, 1)
    yield _growth("an internal one shrunk", _INTERNAL[1], 1, None, 2)
    yield _move("an internal one moved", _INTERNAL[2], {0: [2]}, 1)


def _so_many() -> Iterator[Case]:
    """As many new partitions as a request can have, and more."""
    for there, count in ((1, _MANY), (1, _MANY + 1), (1, _MANY + 2), (3, _MANY + 3), (3, _MANY + 4), (1, 2 * _MANY)):
        yield _growth(f"{there} partitions, {count} wanted", f"many.{there}.{count}", count, None, there)
    yield _growth("so many with one list", "many.lists", _MANY + 2, [[1]], 1)
    yield _growth("so many with a list for each", "many.lists.each", _MANY + 2, [[1]] * (_MANY + 1), 1)
    yield _growth("so many of no topic", "none.many", _MANY + 2, None)


def _to_as_many(number: int, replicas: list[int]) -> Iterator[Case]:
    for way in ([], [2], [1, 2]):
        moving = {0: way} if way else {}
        topic = f"as.many.{number}.{len(way)}"
        yield _move(f"on its way to {way}, to as many: {replicas}", topic, {0: replicas}, 1, moving, as_many=True)


def draw(source: Random, number: int) -> Case:
    """A growth or a reassignment, mostly one that Kafka takes."""
    there = source.randint(1, 3)
    if source.random() < 0.45:
        count = there + source.randint(1, 2) if source.random() < 0.7 else source.choice(_COUNTS)
        right = max(count - there, 0) if source.random() < 0.85 else source.randint(0, 3)
        lists = [_list(source) for _ in range(right)] if source.random() < 0.7 else None
        return _growth("", f"random.{number}", count, lists, there)
    moving = {place: source.choice(([2], [1, 2], [2, 1])) for place in range(there) if source.random() < 0.4}
    places = source.sample(range(there + (source.random() < 0.1)), k=source.randint(1, there))
    targets = {place: None if source.random() < 0.25 else _list(source) for place in sorted(places)}
    return _move("", f"random.{number}", targets, there, moving, as_many=source.random() < 0.2)


def _list(source: Random) -> list[int]:
    return source.choice(([1], [1], [2], [1, 2], source.choice(_LISTS)))


def requested(_case: Case, state: Any, _change: Any) -> Any:
    """What is compared of what rules see: how many partitions there are, and the replicas of those that it tells of."""
    return {"numPartitions": state["numPartitions"], "replicas": state["replicasAssignments"]}


def before(case: Case) -> Any:
    """What is there before, as `requested`; none where there is no topic."""
    topic = case.state["topics"].get(case.request["topic"])
    return None if topic is None else requested(case, topic, None)


def answers(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and the topic's partitions then."""
    make(broker, {name: topic for case in every for name, topic in case.state["topics"].items()})
    _set_in_motion(broker, every)
    found = _grown(broker, every) | _moved(broker, every)
    there, going = described(broker, "oracle.partitions.last"), leaving(broker)
    return {
        case.name: replace(answer, after=_after(case, answer, there, going)) if whole else answer
        for case in every
        for answer, whole in [found[case.name]]
    }


def _after(
    case: Case,
    answer: Answer,
    there: Mapping[str, Mapping[str, list[int]]],
    going: Mapping[tuple[str, str], Sequence[int]],
) -> Any:
    """The topic's partitions, as `requested`: what is moved by the case counts as where it goes."""
    topic = case.request["topic"]
    if topic not in there:
        return None
    known = case.state["topics"][topic]["replicasAssignments"]
    chosen_by_kafka = "numPartitions" in case.request and "newAssignments" not in case.request
    moved = case.request.get("reassignments", {}) if answer.code == 0 else {}
    replicas = {
        place: [broker for broker in ids if place not in moved or broker not in going.get((topic, place), [])]
        for place, ids in there[topic].items()
        if place in known or not chosen_by_kafka
    }
    return {"numPartitions": len(there[topic]), "replicas": replicas}


def _grown(broker: Broker, every: Sequence[Case]) -> dict[str, tuple[Answer, bool]]:
    """The answers, and whether it is done: so many partitions fail all of a request, and are only evaluated."""
    grown = [case for case in every if case.sent[0] == "CreatePartitions"]
    many = [case for case in grown if case.request["numPartitions"] >= _MANY]
    done = _grow(broker, [case for case in grown if case not in many], only=False)
    found = {name: (answer, True) for name, answer in done.items()}
    for case in many:
        found |= {name: (answer, False) for name, answer in _grow(broker, [case], only=True).items()}
    return found


def _grow(broker: Broker, every: Sequence[Case], *, only: bool) -> dict[str, Answer]:
    return broker.answers(
        "CreatePartitions",
        {case.name: (case.request["topic"], case.sent[1]) for case in every},
        lambda topics: {"topics": topics, "timeoutMs": 300_000, "validateOnly": only},
        lambda response: ((topic.name, topic.error_code, topic.error_message) for topic in response.results),
    )


def _moved(broker: Broker, every: Sequence[Case]) -> dict[str, tuple[Answer, bool]]:
    """The answers, and whether all partitions of a case met with the same: taken or refused."""
    mixed: dict[str, bool] = {}

    def results(response: Any) -> Iterator[tuple[str, int, str | None]]:
        for topic in response.responses:
            worst = min(topic.partitions, key=lambda part: _place(part.error_code))
            mixed[topic.name] = bool(worst.error_code) and any(not part.error_code for part in topic.partitions)
            yield topic.name, worst.error_code, worst.error_message

    found: dict[str, tuple[Answer, bool]] = {}
    for changes in (True, False):
        moves = {
            case.name: (case.request["topic"], case.sent[1])
            for case in every
            if case.sent[0] == _MOVES and case.request.get("allowReplicationFactorChange", True) is changes
        }
        made = partial(_reassigning, changes)
        answers = broker.answers(_MOVES, moves, made, results)
        found |= {name: (answer, not mixed[moves[name][0]]) for name, answer in answers.items()}
    return found


def _reassigning(changes: bool, topics: list[Any]) -> dict[str, Any]:
    return {"topics": topics, "timeoutMs": 300_000, "allowReplicationFactorChange": changes}


def _place(code: int) -> int:
    return _FIRST.index(code) if code in _FIRST else len(_FIRST) + (code == 0)


def _set_in_motion(broker: Broker, every: Sequence[Case]) -> None:
    """Bring about the reassignments that run before."""
    running = []
    for case in every:
        for name, topic in case.state["topics"].items():
            targets = {
                int(place): [
                    broker for broker in topic["replicasAssignments"][place] if broker not in moving["removing"]
                ]
                for place, moving in topic["reassigning"].items()
            }
            running += [_move(name, name, targets)] if targets else []
    assert [] == [answer for answer, _ in _moved(broker, running).values() if answer.code]
