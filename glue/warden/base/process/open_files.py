"""The limit of files and connections that this process may have open."""

import sys

__all__ = ["allow_open_files", "has_open_files_left"]

_OTHERS = 256  # files beside connections


def allow_open_files() -> int | None:
    """Raise the limit as far as a process may, and return it; None where there is none to be raised."""
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard or hard == resource.RLIM_INFINITY:
        wanted = max(soft, 1 << 20) if hard == resource.RLIM_INFINITY else hard
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return soft


def has_open_files_left(connections: int) -> bool:
    """Return whether a process may have so many connections, and some other files."""
    if sys.platform == "win32":
        return True
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return soft == resource.RLIM_INFINITY or connections + _OTHERS <= max(soft, 2 * _OTHERS)
