"""Labels in a directory of YAML files, such as a checkout of a repository that somebody pulls."""

import re
from collections.abc import Iterator
from fnmatch import translate
from pathlib import Path
from typing import Any

from warden.base.errors import InputError
from warden.base.files.yaml_files import read_yaml

__all__ = ["LabelDirectory"]

_Stamp = tuple[str, int, int]


class LabelDirectory:
    """Reads every ``*.yaml`` and ``*.yml`` under a directory, again whenever one of them changes.

    A file maps topics to labels: ``payments.orders: {owner: payments}``. In a topic ``*`` matches any characters; where
    several patterns tell the same label the longest one wins, and a whole name wins over patterns.

    Args:
        directory: The directory.

    Attributes:
        problem: What is wrong with a file, None where nothing is; then what it said before stays.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._stamps: tuple[_Stamp, ...] | None = None
        self._exact: dict[str, dict[str, str]] = {}
        self._patterns: list[tuple[re.Pattern[str], dict[str, str]]] = []
        self.problem: str | None = None

    def refresh(self) -> bool:
        """Read the files again if one has changed, and return whether labels may be others."""
        stamps = tuple(self._iter_stamps())
        if stamps == self._stamps:
            return False
        self._stamps = stamps
        try:
            self._read([Path(stamp[0]) for stamp in stamps])
        except InputError as error:
            self.problem = str(error)
            return False
        self.problem = None if stamps else f"{self._directory}: there are no YAML files"
        return True

    def get(self, topic: str) -> dict[str, str]:
        """Return the labels of a topic."""
        merged: dict[str, str] = {}
        for pattern, labels in self._patterns:
            if pattern.match(topic):
                merged |= labels
        return merged | self._exact.get(topic, {})

    def close(self) -> None:
        """Nothing is held."""

    def _iter_stamps(self) -> Iterator[_Stamp]:
        for path in sorted(self._directory.rglob("*.y*ml")):
            try:
                stat = path.stat()
            except FileNotFoundError:  # between the listing and now
                continue
            if path.suffix in (".yaml", ".yml"):
                yield str(path), stat.st_mtime_ns, stat.st_size

    def _read(self, paths: list[Path]) -> None:
        exact: dict[str, dict[str, str]] = {}
        patterns: dict[str, dict[str, str]] = {}
        for path in paths:
            for topic, labels in _require_mapping(path, _read_content(path)).items():
                texts = {
                    str(name): str(value) for name, value in _require_mapping(path, labels).items() if value is not None
                }
                (patterns if "*" in str(topic) else exact).setdefault(str(topic), {}).update(texts)
        self._exact = exact
        self._patterns = [
            (_compile_glob(glob), patterns[glob]) for glob in sorted(patterns, key=lambda glob: (len(glob), glob))
        ]


def _compile_glob(glob: str) -> re.Pattern[str]:
    """Only ``*`` is special."""
    return re.compile(translate(glob.replace("[", "[[]").replace("?", "[?]")))


def _read_content(path: Path) -> Any:
    content = read_yaml(path).value
    return {} if content is None else content


def _require_mapping(path: Path, value: Any) -> dict[Any, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{path}: {value!r} is not a mapping: write topics with mappings of labels")
    return value
