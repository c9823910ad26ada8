"""All replications of one process: two threads for each source, started together and stopped together."""

import os
import secrets
import socket
import threading
from collections.abc import Collection, Sequence

from warden.errors import ConfigurationError
from warden.opa.client import OpaClient
from warden.opa.settings import OpaSettings
from warden.replicate.config import Config, Replicated
from warden.replicate.delivery import Delivery
from warden.replicate.policies.compiler import Compiler
from warden.replicate.policies.entry import PoliciesEntry
from warden.replicate.policies.keeper import PolicyKeeper
from warden.replicate.policies.site import Site
from warden.replicate.reader import Reader
from warden.replicate.revision_watch import RevisionWatch
from warden.replicate.state_filter import required_parts
from warden.replicate.status import Status
from warden.replicate.target import Target
from warden.replicate.writer import Writer
from warden.toolchain.opa import find_opa

__all__ = ["Replicator", "check_names"]

_PATIENCE = 10.0  # seconds that threads may take to end


class Replicator:
    """Replicates what a configuration names.

    Args:
        config: The configuration.
        trim: Whether of clusters only what OPA's rules read is kept.
        accept_loss: Names of the sources whose first loss is believed, however large.

    Raises:
        ConfigurationError: ``accept_loss`` names a source that is not configured, or the token cannot be read.
    """

    def __init__(self, config: Config, *, trim: bool = False, accept_loss: Collection[str] = ()) -> None:
        check_names(config, accept_loss)
        self.identity = f"{socket.gethostname()}-{os.getpid()}-{secrets.token_hex(3)}"
        self._stop = threading.Event()
        self._client = config.opa.client()
        self._sources = [replicated.source for replicated in config.replicated]
        self.statuses: Sequence[Status] = []
        self._threads: list[threading.Thread] = []
        for replicated in config.replicated:
            trimmed = trim and replicated.source.root[0] == "clusters"
            self._add(replicated, trimmed, accept_loss=replicated.source.name in accept_loss)
        self._policy_client = self._keep_policies(config.opa, config.policies) if config.policies else None
        if floor := config.opa.floor():
            watch = RevisionWatch(self._client, floor, self.statuses)
            self._threads.append(threading.Thread(target=watch.run, args=(self._stop,), name="revision", daemon=True))

    def _add(self, replicated: Replicated, trimmed: bool, *, accept_loss: bool) -> None:
        source = replicated.source
        status = Status(source.name, source.kind, replicated.settings.max_age)
        reader = Reader(source, every=replicated.settings.interval, compare=replicated.settings.compare, status=status)
        target = Target(self._client, source.root, source.meta, self.identity)
        writer = Writer(
            replicated,
            Delivery(replicated, target, status, identity=self.identity),
            reader,
            status,
            required_parts=(lambda: required_parts(self._client)) if trimmed else (lambda: None),
            accept_loss=accept_loss,
        )
        self.statuses = [*self.statuses, status]
        name = f"{source.kind}/{source.name}"
        self._threads += [
            threading.Thread(target=run, args=(self._stop,), name=name, daemon=True) for run in (reader.run, writer.run)
        ]

    def _keep_policies(self, opa: OpaSettings, entry: PoliciesEntry) -> OpaClient:
        client = opa.model_copy(update={"token": entry.token}).client()
        status = Status("policies", "configmaps", entry.max_age)
        keeper = PolicyKeeper(entry.live, Site(client), lambda: Compiler(find_opa()), status, entry.interval)
        self.statuses = [*self.statuses, status]
        self._threads.append(threading.Thread(target=keeper.run, args=(self._stop,), name="policies", daemon=True))
        return client

    def start(self) -> None:
        """Start all threads."""
        for thread in self._threads:
            thread.start()

    @property
    def alive(self) -> bool:
        """Whether every thread runs."""
        return all(thread.is_alive() for thread in self._threads)

    def stop(self) -> None:
        """Write what is pending, release the replicas, and end all threads; harmless when done twice."""
        self._stop.set()
        for source in self._sources:
            source.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(_PATIENCE)
        self._client.close()
        if self._policy_client is not None:
            self._policy_client.close()


def check_names(config: Config, accept_loss: Collection[str]) -> None:
    """Raise `ConfigurationError` where ``accept_loss`` names a source that is not configured."""
    names = {replicated.source.name for replicated in config.replicated}
    for name in sorted(set(accept_loss) - names):
        raise ConfigurationError(f"--accept-loss {name}: no such source: name one of {', '.join(sorted(names))}")
