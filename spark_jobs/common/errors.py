"""Errors of Spark jobs as one sentence: what a task raised, without the layers of text that Spark puts around it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from warden.base import errors
from warden.base.errors import InputError, ScanError, WardenError

__all__ = ["extract_first_line", "find_cause", "translate_errors"]

_RAISED = re.compile(r"^\s*warden\.base\.errors\.(\w+): (.+)$", re.MULTILINE)
_BY_QUERY = re.compile(r"\[USER_RAISED_EXCEPTION\] (.+?) SQLSTATE: P0001")  # by ``raise_error``
_CAUSE = re.compile(r"^\s*(?:Caused by: )?[\w.$]*?(\w*(?:Exception|Error)): (.+)$", re.MULTILINE)


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn a failure of a Spark job into the Warden error that a task raised, or into a `ScanError` with its cause.

    What a query itself raises about a row (``raise_error`` of Spark's functions) is an `InputError`.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise _translate(str(error)) from error


def extract_first_line(error: Exception) -> str:
    """Return what an error says, without the traces below it."""
    return str(error).strip().partition("\n")[0]


def find_cause(text: str) -> str:
    """Return the innermost exception of a trace, its kind and what it says; the first line of what is no trace."""
    causes = _CAUSE.findall(text)
    return ": ".join(causes[-1]) if causes else text.strip().partition("\n")[0]


def _translate(text: str) -> WardenError:
    if raised := _RAISED.findall(text):
        name, sentence = raised[-1]
        kind = getattr(errors, name, ScanError)
        return kind(sentence) if isinstance(kind, type) and issubclass(kind, WardenError) else ScanError(sentence)
    if refused := _BY_QUERY.search(text):
        return InputError(refused[1])
    return ScanError(f"the Spark job failed: {find_cause(text)}")
