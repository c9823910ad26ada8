"""The replicator's log: one JSON object a line on stderr, with structured fields."""

import json
import logging
import sys
import threading
from datetime import UTC, datetime
from typing import Any

from warden.contract.timestamps import format_timestamp

__all__ = ["log_to_stderr", "say"]

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


def log_to_stderr() -> None:
    """Send what ``warden.replicate`` logs to stderr. The source that a line is about is the name of its thread."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logger = logging.getLogger("warden.replicate")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False


def say(message: str, **fields: Any) -> None:
    """Log something about the replicator as a whole."""
    logging.getLogger("warden.replicate").info(message, extra=fields)
