"""The replicator's configuration: one YAML file, every mistake told with its place and what to write instead."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from warden.errors import ConfigurationError
from warden.opa.client import OpaClient, Retries, Timeout
from warden.replicate.entry import Entry, Problems
from warden.replicate.guard import Guard
from warden.replicate.secret import Secret
from warden.replicate.source import Source
from warden.replicate.sources import KINDS
from warden.yaml_files import read_yaml

__all__ = ["Config", "OpaSettings", "Replicated", "read_config"]


@dataclass(frozen=True)
class OpaSettings:
    """How OPA is reached.

    Args:
        url: Its address.
        token: The replicator's token; None where OPA asks for none.
        ca_file: PEM file of certificates to trust; None for the system's.
        timeout: Seconds that one write may take.
    """

    url: str = "http://127.0.0.1:8181"
    token: Secret | None = None
    ca_file: Path | None = None
    timeout: float = 60.0

    def client(self) -> OpaClient:
        """Return a new client that asks once only: when to ask again is the replicator's to say."""
        limit = Timeout(connect=2.0, read=self.timeout, total=self.timeout)
        token = self.token.read() if self.token else None
        return OpaClient(self.url, token=token, timeout=limit, retries=Retries(1), ca_file=self.ca_file)


@dataclass(frozen=True)
class Replicated:
    """One source, and how it is replicated.

    Args:
        source: What is copied.
        guard: Which losses are held back.
        compare: Seconds between two comparisons of OPA's copy with the source; 0 for never.
        max_age: Seconds after which an unseen source makes the replicator not ready.
        lease: Seconds without a sign of life after which another replicator's copy is taken over.
        every: Seconds between two signs of life in OPA (meta.observedAt), at the least.
    """

    source: Source
    guard: Guard = Guard()  # noqa: RUF009 - a frozen value
    compare: float = 300.0
    max_age: float = 30.0
    lease: float = 15.0
    every: float = 1.0


@dataclass(frozen=True)
class Config:
    """A whole configuration file."""

    opa: OpaSettings
    replicated: tuple[Replicated, ...]


def read_config(
    path: Path, kinds: Mapping[str, Callable[[], Callable[[Entry, OpaSettings], Source]]] = KINDS
) -> Config:
    """Read a configuration file.

    Args:
        path: The file.
        kinds: For each list in the file (``clusters``, ``kubernetes``, …) what finds the function that makes a source
            of one of its entries. It asks the entry for the keys it knows; those of `Replicated` are asked for here.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    document = read_yaml(path, ConfigurationError, "YAML file with what to replicate")
    problems = Problems(path, document.node)
    whole = Entry(document.value, (), problems)
    opa = _opa(whole.inner("opa"))
    found = [_replicated(entry, make(), opa) for kind, make in kinds.items() for entry in whole.entries(kind)]
    whole.raw("owners")  # the default of every cluster, which asks for it where it names none
    whole.close()
    if not found and not problems:
        problems.add((), f"nothing to replicate: write {' or '.join(f'{kind}:' for kind in kinds)}")
    for (place, one), (_, other) in combinations(found, 2):
        _apart(problems, place, one.source, other.source)
    if problems:
        raise ConfigurationError(str(problems))
    return Config(opa, tuple(replicated for _, replicated in found))


def _opa(entry: Entry | None) -> OpaSettings:
    if entry is None:
        return OpaSettings()
    settings = OpaSettings(
        url=entry.text("url", default=OpaSettings.url, like=r"https?://[^/@\s]+/?", example=OpaSettings.url),
        token=entry.secret("token"),
        ca_file=entry.path("caFile"),
        timeout=entry.number("timeout", default=OpaSettings.timeout, least=0.1),
    )
    entry.close()
    return settings


def _replicated(
    entry: Entry, make: Callable[[Entry, OpaSettings], Source], opa: OpaSettings
) -> tuple[tuple[str, ...], Replicated]:
    """One entry of one list; keys that all kinds share are read here."""
    interval = entry.number("interval", default=1.0, least=0.1)
    source = make(entry, opa)
    replicated = Replicated(
        source=source,
        guard=Guard.read(entry.inner("guard")),
        compare=entry.number("compare", default=Replicated.compare),
        max_age=entry.number("maxAge", default=max(Replicated.max_age, 5 * interval), least=interval),
        lease=entry.number("lease", default=max(Replicated.lease, 5 * interval), least=2 * interval),
        every=interval,
    )
    entry.close()
    return entry.place, replicated


def _apart(problems: Problems, place: tuple[str, ...], one: Source, other: Source) -> None:
    shorter, longer = sorted((one.root, other.root), key=len)
    if longer[: len(shorter)] == shorter:
        problems.add(
            place,
            f"{one.kind} {one.name} and {other.kind} {other.name} both own data.{'.'.join(shorter)}: give each its own",
        )
