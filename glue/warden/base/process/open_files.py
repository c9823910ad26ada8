"""How many files and connections this process may have open."""

import sys

__all__ = ["allow_open_files"]


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
