"""Ports that are chosen: free, and nobody else's until whoever they are for listens."""

import subprocess
import sys

import pytest

from warden.base.http.ports import is_listening, list_free_ports

_OTHER = """
import socket
from warden.base.http import ports
taken = [int(port) for port in input().split()]
with socket.create_server(("127.0.0.1", 0)) as free:
    other = free.getsockname()[1]
ports._BELOW_CONNECTIONS = [*taken, other]
print(ports.find_free_port() == other)
"""


def test_no_two_are_the_same_and_nobody_listens_there():
    """However many are chosen at once."""
    ports = list_free_ports(100)
    assert 100 == len(set(ports))
    assert not any(map(is_listening, ports))


@pytest.mark.process
def test_what_one_process_has_chosen_is_no_others():
    """Until it ends: of sixty chosen ports and one other, another process takes the other."""
    ports = " ".join(map(str, list_free_ports(60)))
    done = subprocess.run([sys.executable, "-c", _OTHER], input=ports, capture_output=True, text=True, check=True)
    assert "True\n" == done.stdout
