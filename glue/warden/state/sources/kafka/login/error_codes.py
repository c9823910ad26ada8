"""Answers of a cluster that are no data: error codes, and what they say."""

import re

from warden.base.errors import KafkaError

__all__ = ["DENIED_CODES", "NO_AUTHORIZER", "NotDisclosed", "format_reason"]

NO_AUTHORIZER = 54
"""Error code where a cluster has no ACLs because nobody would look at them: SECURITY_DISABLED."""
DENIED_CODES = frozenset({29, 30, 31, 53, 65})
"""Error codes of Kafka's protocol that name a right: of topics, groups, the cluster, transactions and tokens."""


class NotDisclosed(KafkaError):
    """Raised when the cluster answers that it cannot or will not tell: the API is unknown to it, or access is denied.

    The text is the reason. A reader of the cluster turns it into a note; it leaves ``warden.state.sources.kafka`` by
    `Connection` alone.

    Args:
        text: The reason.
        code: Kafka's error code; None where the broker does not know the API.

    Attributes:
        denied: Whether the principal lacks a right; else nobody could know.
    """

    def __init__(self, text: str, code: int | None = None) -> None:
        super().__init__(text, code=code)
        self.denied = code in DENIED_CODES


def format_reason(code: int, message: str | None = None) -> str:
    """Return an error code of Kafka's protocol in words, such as ``TOPIC_AUTHORIZATION_FAILED: …``."""
    from kafka.errors import for_code

    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", for_code(code).__name__.removesuffix("Error")).upper()
    if not message or message == "None":
        return name
    # Kafka prints its whole internal request in front of what the principal lacks.
    text = re.sub(r"^Request Request.* (needs [A-Z_]+ permission)", r"the principal \1", message)
    return f"{name}: {text.rstrip('.')}"
