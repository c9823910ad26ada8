"""Topics that are created over a connection, by which a test sees what its login is still good for."""

from contextlib import suppress

from tests.enforce.gateway.frames import create_topics
from tests.enforce.gateway.test_faults import errors_of, receive

__all__ = ["GOOD", "created"]

GOOD = (0, 36)
"""Codes of a creation that the broker has decided: done, and there already."""


def created(connected, topic):
    """The error code of a creation; None where the connection has ended."""
    with suppress(ConnectionError):
        connected.sendall(create_topics(topic))
        if answer := receive(connected):
            return errors_of(answer)[0][0]
    return None
