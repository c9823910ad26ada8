"""Files of a directory that is maintained by hand or mounted by Kubernetes, without hidden ones."""

from collections.abc import Callable, Iterator
from pathlib import Path

__all__ = ["iter_visible_files"]


def iter_visible_files(directory: Path, is_selected: Callable[[Path], bool]) -> Iterator[Path]:
    """Yield the wanted files; what begins with a dot is left out, as Kubernetes mounts ConfigMaps through ``..data``.

    Args:
        directory: Where to look, and below.
        is_selected: Whether a file is one of those that are looked for.

    Raises:
        OSError: A directory cannot be read.
    """
    for path in directory.iterdir():
        if path.name.startswith("."):
            continue
        if path.is_dir():
            yield from iter_visible_files(path, is_selected)
        elif is_selected(path):
            yield path
