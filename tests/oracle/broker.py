"""A real broker as the oracle: what it answers to requests about many resources, and what it has stored then."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

from warden.state.sources.kafka.change_requests import _build_message
from warden.state.sources.kafka.login.connection import Connection

__all__ = ["Answer", "Answers", "Broker", "unused"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What becomes of a case.

    Args:
        code: Kafka's error code, 0 for none.
        messages: What is said: Kafka's one text, or all refusals of the engine; empty where there is none.
        after: What is there afterwards, of JSON's types; None where it is not compared.
    """

    code: int
    messages: tuple[str, ...] = ()
    after: Any = None


_TOGETHER = 100  # resources of a request
_NUMBERS = count()

Answers = Mapping[str, Answer]
"""Answers by the case's name."""


class Broker:
    """Sends requests as they are written, without a client's own checks.

    Args:
        connection: To the broker.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def send(self, api: str, fields: Mapping[str, Any], node: int | None = None) -> Any:
        """Send a request, named without ``Request`` and written as Kafka's JSON is, and return the response."""
        from kafka.protocol import admin, consumer

        name = f"{api}Request"
        message = getattr(admin, name, None) or getattr(consumer, name)
        return self.connection.send(_build_message(message, fields), node, check=False)

    def answers(
        self,
        api: str,
        sent: Mapping[str, tuple[Hashable, Any]],
        fields: Callable[[list[Any]], Mapping[str, Any]],
        results: Callable[[Any], Iterable[tuple[Hashable, int, str | None]]],
    ) -> dict[str, Answer]:
        """Send elements, many in a request but no resource twice, and return the answers without what is there after.

        Args:
            api: As in `send`.
            sent: By a name, what the response calls the resource by, and the element.
            fields: Makes the fields of a request of some elements.
            results: Yields from a response each resource with the error's code and text.
        """
        found: dict[str, Answer] = {}
        waiting = dict(sent)
        while waiting:
            names: dict[Hashable, str] = {}
            for name, (resource, _) in waiting.items():
                if len(names) < _TOGETHER:
                    names.setdefault(resource, name)
            response = self.send(api, fields([waiting.pop(name)[1] for name in names.values()]))
            for resource, code, message in results(response):
                found[names.pop(resource)] = _answer(code, message)
            assert not names, f"{api}: no answer about {names}"
        return found

    def in_order(
        self,
        api: str,
        sent: Mapping[str, Any],
        fields: Callable[[list[Any]], Mapping[str, Any]],
        results: Callable[[Any], Iterable[tuple[int, str | None]]],
        together: int = _TOGETHER,
    ) -> dict[str, Answer]:
        """As `answers`, of an API whose results name no resource but stand in the order of the elements.

        Args:
            api: As in `send`.
            sent: The elements by a name.
            fields: Makes the fields of a request of some elements.
            results: Yields the errors' codes and texts of a response.
            together: Elements of a request; 1 where one that a broker cannot read fails all of its request.
        """
        found: dict[str, Answer] = {}
        names = list(sent)
        for start in range(0, len(names), together):
            batch = names[start : start + together]
            response = self.send(api, fields([sent[name] for name in batch]))
            for name, (code, message) in zip(batch, results(response), strict=True):
                found[name] = _answer(code, message)
        return found


def unused(name: str) -> str:
    """A name that no resource has had: with a number behind it."""
    return f"{name}.{next(_NUMBERS)}"


def _answer(code: int, message: str | None) -> Answer:
    return Answer(code, (message,) if code and message is not None else ())
