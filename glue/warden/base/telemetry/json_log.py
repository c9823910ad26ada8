"""Logs of programs that run on: one JSON object a line on stderr, with what it is about in fields of their own.

Secrets are masked by the policy's own table, as in OPA's decision log.
"""

import json
import logging
import sys
import threading
from datetime import UTC, datetime
from typing import Any

from warden.base.files.redact import STARS, is_secret_name, redact, redact_line
from warden.base.telemetry.traces import find_trace_id
from warden.base.timestamps import format_timestamp

__all__ = ["log_json_lines"]

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": format_timestamp(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "source": record.threadName if record.threadName != threading.main_thread().name else None,
            "message": redact_line(record.getMessage()),
            "traceId": find_trace_id(),
            **{name: _redact_field(name, value) for name, value in vars(record).items() if name not in _USUAL},
        }
        if record.exc_info:
            line["trace"] = redact_line(self.formatException(record.exc_info))
        return json.dumps({name: value for name, value in line.items() if value is not None}, default=str)


def _redact_field(name: str, value: Any) -> Any:
    """A field without secrets; a text is cut where one begins, as it is there to be read."""
    if isinstance(value, str):
        return STARS if is_secret_name(name) else redact_line(value)
    return redact({name: json.loads(json.dumps(value, default=str))})[name]


def log_json_lines(name: str) -> None:
    """Send what a logger and those below it log to stderr, and what else warns or ends a thread.

    A ``source`` is the name of a thread beside the first. kafka-python's warnings are left out: they say again, at each
    attempt, what the error of a source says.

    Args:
        name: The logger, whose lines are shown from INFO on.
    """
    logger, root = logging.getLogger(name), logging.getLogger()
    handlers = [logging.StreamHandler(sys.stderr), logging.StreamHandler(sys.stderr)]
    for owner, handler in zip((logger, root), handlers, strict=True):
        handler.setFormatter(_JsonLines())
        owner.addHandler(handler)
    handlers[1].setLevel(logging.WARNING)
    handlers[1].addFilter(lambda record: record.name.partition(".")[0] != "kafka")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    threading.excepthook = lambda ended: logger.critical(
        "a thread has ended", exc_info=(ended.exc_type, ended.exc_value or ended.exc_type(), ended.exc_traceback)
    )
