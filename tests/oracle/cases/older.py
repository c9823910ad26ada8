"""Cases for older releases: of topics every config that the release or the newest has, with every edge of both."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.oracle.cases.sampling import ENOUGH, Case
from tests.oracle.cases.topic_creations import creation_of
from tests.oracle.cases.values import values
from warden.policy.bundle.catalog import read_catalog

__all__ = ["alterations", "creations", "is_tried"]

_STRANGE = {"my.key": ("1",), "": ("1",)}


_EACH = 3  # of so many cases one is tried on each older broker


def alterations(cases: Sequence[Case]) -> list[Case]:
    """A share of the cases of an operation, of edges always the same."""
    return [*cases[::_EACH], *cases[1::_EACH]][: max(ENOUGH, len(cases) // _EACH)]


def is_tried(case: Case, release: str) -> bool:
    """Whether a case of `configs` is about what releases differ in, and what it has before can be there.

    Groups have configs since 4.0, before which white space in texts of client metrics counted; loggers are those of the
    jars beside the broker's.
    """
    if case.request["resource"]["type"] == "broker-logger":
        return False
    spaced = any(" " in (text or "") for text in _iter_texts(case.request["configs"]))
    return release >= "4" or not (spaced or "group" in case.state.get("resourceConfigs", {}))


def _iter_texts(change: Mapping[str, Any]) -> Iterator[str | None]:
    if change["mode"] == "incremental":
        yield from (op["value"] for op in change["ops"])
    else:
        yield from change.get("entries", change.get("after", {})).values()


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
    newest = read_catalog("topic")["configs"]
    line = read_catalog("older")["lines"][release.rpartition(".")[0]]["topic"]["configs"]
    return {
        **{key: [*dict.fromkeys(_of(key, newest, line))] for key in sorted(newest.keys() | line.keys())},
        **{key: [*texts] for key, texts in _STRANGE.items()},
    }


def _of(key: str, *catalogs: Mapping[str, Any]) -> Iterator[str]:
    for rows in catalogs:
        if key in rows:
            yield from values(rows[key])
