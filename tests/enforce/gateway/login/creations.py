"""Logins over a connection, and topics that are created over it, by which a test sees what its login is good for."""

from contextlib import suppress

from tests.enforce.gateway.frames import create_topics
from tests.enforce.gateway.test_faults import errors_of, receive

__all__ = ["GOOD", "created", "exchange"]

GOOD = (0, 36)
"""Codes of a creation that the broker has decided: done, and there already."""


def exchange(connected, steps):
    """Do the steps of a login, and return what they return, such as for how many seconds it is good."""
    _, raw = next(steps)
    while True:
        connected.sendall(raw)
        try:
            _, raw = steps.send(receive(connected))
        except StopIteration as done:
            return done.value


def created(connected, topic):
    """The error code of a creation; None where the connection has ended."""
    with suppress(ConnectionError):
        connected.sendall(create_topics(topic))
        if answer := receive(connected):
            return errors_of(answer)[0][0]
    return None
