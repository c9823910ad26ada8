"""The `__main__` of the one file: unpack it once for each user, then run Warden's command.

Imports none of Warden's modules, which are not there yet. Its directory has the content's hash in its name, so that
each release has its own; where none can be written, it is a temporary one that is removed when the command ends.
Once it is unpacked little is loaded here: each command waits for it.
"""

import atexit
import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

_PARTS: dict[str, str] = {}  # name → SHA-256, filled in when the file is made
_FOR_ALL = ("any", "opa")  # the other parts have the name of a Python


def main() -> None:
    """Run ``warden``.

    Reads ``WARDEN_CACHE`` and ``XDG_CACHE_HOME`` as Warden does, and ``WARDEN_OPA``, which goes before the OPA inside.
    """
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    if python not in _PARTS:
        supported = ", ".join(f"3.{name[3:]}" for name in _PARTS if name not in _FOR_ALL)
        sys.exit(f"warden: this file runs with Python {supported}, and this is {sys.version.split()[0]}")
    unpacked = _unpack(python)
    sys.path[0:1] = [str(unpacked / python), str(unpacked / "any")]
    inherited = filter(None, [os.environ.get("PYTHONPATH")])
    os.environ["PYTHONPATH"] = os.pathsep.join([*sys.path[:2], *inherited])  # for what commands start in turn
    os.environ.setdefault("WARDEN_OPA", str(unpacked / "opa" / "opa"))

    from warden.commands import main as command

    try:
        sys.exit(command())
    except SystemExit as ended:
        _end(ended.code)


def _end(status: str | int | None) -> NoReturn:
    """End as `sys.exit` does, without taking the interpreter apart: that is a twentieth of a command's time."""
    if not isinstance(status, int):
        sys.exit(status)
    atexit._run_exitfuncs()  # noqa: SLF001 - there is no other way to it
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    os._exit(status)


def _unpack(python: str) -> Path:
    hashes = "".join(_PARTS[name][:8] for name in (*_FOR_ALL, python))
    target = _find_cache() / f"one-file-{hashes}-{python}"
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not target.exists():
            _place(python, target)
        if not _is_own(target):
            raise PermissionError(target)
    except OSError:
        import shutil
        import tempfile

        temporary = Path(tempfile.mkdtemp(prefix="warden-"))
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        os.environ["WARDEN_CACHE"] = str(temporary / "cache")
        target = temporary / "content"
        _extract(target, python)
    return target


def _place(python: str, target: Path) -> None:
    """Put it there whole or not at all; where another process is quicker, take that."""
    import errno
    import shutil
    import tempfile

    scratch = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        _extract(scratch / "content", python)
        (scratch / "content").rename(target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _find_cache() -> Path:
    if cache := os.environ.get("WARDEN_CACHE"):
        return Path(cache).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()).absolute() / "warden"


def _is_own(path: Path) -> bool:
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _extract(target: Path, python: str) -> None:
    """Unpack the parts that this Python needs, each an archive with the SHA-256 that is expected of it."""
    import hashlib
    from concurrent.futures import ThreadPoolExecutor
    from zipfile import ZipFile

    names = (*_FOR_ALL, python)
    with ZipFile(sys.argv[0]) as archive:
        parts = [archive.read(name) for name in names]
    for name, part in zip(names, parts, strict=True):
        if hashlib.sha256(part).hexdigest() != _PARTS[name]:
            sys.exit(f"warden: {sys.argv[0]} is damaged ({name}): take it anew")
    target.mkdir(mode=0o700)
    with ThreadPoolExecutor(len(names)) as threads:  # OPA is half of it
        list(threads.map(_extract_part, parts, [target / name for name in names]))


def _extract_part(part: bytes, target: Path) -> None:
    from io import BytesIO
    from zipfile import ZipFile

    with ZipFile(BytesIO(part)) as archive:
        for entry in archive.infolist():
            path = Path(archive.extract(entry, target))
            path.chmod((entry.external_attr >> 16) & 0o755)


if __name__ == "__main__":
    main()
