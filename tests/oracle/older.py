"""Cases for topics of older releases: every config that the release or the newest has, with every edge of both."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.oracle.cases import Case
from tests.oracle.topic_creations import creation_of
from tests.oracle.values import values
from warden.policy.bundle.constants import read_catalogue

__all__ = ["creations"]

_STRANGE = {"my.key": ("1",), "": ("1",)}


def creations(release: str) -> list[Case]:
    """Topics with one config each.

    Args:
        release: With its patch.
    """
    return [
        creation_of(f"{key!r} {value!r}", f"older.{i}.{j}", {key: value})
        for i, (key, texts) in enumerate(_texts(release).items())
        for j, value in enumerate(texts)
    ]


def _texts(release: str) -> dict[str, list[str]]:
    """The texts to set each config to, of this release and the newest."""
    newest = read_catalogue("topic")["configs"]
    line = read_catalogue("older")["lines"][release.rpartition(".")[0]]["topic"]["configs"]
    return {
        **{key: [*dict.fromkeys(_of(key, newest, line))] for key in sorted(newest.keys() | line.keys())},
        **{key: [*texts] for key, texts in _STRANGE.items()},
    }


def _of(key: str, *catalogues: Mapping[str, Any]) -> Iterator[str]:
    for rows in catalogues:
        if key in rows:
            yield from values(rows[key])
