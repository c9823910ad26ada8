"""Who may look at the console, and what anybody else gets."""

import base64
from pathlib import Path

import pytest

from tests.console.running import RunningConsole, write_config
from warden.base.errors import ConfigurationError
from warden.console.gate import Gate, Viewer

_NOWHERE = "/nowhere"


def test_without_callers_it_is_for_this_machine(tmp_path: Path) -> None:
    """Nobody has to log in on loopback; a name of elsewhere that leads here is refused."""
    with RunningConsole(write_config(tmp_path)) as console:
        assert console.get(_NOWHERE).status_code == 404
        assert console.get(_NOWHERE, Host="rebound.example").status_code == 401
        assert console.get("/healthz").json() == {"alive": True}


def test_it_listens_nowhere_else_without_callers(tmp_path: Path) -> None:
    """An address that others reach needs callers."""
    with pytest.raises(ConfigurationError, match=r"anybody who reaches 0\.0\.0\.0 could look"):
        Gate(write_config(tmp_path), "0.0.0.0")


def test_a_token_opens_it_in_both_schemes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program sends a bearer token; a browser asks for it as a password."""
    monkeypatch.setenv("LOOKER", "open-sesame")
    callers = [{"principal": "User:alice", "token": {"env": "LOOKER"}, "owners": ["payments"]}]
    with RunningConsole(write_config(tmp_path, callers=callers)) as console:
        basic = base64.b64encode(b"whoever:open-sesame").decode()
        refused = console.get(_NOWHERE)

        assert (refused.status_code, refused.headers["WWW-Authenticate"][:5]) == (401, "Basic")
        assert console.get(_NOWHERE, "wrong").status_code == 401
        assert console.get(_NOWHERE, Authorization="Basic %%%").status_code == 401
        assert console.get(_NOWHERE, "open-sesame").status_code == 404
        assert console.get(_NOWHERE, Authorization=f"Basic {basic}").status_code == 404
        assert console.get("/static/console.css").status_code == 200


def test_what_a_viewer_may_see() -> None:
    """Both the cluster and the owner have to be theirs; what has no owner is nobody's."""
    viewer = Viewer("User:alice", frozenset({"prod"}), frozenset({"payments"}))

    assert viewer.may_see("prod", "payments")
    assert not viewer.may_see("dev", "payments")
    assert not viewer.may_see("prod", None)
    assert Viewer().may_see(None, None)


def test_pages_run_nothing_of_elsewhere(tmp_path: Path) -> None:
    """Each answer has the policy that forbids it, and none is kept by others."""
    with RunningConsole(write_config(tmp_path)) as console:
        answer = console.get(_NOWHERE)

    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
