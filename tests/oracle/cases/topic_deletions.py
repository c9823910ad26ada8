"""DeleteTopics as a whole request: topics by name, by id, by both and by neither, once and more often."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any
from uuid import UUID

from tests.oracle.broker import Answer, Answers, Broker
from tests.oracle.cases.sampling import Case, complete
from tests.oracle.cases.topics import described, make, topic_state
from tests.oracle.engine import Engine
from warden.policy.adapter import build_denied_elements, build_results, index_topic_ids, parse_request
from warden.policy.adapter.topic_ids import format_topic_id

__all__ = ["answers", "cases", "evaluated", "ids_of"]

_API = "DeleteTopics"
_KINDS = ("name", "id", "unknown id", "name and id", "empty name and id", "neither")
_NO_ID = UUID(int=0)
_FIELDS = ("name", "topicId", "errorCode", "errorMessage")
Row = tuple[str, int, str, str]
"""A topic's name, the error's code and text, and the id of a topic that is refused."""
Element = tuple[str, str]
"""One of `_KINDS`, and a topic: ``a`` and ``b`` are there, others are not; of an unknown id it says which."""


def _case(name: str, number: int, elements: Sequence[Element]) -> Case:
    """A request of some elements; the topics that it takes to be there are its own."""
    own = [(kind, f"oracle.by.id.{number}.{topic}") for kind, topic in elements]
    there = {topic: topic_state(1, {}) for kind, topic in own if topic[-1] in "ab" and kind in _KINDS[:5]}
    return Case(name, _API, {"topics": own}, own, {"topics": there})


def _edges() -> Iterator[Case]:
    """Each way to name a topic beside each other way, about the same topic and about another one."""
    pairs = [
        [(one, "a"), (other, topic)] for one in _KINDS for other in ("", *_KINDS) for topic in (("a", "b", "none"))
    ]
    for number, (first, second) in enumerate(pairs):
        elements = [first, second] if second[0] else [(first[0], second[1])]
        yield _case(f"{elements}", number, elements)
    for number, kind in enumerate(_KINDS, len(pairs)):
        yield _case(f"{kind} three times", number, [(kind, "a")] * 3)
    yield _case("a name, its id twice", len(pairs) + len(_KINDS), [("name", "a"), ("id", "a"), ("id", "a")])
    yield _case("an id, its name twice", len(pairs) + len(_KINDS) + 1, [("id", "a"), ("name", "a"), ("name", "a")])


def _draw(source: Random, number: int) -> Case:
    size = source.randint(1, 4)
    kinds = (*_KINDS, *("name", "id") * 5)
    elements = [(source.choice(kinds), source.choice(("a", "b", "a", "b", "none"))) for _ in range(size)]
    return _case("", 1000 + number, elements)


def cases() -> list[Case]:
    """Return the cases."""
    return complete(_API, _edges(), _draw)


def ids_of(broker: Broker, every: Sequence[Case]) -> dict[str, UUID]:
    """Make the topics that are there before, and return their ids."""
    from kafka.protocol.metadata import MetadataRequest

    make(broker, {name: topic for case in every for name, topic in case.state["topics"].items()})
    described(broker, "oracle.by.id.first")
    request = MetadataRequest(topics=None, allow_auto_topic_creation=False)
    return {topic.name: topic.topic_id for topic in broker.connection.send(request, check=False).topics}


def answers(broker: Broker, every: Sequence[Case], ids: Mapping[str, UUID]) -> Answers:
    """What the broker answers to each case, and which of its topics are there then."""
    said = {case.name: _sent(broker, _elements(case, ids)) for case in every}
    there = described(broker, "oracle.by.id.last")
    return {name: _answer(rows, case, set(there)) for case in every for name, rows in [(case.name, said[case.name])]}


def evaluated(engine: Engine, every: Sequence[Case], ids: Mapping[str, UUID]) -> Answers:
    """What adapter and engine say of each case, and which of its topics are there if the broker does the rest."""
    states = {
        case.name: {name: {**topic, "topicId": str(ids[name])} for name, topic in case.state["topics"].items()}
        for case in every
    }
    parsed = {
        case.name: parse_request(
            _API, {"topics": _elements(case, ids)}, topic_ids=index_topic_ids({"topics": states[case.name]})
        )
        for case in every
    }
    items = {
        f"{name} {key}": {**document, "clusterState": {"topics": states[name]}}
        for name, one in parsed.items()
        for key, document in one.inputs.items()
    }
    decisions = engine.evaluate("data.kafka.decisions", {"items": items, "common": {"cluster": "oracle"}})
    found = {}
    for case in every:
        one = parsed[case.name]
        own = {key: decisions[f"{case.name} {key}"] for key in one.inputs}
        results = build_results(one, own)
        gone = {item.name or "" for key, item in one.items.items() if results[key].allowed}
        refused = [_row(*(element[name] for name in _FIELDS)) for element in build_denied_elements(one, results)]
        rows = [*refused, *(_row(name, None, 0, None) for name in gone)]
        found[case.name] = _answer(rows, case, set(states[case.name]) - gone)
    return found


def _elements(case: Case, ids: Mapping[str, UUID]) -> list[dict[str, Any]]:
    return [_element(kind, topic, ids) for kind, topic in case.sent]


def _element(kind: str, topic: str, ids: Mapping[str, UUID]) -> dict[str, Any]:
    unknown = UUID(int=sum(topic.encode()) + (1 << 100))
    given = {"name": _NO_ID, "neither": _NO_ID, "unknown id": unknown}.get(kind, ids.get(topic, unknown))
    named = {"name": topic, "name and id": topic, "empty name and id": ""}.get(kind)
    return {"name": named, "topicId": given}


def _sent(broker: Broker, elements: list[dict[str, Any]]) -> list[Row]:
    response = broker.send(_API, {"topics": elements, "topicNames": [], "timeoutMs": 300_000})
    return [_row(topic.name, topic.topic_id, topic.error_code, topic.error_message) for topic in response.responses]


def _row(name: str | None, given: Any, code: int, message: str | None) -> Row:
    """A result; what is deleted by its id gets its name from the broker, and the other way round."""
    return name or "", code, message or "", (format_topic_id(given) or "") if code else ""


def _answer(rows: Sequence[Row], case: Case, there: set[str]) -> Answer:
    """All results in order, since Kafka has none; the code is that of the first that is refused."""
    code = next((code for _, code, *_ in sorted(rows) if code), 0)
    left = sorted(there & case.state["topics"].keys())
    return Answer(code, (), {"results": [list(row) for row in sorted(rows)], "there": left})
