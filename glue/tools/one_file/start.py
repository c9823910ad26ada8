"""The `__main__` of the one file: unpack it once for each user, then run Warden's command.

Imports none of Warden's modules, which are not there yet. Its directory has the content's hash in its name, so that
each release has its own; where none can be written, it is a temporary one that is removed when the command ends.
"""

import atexit
import errno
import os
import shutil
import stat
import sys
import tempfile
import zipfile
from pathlib import Path


def main() -> None:
    """Run ``warden``.

    Reads ``WARDEN_CACHE`` and ``XDG_CACHE_HOME`` as Warden does, and ``WARDEN_OPA``, which goes before the OPA inside.
    """
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    with zipfile.ZipFile(sys.argv[0]) as archive:
        if f"{python}/" not in archive.namelist():
            pythons = (name for name in archive.namelist() if name.startswith("cp3") and name.count("/") == 1)
            supported = ", ".join(f"3.{name[3:-1]}" for name in pythons if name.endswith("/"))
            sys.exit(f"warden: this file runs with Python {supported}, and this is {sys.version.split()[0]}")
        unpacked = _unpack(archive, python)
    sys.path[0:1] = [str(unpacked / python), str(unpacked / "any")]
    inherited = filter(None, [os.environ.get("PYTHONPATH")])
    os.environ["PYTHONPATH"] = os.pathsep.join([*sys.path[:2], *inherited])  # for what commands start in turn
    os.environ.setdefault("WARDEN_OPA", str(unpacked / "opa"))

    from warden.commands import main as command

    sys.exit(command())


def _unpack(archive: zipfile.ZipFile, python: str) -> Path:
    target = _cache() / f"one-file-{archive.comment.decode()}-{python}"
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not target.exists():
            _place(archive, python, target)
        if not _is_own(target):
            raise PermissionError(target)
    except OSError:
        temporary = Path(tempfile.mkdtemp(prefix="warden-"))
        atexit.register(shutil.rmtree, temporary, ignore_errors=True)
        os.environ["WARDEN_CACHE"] = str(temporary / "cache")
        target = temporary / "content"
        _extract(archive, target, python)
    return target


def _place(archive: zipfile.ZipFile, python: str, target: Path) -> None:
    """Put it there whole or not at all; where another process is quicker, take that."""
    part = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
    try:
        _extract(archive, part / "content", python)
        (part / "content").rename(target)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _cache() -> Path:
    if given := os.environ.get("WARDEN_CACHE"):
        return Path(given).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path("~/.cache").expanduser()).absolute() / "warden"


def _is_own(path: Path) -> bool:
    status = path.stat()
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _extract(archive: zipfile.ZipFile, target: Path, python: str) -> None:
    target.mkdir(mode=0o700)
    for entry in archive.infolist():
        if entry.filename.split("/")[0] in ("any", "opa", python):
            path = Path(archive.extract(entry, target))
            if not entry.is_dir():
                path.chmod((entry.external_attr >> 16) & 0o755)


if __name__ == "__main__":
    main()
