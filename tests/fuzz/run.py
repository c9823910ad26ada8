"""Sends case after case to a program, and after each asks whether it still serves others."""

import random
import ssl
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.cases import CUT, Case, Surface, random_case
from tests.fuzz.tokens import Signer, Token
from tests.fuzz.wire import PATIENCE, request_bytes, send
from tests.soak.figures import sample

__all__ = ["CORPUS", "Program", "Result", "corpus", "for_seconds", "random_cases", "run_cases"]

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
        opens: Paths that need no token; None where none is needed.
        pid: Returns its process id.
        memory: MiB that it may hold.
        closes: Encodings at which it may end the connection without an answer.
        examine: Returns what is wrong with an answer, None where nothing is.
        log: Its log, which may have no trace of Python's; None where its log is not read.
        trust: What is connected with; None for plain HTTP.
        fails: Whether it may answer with 500.
    """

    name: str
    url: str
    surface: Surface
    signer: Signer
    check: Callable[[], None]
    opens: frozenset[str] | None
    pid: Callable[[], int]
    memory: float
    closes: frozenset[str] = CUT
    examine: Callable[[Case, str, bytes], str | None] = lambda *_: None
    log: Path | None = None
    trust: ssl.SSLContext | None = None
    fails: bool = False


@dataclass
class Result:
    """What became of the cases: how many by the status of the answer, what went wrong, and the most MiB it held."""

    answers: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    memory: float = 0.0

    def line(self) -> str:
        """Return the counts."""
        counts = ", ".join(f"{n} of {status}" for status, n in sorted(self.answers.items()))
        memory = f"{self.memory:.0f} MiB at most"
        return f"{self.answers.total()} requests, {len(self.failures)} failures, {memory}: {counts}"


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
        logged = _size(program.log)
        problem, is_over = _try(program, case, result.answers)
        memory = sample(program.pid()).memory
        result.memory = max(memory, result.memory)
        if memory > program.memory:
            problem, is_over = f"it holds {memory:.0f} MiB", True
        problem = problem or _find_trace(program.log, logged)
        if problem:
            result.failures.append(f"{program.name} {where}: {problem}: {_shown(case)}")
        if is_over or len(result.failures) >= stop_after:
            break
    return result


def _size(log: Path | None) -> int:
    return log.stat().st_size if log is not None else 0


def _find_trace(log: Path | None, start: int) -> str | None:
    """Return what a program's log says of a defect since it had a size."""
    if log is None:
        return None
    with log.open("rb") as opened:
        opened.seek(start)
        text = opened.read()
    return f"its log has a trace: {text[-900:]!r}" if b"Traceback" in text else None


def _shown(case: Case) -> str:
    line = case.line()
    return line if len(line) < 20_000 else line[:20_000] + "…"


def _try(program: Program, case: Case, answers: Counter[str]) -> tuple[str | None, bool]:
    """Return what is wrong, and whether nothing more can be learned."""
    problem = None
    try:
        content = request_bytes(case, program.surface, program.signer)
        status, answer = send(program.url, content, is_cut=case.encoding in CUT, trust=program.trust)
    except TimeoutError:
        return f"no answer in {PATIENCE:g} s", True
    answers[status] += 1
    if status == "closed" and case.encoding not in program.closes:
        problem = "the connection ended without an answer"
    elif status.startswith("2") and _is_stranger(case) and not _is_open(program, case):
        problem = f"answered with {status} although no token opens it"
    elif status == "500" and not program.fails:
        problem = f"answered with 500: {answer[:300]!r}"
    else:
        problem = program.examine(case, status, answer)
    try:
        program.check()
    except TimeoutError:
        return f"others were not served in {PATIENCE:g} s after it", True
    except AssertionError as error:
        return f"others were not served after it: {error}", True
    return problem, False


def _is_open(program: Program, case: Case) -> bool:
    return program.opens is None or case.target.split("?")[0] in program.opens


def _is_stranger(case: Case) -> bool:
    return case.token is None or (isinstance(case.token, Token) and not case.token.is_signed)
