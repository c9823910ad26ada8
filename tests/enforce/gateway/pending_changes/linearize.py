"""Whether requests at once had answers that one cluster gives, with its cap, to one request after the other.

A history is linearizable where each request can be put at one moment between its sending and its answer, so that the
answers are those of a sequential model (Herlihy and Wing 1990); the search is that of Wing and Gong, with the states
that were seen remembered (Lowe 2017).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Model", "Request", "is_linearizable"]

_UNKNOWN, _EXISTS, _INVALID, _DENIED = 3, 36, 37, 44

State = Mapping[str, int]


@dataclass(frozen=True)
class Request:
    """One request with its answer.

    Args:
        kind: "create", "grow", "delete" or "configure".
        topic: Its name.
        count: Partitions, where the kind has them.
        sent: Seconds of a clock that all clients share.
        answered: Likewise.
        code: The error of the answer.
    """

    kind: str
    topic: str
    count: int
    sent: float
    answered: float
    code: int


@dataclass(frozen=True)
class Model:
    """A cluster that holds so many partitions.

    Args:
        cap: The most.
    """

    cap: int

    def answers(self, topics: State, request: Request, beside: Sequence[Request]) -> Iterator[tuple[int, State]]:
        """Yield the codes that a request may have, each with the topics that it leaves.

        Args:
            topics: Partitions by name, before.
            request: What is to be answered.
            beside: Requests that were under way at some moment while this one was: they may count, whatever becomes of
                them, since nobody knows it yet.
        """
        before = topics.get(request.topic)
        if request.kind == "create":
            if before is not None:
                yield _EXISTS, topics
            else:
                yield from self._add(topics, request, request.count, beside)
        elif before is None:
            yield _UNKNOWN, topics
        elif request.kind == "delete":
            yield 0, {name: count for name, count in topics.items() if name != request.topic}
        elif request.kind == "configure":
            yield 0, topics
        elif request.count <= before:
            yield _INVALID, topics
        else:
            yield from self._add(topics, request, request.count - before, beside)

    def _add(
        self, topics: State, request: Request, more: int, beside: Sequence[Request]
    ) -> Iterator[tuple[int, State]]:
        used = sum(topics.values()) + more
        if used <= self.cap:
            yield 0, {**topics, request.topic: request.count}
        if used + sum(other.count for other in beside) > self.cap:
            yield _DENIED, topics


def is_linearizable(history: Sequence[Request], model: Model) -> bool:
    """Return whether some order of the requests gives each the answer that it had, from a cluster without topics."""
    beside = [
        [other for other in history if other is not one and other.sent < one.answered and one.sent < other.answered]
        for one in history
    ]
    start: State = {}
    seen = set[tuple[frozenset[int], frozenset[tuple[str, int]]]]()
    stack = [(frozenset(range(len(history))), start)]
    while stack:
        left, topics = stack.pop()
        if not left:
            return True
        known = (left, frozenset(topics.items()))
        if known in seen:
            continue
        seen.add(known)
        first = min(history[number].answered for number in left)
        stack += [
            (left - {number}, after)
            for number in left
            if history[number].sent <= first
            for code, after in model.answers(topics, history[number], beside[number])
            if code == history[number].code
        ]
    return False
