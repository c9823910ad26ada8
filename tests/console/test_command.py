"""`warden console` as a process, without a file that says anything."""

from pathlib import Path

import pytest
import requests

from tests.fixtures.patience import PATIENCE
from tests.fixtures.warden_process import WardenProcess

pytestmark = pytest.mark.opa

_TOPIC = "topic: shop.orders.created\ncluster: prod-eu\nnumPartitions: 3\nreplicationFactor: 3\n"
_SETTINGS = "rules: {KFK-RET-001: {params: {max: 86400000}}}\n"


def test_the_embedded_estate(opa_binary: Path, tmp_path: Path) -> None:
    """Settings are tried on a sample of it, with neither cluster nor snapshot; nothing of it stays."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with WardenProcess("console", tmp_path, {}, "--embedded-estate", TMPDIR=str(temporary)) as console:
        paste = {"text": _TOPIC, "settings": _SETTINGS, "sample": "1"}
        url = f"http://127.0.0.1:{console.begun['port']}/playground?format=json"
        result = requests.post(url, data=paste, timeout=PATIENCE).json()["result"]

    assert ("prod-eu", 200) == (result["impact"]["cluster"], result["impact"]["sample"])
    assert {"KFK-RET-001"} <= {row["rule"] for part in result["impact"]["parts"] for row in part["rules"]}
    assert [] == list(temporary.glob("warden-console-*"))
