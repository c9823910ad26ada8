"""Ports that are chosen: free, and nobody else's until whoever they are for listens."""

import subprocess
import sys

from warden.base.process.ports import free_ports, listens

_OTHER = """
from warden.base.process import ports
taken = set(map(int, input().split()))
ports._BELOW_CONNECTIONS = sorted(taken) + [0]
import socket
free = socket.create_server(("127.0.0.1", 0))
ports._BELOW_CONNECTIONS[-1] = free.getsockname()[1]
free.close()
print(ports.free_port() in taken)
"""


def test_no_two_are_the_same_and_nobody_listens_there():
    """However many are chosen at once."""
    ports = free_ports(100)
    assert 100 == len(set(ports))
    assert not any(map(listens, ports))


def test_what_one_process_has_chosen_is_no_others():
    """Until it ends: of sixty chosen ports and one other, another process takes the other."""
    ports = " ".join(map(str, free_ports(60)))
    done = subprocess.run([sys.executable, "-c", _OTHER], input=ports, capture_output=True, text=True, check=True)
    assert "False\n" == done.stdout
