"""Labels in a directory of YAML files, such as a checkout of a repository that somebody pulls."""

import re
from fnmatch import translate
from pathlib import Path
from typing import Any

from warden.base.errors import InputError
from warden.base.files.visible_files import iter_visible_files
from warden.base.files.yaml_files import read_yaml
from warden.state.sources.files.documents import Files, read_stamps

__all__ = ["LabelDirectory"]

_SUFFIXES = (".yaml", ".yml")


class LabelDirectory:
    """Reads every ``*.yaml`` and ``*.yml`` under a directory, again whenever one of them changes.

    What begins with a dot is left out, such as ``.github`` of a checkout and the ``..data`` of a mounted ConfigMap.

    A file maps topics to labels: ``payments.orders: {owner: payments}``. In a topic ``*`` matches any characters; where
    several patterns tell the same label the longest one wins, and a whole name wins over patterns.

    Args:
        directory: The directory.

    Attributes:
        problem: What is wrong with a file or the directory, None where nothing is; then what they said before stays.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._taken: Files | None = None  # the files as they were read
        self._exact: dict[str, dict[str, str]] = {}
        self._patterns: list[tuple[re.Pattern[str], dict[str, str]]] = []
        self.problem: str | None = None

    def refresh(self) -> bool:
        """Read the files again if one has changed, and return whether labels may be others."""
        try:
            files = read_stamps(sorted(iter_visible_files(self._directory, lambda path: path.suffix in _SUFFIXES)))
            if files == self._taken:
                return False
            self._read(list(files))
        except InputError as error:
            return self._report(str(error))
        except OSError as error:
            return self._report(f"{error.filename}: cannot be read ({error.strerror}): correct the path")
        self._taken, self.problem = files, None if files else f"{self._directory}: there are no YAML files"
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

    def _report(self, problem: str) -> bool:
        """Say what is wrong; all is read again at the next look, as a right that is given changes no time of a file."""
        self._taken, self.problem = None, problem
        return False

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
