"""A headless Chromium, spoken to over a pipe in Chrome's own DevTools protocol: no port, no driver, no library.

Where there is none on PATH the distribution's package is installed if nobody has to be asked; see `find_chromium`.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

__all__ = ["Browser", "Page", "find_chromium"]

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync", "--remote-debugging-pipe"),
)

_PATIENCE_SECONDS = 120
# Chromium reads from descriptor 3 and writes to 4.
_EXECUTE = """
import fcntl, os, sys
reading, writing = (fcntl.fcntl(int(fd), fcntl.F_DUPFD, 10) for fd in sys.argv[1:3])
os.dup2(reading, 3)
os.dup2(writing, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


@cache
def find_chromium() -> Path | str:
    """Return the program, or why there is none."""
    if found := _on_path():
        return found
    apt = shutil.which("apt-get")
    if apt is None or os.geteuid() != 0:
        return "no Chromium is on PATH, and only root can install the distribution's package"
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    options = ("-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::http::Timeout=20", "-q", "-y")
    for step in (["update"], ["install", "--no-install-recommends", "chromium"]):
        done = subprocess.run([apt, *options, *step], env=environ, capture_output=True, text=True, check=False)
        if done.returncode != 0 and step[0] == "install":
            return f"no Chromium is on PATH, and apt-get cannot install it: {done.stderr.strip()[-200:]}"
    return _on_path() or "apt-get installed no Chromium"


def _on_path() -> Path | None:
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    return Path(found) if found else None


class Browser:
    """A Chromium for as long as the block lasts."""

    def __init__(self, program: Path) -> None:
        self._directory = Path(tempfile.mkdtemp(prefix="warden-chromium-"))
        commands, self._out = os.pipe()
        self._in, answers = os.pipe()
        flags = [*_FLAGS, f"--user-data-dir={self._directory}"]
        with (self._directory / "log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _EXECUTE, str(commands), str(answers), str(program), *flags],
                pass_fds=(commands, answers), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        os.close(commands)
        os.close(answers)
        self._held = b""
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._out)  # Chromium ends when nobody speaks to it any more
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._in)
        shutil.rmtree(self._directory, ignore_errors=True)

    def ask(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Call a method and return its result; what happens meanwhile is kept in `events`."""
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._held:
            assert select.select([self._in], [], [], _PATIENCE_SECONDS)[0], "Chromium does not answer"
            read = os.read(self._in, 1 << 20)
            if not read:
                log = (self._directory / "log").read_text(errors="replace")
                raise AssertionError(f"Chromium has ended: {log[-500:]}")
            self._held += read
        line, _, self._held = self._held.partition(b"\0")
        answer: dict[str, Any] = json.loads(line)
        return answer


class Page:
    """One page in a tab of its own, 1440 by 900 and light unless said otherwise."""

    def __init__(self, browser: Browser, file: Path, hash: str = "", *, width: int = 1440, dark: bool = False) -> None:
        self._browser = browser
        browser.events.clear()
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        self.media(dark=dark)
        self.ask("Page.navigate", url=f"{file.as_uri()}{hash}")
        drawn = "(!document.getElementById('data') || document.documentElement.dataset.ready === '1')"
        self.wait(f"location.protocol === 'file:' && document.readyState === 'complete' && {drawn}")

    def wait(self, condition: str) -> None:
        """Return when a condition holds; a minute is more than any of them takes."""
        script = "new Promise((done, fail) => { const look = until => CONDITION ? done() : until < Date.now() ? "
        script += "fail('waited for ' + WORDS) : setTimeout(look, 10, until); look(Date.now() + 60000); })"
        self.run(script.replace("CONDITION", f"({condition})").replace("WORDS", json.dumps(condition)))

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method on this page."""
        return self._browser.ask(method, self._session, **parameters)

    def media(self, *, dark: bool = False, kind: str = "screen") -> None:
        """Say how the page is to be shown."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", media=kind, features=[scheme])

    def run(self, script: str) -> Any:
        """Return the value of an expression, awaited where it is a promise."""
        answer = self.ask("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer and "navigated" in str(answer["exceptionDetails"]):
            return self.run(script)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and release a key, as a person does."""
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        known = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": codes[key]}
        text = {"text": {"Enter": "\r"}.get(key, key)} if key != "Tab" else {}
        modifiers = 8 if shift else 0
        self.ask("Input.dispatchKeyEvent", type="keyDown", modifiers=modifiers, **known, **text)
        self.ask("Input.dispatchKeyEvent", type="keyUp", modifiers=modifiers, **known)

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.ask("Input.insertText", text=text)

    def picture(self) -> bytes:
        """Return the whole page as PNG."""
        data = self.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        return base64.b64decode(data)

    def requested(self) -> list[str]:
        """Return every address that the page asked for."""
        events = [event for event in self._browser.events if event.get("sessionId") == self._session]
        return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]

    def complaints(self) -> list[Any]:
        """Return what the console has to say: messages, exceptions, refusals of the content security policy."""
        wanted = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")
        events = [event for event in self._browser.events if event.get("sessionId") == self._session]
        return [event["params"] for event in events if event["method"] in wanted]

    def close(self) -> None:
        """Close the tab."""
        self.ask("Page.close")
