"""Logs of programs that run on: one JSON object a line on stderr, with what it is about in fields of their own."""

import json
import logging
import sys
import threading
from datetime import UTC, datetime
from typing import Any

from warden.contract.timestamps import format_timestamp

__all__ = ["log_json_lines"]

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": format_timestamp(datetime.fromtimestamp(record.created, UTC)),
            "level": record.levelname.lower(),
            "source": record.threadName if record.threadName != threading.main_thread().name else None,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _USUAL},
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps({name: value for name, value in line.items() if value is not None}, default=str)


def log_json_lines(name: str) -> None:
    """Send what a logger and those below it log to stderr. A ``source`` is the name of a thread beside the first."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logger = logging.getLogger(name)
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
