#!/usr/bin/env python3
"""Makes this checkout's virtual environment from requirements.lock: with uv where there is one, else with venv and pip.

Usage: ``python3 .ci/environment.py DIRECTORY``. Does nothing when the environment is already what the lock describes.
It runs before anything is installed, on whatever ``python3`` is: standard library only, in words Python 3.6 knows.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from typing import Iterator, List, Optional

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LOCK = os.path.join(ROOT, "requirements.lock")
MINIMUM = (3, 11)
NEWER = ("python3.14", "python3.13", "python3.12", "python3.11")


def main(directory: str) -> int:
    """Bring the environment up to date and return the exit status.

    Args:
        directory: The environment, by default ``.venv`` in the checkout.
    """
    stamp, wanted = os.path.join(directory, ".warden"), fingerprint(directory)
    if read(stamp) == wanted:
        return 0
    with lock_checkout():
        if read(stamp) == wanted:
            return 0
        if os.path.islink(directory):
            return fail(
                "{} is a link, and another checkout's environment stays: remove the link, then run make again".format(
                    directory
                )
            )
        uv = shutil.which("uv")
        interpreter = find_suitable_python()
        if interpreter is None and uv is None:
            return fail("Python 3.11 or newer is needed and python3 is older: install one, or uv, which brings its own")
        try:
            build(directory, uv, interpreter)
        except subprocess.CalledProcessError as error:
            return fail(
                "the Python environment {} could not be made ({} failed with status {}): see the lines above, then run "
                "make again".format(directory, os.path.basename(error.cmd[0]), error.returncode)
            )
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    return 0


def build(directory: str, uv: Optional[str], interpreter: Optional[str]) -> None:
    """Make the environment where there is none here, and install what the lock names, then this project."""
    python = os.path.join(directory, "bin", "python")
    installer = "uv" if uv else "pip"
    print("warden: installing requirements.lock into {} with {}".format(directory, installer), file=sys.stderr)
    quiet = [] if sys.stderr.isatty() else ["--quiet"]
    fresh = read(os.path.join(directory, ".warden")).split(" ")[0] != place(directory)
    if uv:
        if fresh:
            run([uv, "venv", "--clear", *quiet, "--python", interpreter or ">=3.11", directory])
        install = [uv, "pip", "install", *quiet, "--python", python]
        run([uv, "pip", "sync", *quiet, "--python", python, "--require-hashes", LOCK])
    else:
        if fresh or not os.path.exists(os.path.join(directory, "bin", "pip")):  # uv makes environments without pip
            run([interpreter or sys.executable, "-m", "venv", "--clear", directory])
        install = [python, "-m", "pip", "install", *quiet, "--disable-pip-version-check"]
        # The lock is whole: a pip that resolves it again (23.2, of Python 3.11) takes the newest of what a package
        # wants with an extra, whatever the lock says of it, and refuses it for want of a hash.
        # Nor compiled: of the 11,000 files of sources a run imports a small part.
        run([*install, "--no-deps", "--no-compile", "--require-hashes", "-r", LOCK])
    run([*install, "--no-deps", "--no-build-isolation", "--editable", ROOT])


def run(command: List[str]) -> None:
    """Run a command whose output is for the person who waits."""
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)


def find_suitable_python() -> Optional[str]:
    """Return a Python that is new enough, or None."""
    if sys.version_info >= MINIMUM:
        return sys.executable
    return next((path for path in map(shutil.which, NEWER) if path), None)


def fingerprint(directory: str) -> str:
    """Say where the environment is and what it is made from: another place or another lock is another environment."""
    digest = hashlib.sha256()
    for name in ("requirements.lock", "pyproject.toml"):
        with open(os.path.join(ROOT, name), "rb") as file:
            digest.update(file.read())
    return "{} {}".format(place(directory), digest.hexdigest())


def place(directory: str) -> str:
    """Name the directory for `fingerprint`; an environment holds absolute paths, so a moved one is useless."""
    return hashlib.sha256("{}\0{}".format(ROOT, os.path.abspath(directory)).encode()).hexdigest()


@contextlib.contextmanager
def lock_checkout() -> Iterator[None]:
    """Let one process at a time work on the environments of this checkout."""
    handle = os.open(ROOT, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def read(path: str) -> str:
    """Return a file's text, or nothing when there is none."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def fail(sentence: str) -> int:
    """Say what is wrong and return the exit status of an error."""
    print("warden: {}".format(sentence), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, ".venv")))
