"""The replicator's log."""

import logging
from typing import Any

from warden.process.json_log import log_json_lines

__all__ = ["log_to_stderr", "say"]


def log_to_stderr() -> None:
    """Send what ``warden.replicate`` logs to stderr. The source that a line is about is the name of its thread."""
    log_json_lines("warden.replicate")


def say(message: str, **fields: Any) -> None:
    """Log something about the replicator as a whole."""
    logging.getLogger("warden.replicate").info(message, extra=fields)
