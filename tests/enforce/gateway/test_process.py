"""The command as a process: it listens, says so, answers its probes, and ends at SIGTERM."""

import json
import signal
import subprocess
import sys
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from tests.docs.console import File, iter_page
from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import find_free_port
from warden.enforce.gateway.config import read_config

CONFIG = """\
opa: {{url: "http://127.0.0.1:{opa}"}}
clusters:
  - name: nowhere
    advertisedHost: 127.0.0.1
    bind: 127.0.0.1
    authentication: none
    brokers: [{{id: 1, address: "127.0.0.1:1", port: {port}}}]
"""


@pytest.mark.process
def test_the_command_runs_until_sigterm(tmp_path):
    """JSON lines on stderr; ready only while OPA decides; SIGTERM ends it with status 0."""
    path = tmp_path / "gateway.yaml"
    path.write_text(CONFIG.format(opa=find_free_port(), port=find_free_port()))
    command = [sys.executable, "-m", "warden", "gateway", "--config", str(path), "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr is not None
            line = json.loads(process.stderr.readline())
            assert "listening" == line["message"]
            with urlopen(f"http://{line['probes']}/healthz") as answer:
                assert {"alive": True} == json.load(answer)
            with pytest.raises(HTTPError, match="503"):
                urlopen(f"http://{line['probes']}/readyz")
            process.send_signal(signal.SIGTERM)
            assert "stopping" == json.loads(process.stderr.readline())["message"]
            assert 0 == process.wait(PATIENCE)
        finally:
            process.kill()


def test_the_configuration_of_the_page_is_one(tmp_path):
    """What docs/operate/gateway.md has its reader write can be read."""
    page = iter_page((CHECKOUT / "docs" / "operate" / "gateway.md").read_text(encoding="utf-8"))
    (file,) = (one for one in page if isinstance(one, File))
    (tmp_path / file.name).write_text(file.text, encoding="utf-8")

    assert ["prod-eu"] == [cluster.name for cluster in read_config(tmp_path / file.name).clusters]
