"""Ten thousand clients of the remediator's probes that never finish: probes are answered among them."""

import resource
import socket
from contextlib import ExitStack, closing

import pytest
import requests

from tests.fixtures.conditions import eventually
from tests.fixtures.patience import PATIENCE
from tests.fuzz.probes import run_probes_program
from tests.soak.figures import sample
from warden.base.process.open_files import allow_open_files

pytestmark = [pytest.mark.oracle, pytest.mark.process]

_SENT = (b"", b"GET /healthz HT", b"GET /readyz HTTP/1.1\r\nHost: a\r\nX: ")
_CLIENTS = 10_000
_MOST = 100  # connections that are kept
_MEMORY = 100.0  # MiB more


@pytest.mark.parametrize("command", ["remediate", "replicate"])
def test_ten_thousand_that_never_finish(tmp_path, command):
    """Threads, files and memory stay within those of a hundred, and all is given back."""
    allow_open_files()
    clients = min(_CLIENTS, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 500)
    with run_probes_program(command, tmp_path) as program, ExitStack() as opened:
        port, before = int(program.url.rpartition(":")[2]), sample(program.pid())
        for number in range(clients):
            client = opened.enter_context(closing(socket.create_connection(("127.0.0.1", port), PATIENCE)))
            client.sendall(_SENT[number % len(_SENT)])
            if number % 1000 == 0:
                assert requests.get(f"{program.url}/healthz", timeout=PATIENCE).ok
        eventually(lambda: sample(program.pid()).threads <= before.threads + _MOST, "the oldest have ended")
        during = sample(program.pid())
        assert requests.get(f"{program.url}/healthz", timeout=PATIENCE).ok
        opened.close()
        print(f"{clients} connections: {before}; then {during}")
        assert during.memory < before.memory + _MEMORY
        eventually(lambda: sample(program.pid()).descriptors <= before.descriptors + 5, "all files are given back")
