"""Requests that come together are sent together, and no request harms another."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.fixtures.patience import PATIENCE
from warden.base.errors import InputError, OpaEvaluationError, OpaUnreachable, WardenError
from warden.enforce.service.coalescing import RequestCoalescer


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads."""
    with ThreadPoolExecutor(4) as made:
        yield made


def test_a_thousand_questions_while_two_are_answered(pool: ThreadPoolExecutor) -> None:
    """A hundred at a time, equal ones once; the first is not kept waiting for company."""
    sent: list[int] = []
    gate = threading.Event()

    def answers(questions: Sequence[int]) -> list[str | WardenError]:
        sent.append(len(questions))
        gate.wait(PATIENCE)
        return [str(question) for question in questions]

    async def ask() -> list[str]:
        batches = RequestCoalescer(answers, pool)
        tasks = [asyncio.create_task(batches.ask(number % 1000)) for number in range(3000)]
        await asyncio.sleep(0)  # all have come
        gate.set()
        return await asyncio.gather(*tasks)

    assert [str(number % 1000) for number in range(3000)] == asyncio.run(ask())
    assert [1, 1, *[100] * 10] == sent


def test_a_question_goes_out_after_it_has_come(pool: ThreadPoolExecutor) -> None:
    """One that is equal to one under way is sent again: something may have been stored since."""
    gates, began = [threading.Event() for _ in range(2)], threading.Semaphore(0)
    numbers = iter(range(2))

    def answers(questions: Sequence[str]) -> list[int | WardenError]:
        number = next(numbers)
        began.release()
        gates[number].wait(PATIENCE)
        return [number] * len(questions)

    async def ask() -> list[int]:
        batches, tasks = RequestCoalescer(answers, pool), []
        for _ in gates:
            tasks.append(asyncio.create_task(batches.ask("a")))
            await asyncio.to_thread(began.acquire)
        for gate in gates:
            gate.set()
        return await asyncio.gather(*tasks)

    assert [0, 1] == asyncio.run(ask())


def test_one_question_that_cannot_be_answered(pool: ThreadPoolExecutor) -> None:
    """Neither one that has an error of its own keeps others from their answers, nor one with which the call fails."""

    def answers(questions: Sequence[str]) -> list[str | WardenError]:
        if "fatal" in questions:
            raise OpaEvaluationError("conflict")
        return [InputError("no") if question == "wrong" else question for question in questions]

    found = _together(answers, pool, ["x", "y", "a", "wrong", "b", "fatal", "c"])
    assert ["x", "y", "a", "no", "b", "conflict", "c"] == [str(one) for one in found]
    assert [InputError, OpaEvaluationError] == [type(one) for one in found if isinstance(one, Exception)]


@pytest.mark.parametrize("error", [OpaUnreachable("away"), RuntimeError("a defect")])
def test_what_fails_for_all(pool: ThreadPoolExecutor, error: Exception) -> None:
    """Is not tried for each by itself: everybody hears it."""
    calls: list[int] = []

    def answers(questions: Sequence[str]) -> list[str | WardenError]:
        calls.append(len(questions))
        raise error

    assert [error] * 5 == _together(answers, pool, list("abcde"))
    assert [1, 1, 3] == calls


def test_who_has_gone(pool: ThreadPoolExecutor) -> None:
    """Takes nobody else's answer along."""
    gate = threading.Event()

    def answers(questions: Sequence[str]) -> list[str | WardenError]:
        gate.wait(PATIENCE)
        return list(questions)

    async def ask() -> str:
        batches = RequestCoalescer(answers, pool)
        gone, stays = (asyncio.create_task(batches.ask("a")) for _ in range(2))
        await asyncio.sleep(0)
        gone.cancel()
        gate.set()
        return await stays

    assert "a" == asyncio.run(ask())


def _together(
    answers: Callable[[Sequence[str]], Sequence[str | WardenError]], pool: ThreadPoolExecutor, questions: list[str]
) -> list[str | BaseException]:
    async def ask() -> list[str | BaseException]:
        batches = RequestCoalescer(answers, pool)
        return await asyncio.gather(*(batches.ask(question) for question in questions), return_exceptions=True)

    return asyncio.run(ask())
