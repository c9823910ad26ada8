"""Sends case after case to a program, and after each asks whether it still serves others."""

import os
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.cases import Case, Surface, random_case
from tests.fuzz.tokens import Signer, Token
from tests.fuzz.wire import PATIENCE, request_bytes, send

__all__ = ["CORPUS", "Program", "Result", "corpus", "for_seconds", "new_seed", "random_cases", "run_cases"]

CORPUS = Path(__file__).with_name("corpus")
"""A file of cases for each program: what once failed."""


@dataclass(frozen=True)
class Program:
    """What is under attack.

    Args:
        name: A word.
        url: Where it listens.
        surface: What it can be sent.
        signer: Has the keys of the issuer that it knows, or none.
        check: Raises `TimeoutError` or `AssertionError` where others are not served any more.
        opens: Paths that need no token.
        closes: Encodings at which it may end the connection without an answer.
    """

    name: str
    url: str
    surface: Surface
    signer: Signer
    check: Callable[[], None]
    opens: frozenset[str]
    closes: frozenset[str] = frozenset({"short"})


@dataclass
class Result:
    """What became of the cases: how many by the status of the answer, and what went wrong."""

    answers: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def line(self) -> str:
        """Return the counts."""
        counts = ", ".join(f"{n} of {status}" for status, n in sorted(self.answers.items()))
        return f"{self.answers.total()} requests, {len(self.failures)} failures: {counts}"


def new_seed() -> int:
    """Return the seed of ``WARDEN_SEED``, or a new one each time."""
    return int(os.environ.get("WARDEN_SEED") or secrets.randbelow(2**31))


def random_cases(seed: int, surface: Surface) -> Iterator[tuple[str, Case]]:
    """Yield cases without end; each has a seed of its own, so that it can be made alone."""
    index = 0
    while True:
        yield f"{seed}/{index}", random_case(random.Random(f"{seed}/{index}"), surface)
        index += 1


def for_seconds(seconds: float, cases: Iterable[tuple[str, Case]]) -> Iterator[tuple[str, Case]]:
    """Yield cases as long as there is time."""
    end = time.monotonic() + seconds
    for pair in cases:
        if time.monotonic() >= end:
            return
        yield pair


def corpus(name: str) -> Iterator[tuple[str, Case]]:
    """Yield what once failed in a program."""
    lines = (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        yield f"{name}.jsonl:{number}", Case.parse(line)


def run_cases(program: Program, cases: Iterable[tuple[str, Case]], *, stop_after: int = 5) -> Result:
    """Send cases until they end, the program hangs, or so many have failed."""
    result = Result()
    for where, case in cases:
        problem, is_over = _try(program, case, result.answers)
        if problem:
            result.failures.append(f"{program.name} {where}: {problem}: {_shown(case)}")
        if is_over or len(result.failures) >= stop_after:
            break
    return result


def _shown(case: Case) -> str:
    line = case.line()
    return line if len(line) < 20_000 else line[:20_000] + "…"


def _try(program: Program, case: Case, answers: Counter[str]) -> tuple[str | None, bool]:
    """Return what is wrong, and whether nothing more can be learned."""
    problem = None
    try:
        content = request_bytes(case, program.surface, program.signer)
        status, _ = send(program.url, content, is_short=case.encoding == "short")
    except TimeoutError:
        return f"no answer in {PATIENCE:g} s", True
    answers[status] += 1
    if status == "closed" and case.encoding not in program.closes:
        problem = "the connection ended without an answer"
    elif status.startswith("2") and _is_stranger(case) and _path(case) not in program.opens:
        problem = f"answered with {status} although no token opens it"
    try:
        program.check()
    except TimeoutError:
        return f"others were not served in {PATIENCE:g} s after it", True
    except AssertionError as error:
        return f"others were not served after it: {error}", True
    return problem, False


def _path(case: Case) -> str:
    return case.target.split("?")[0]


def _is_stranger(case: Case) -> bool:
    return case.token is None or (isinstance(case.token, Token) and not case.token.is_signed)
