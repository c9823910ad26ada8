"""A release page on loopback, and programs that stand in for OPA, Java and Go because faults have to be provoked."""

import hashlib
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fixtures import http

NOWHERE = "http://127.0.0.1:9"  # the discard port: nothing listens


@dataclass
class ReleasePage:
    """Files by path, and the paths that were requested.

    Args:
        url: Its address, for ``WARDEN_RELEASES``.
        files: What it serves, by path with a leading slash.
        paths: Every path requested, in order.
        held_path_requested: Set when a path that `hold` names is requested.
        let_go: Until it is set, answers about a path that `hold` names wait.
        hold: How such paths end.
    """

    url: str
    files: dict[str, bytes] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    held_path_requested: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)
    hold: str | None = None

    def publish(self, path: str, content: bytes, *, sums: str = ".sha256") -> str:
        """Serve a file and, at its path with ``sums`` behind, its SHA-256 sum, which is returned."""
        sha256 = hashlib.sha256(content).hexdigest()
        self.files[path] = content
        self.files[f"{path}{sums}"] = f"{sha256}  {path.rpartition('/')[2]}\n".encode()
        return sha256


@pytest.fixture
def release_page() -> Iterator[ReleasePage]:
    """A release page that serves nothing yet."""
    page: ReleasePage

    class Handler(http.Handler):
        def respond(self) -> None:
            page.paths.append(self.path)
            if page.hold and self.path.endswith(page.hold):
                page.held_path_requested.set()
                page.let_go.wait()
            content = page.files.get(self.path)
            self.answer(404 if content is None else 200, content or b"")

    with http.served(Handler) as url:
        page = ReleasePage(url)
        yield page
        page.let_go.set()


@pytest.fixture
def script(tmp_path: Path) -> Callable[[str, str], Path]:
    """Return a function that writes an executable shell script below ``tmp_path``."""

    def write(name: str, body: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment with an empty PATH, an empty cache, no network and no package index."""
    (tmp_path / "bin").mkdir()
    return {
        "PATH": str(tmp_path / "bin"),
        "WARDEN_CACHE": str(tmp_path / "cache"),
        "WARDEN_RELEASES": NOWHERE,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": "",
        "UV_OFFLINE": "1",
    }
