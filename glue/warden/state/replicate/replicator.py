"""All replications of one process: two threads for each source, started together and stopped together."""

import logging
import threading
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError
from warden.base.long_running import make_identity
from warden.base.toolchain.opa import find_opa
from warden.policy.opa.client import OpaClient
from warden.policy.opa.connection_config import OpaConnectionConfig
from warden.state.config_map_policies.entry import PoliciesEntry
from warden.state.replicate.config import ReplicatedSource, ReplicatorConfig
from warden.state.replicate.delivery import Delivery
from warden.state.replicate.policies.compiler import Compiler
from warden.state.replicate.policies.config_map_watch import ConfigMapWatch
from warden.state.replicate.policies.keeper import PolicyKeeper
from warden.state.replicate.policies.server import PolicyServer
from warden.state.replicate.reader import SourceReader
from warden.state.replicate.registration_guard import RegistrationGuard
from warden.state.replicate.revision_watch import RevisionWatch
from warden.state.replicate.state_filter import read_required_parts
from warden.state.replicate.status import SourceStatus
from warden.state.replicate.target import Target
from warden.state.replicate.writer import Writer

__all__ = ["Replicator", "check_accept_loss"]

_LOG = logging.getLogger(__name__)
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

    def __init__(self, config: ReplicatorConfig, *, trim: bool = False, accept_loss: Collection[str] = ()) -> None:
        check_accept_loss(config, accept_loss)
        self.identity = make_identity()
        self._stop = threading.Event()
        self._client = config.opa.build_client()
        self._sources = [replicated.source for replicated in config.replicated]
        self.statuses: Sequence[SourceStatus] = []
        self._threads: list[threading.Thread] = []
        for replicated in config.replicated:
            trimmed = trim and replicated.source.root[0] == "clusters"
            self._add(replicated, trimmed, accept_loss=replicated.source.name in accept_loss)
        self._policies = (
            self._keep_policies(config.opa, config.policies, config.registration) if config.policies else None
        )
        if floor := config.opa.build_floor():
            watch = RevisionWatch(self._client, floor, self.statuses)
            self._threads.append(threading.Thread(target=watch.run, args=(self._stop,), name="revision", daemon=True))

    def _add(self, replicated: ReplicatedSource, trimmed: bool, *, accept_loss: bool) -> None:
        source = replicated.source
        status = SourceStatus(source.name, source.kind, replicated.settings.max_age)
        reader = SourceReader(
            source, every=replicated.settings.interval, compare=replicated.settings.compare, status=status
        )
        target = Target(self._client, source.root, source.meta, self.identity)
        writer = Writer(
            replicated,
            Delivery(replicated, target, status, identity=self.identity),
            reader,
            status,
            required_parts=(lambda: read_required_parts(self._client)) if trimmed else (lambda: None),
            accept_loss=accept_loss,
        )
        self.statuses = [*self.statuses, status]
        name = f"{source.kind}/{source.name}"
        self._threads += [
            threading.Thread(target=run, args=(self._stop,), name=name, daemon=True) for run in (reader.run, writer.run)
        ]

    def _keep_policies(
        self, opa: OpaConnectionConfig, entry: PoliciesEntry, registration: str | None
    ) -> tuple[OpaClient, PolicyServer]:
        client = opa.model_copy(update={"token": entry.token}).build_client()
        server = PolicyServer(entry.listen, entry.token.read)
        status, watch = SourceStatus("policies", "configmaps", entry.max_age), ConfigMapWatch(entry, _LOG)
        keeper = PolicyKeeper(entry, watch, server, client, partial(_build_compiler, entry), status, entry.interval)
        self.statuses = [*self.statuses, status]
        self._threads.append(threading.Thread(target=keeper.run, args=(self._stop,), name="policies", daemon=True))
        if registration:
            status = SourceStatus(registration, "registration", entry.max_age)
            guard = keeper.guard = RegistrationGuard(entry, watch, registration, status)
            self.statuses = [*self.statuses, status]
            self._threads.append(
                threading.Thread(target=guard.run, args=(self._stop,), name="registration", daemon=True)
            )
        return client, server

    def describe(self) -> dict[str, Any]:
        """Return what it replicates."""
        return {"sources": [f"{status.kind}/{status.name}" for status in self.statuses]}

    def to_document(self) -> dict[str, Any]:
        """Return what ``/readyz`` shows: it is ready while every source is replicated and fresh."""
        sources = {f"{status.kind}/{status.name}": status.to_document() for status in self.statuses}
        return {"ready": all(source["ready"] for source in sources.values()), "sources": sources}

    def encode_metrics(self) -> bytes:
        """Return all metrics."""
        from warden.state.replicate.metrics import render_metrics

        return render_metrics(self.statuses)

    def run(self, stop: threading.Event) -> None:
        """Replicate until ``stop`` is set."""
        self.start()
        stop.wait()
        self.stop()

    def start(self) -> None:
        """Start all threads."""
        for thread in self._threads:
            thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether no thread has ended; its address is known before they start."""
        return all(thread.ident is None or thread.is_alive() for thread in self._threads)

    def stop(self) -> None:
        """Write what is pending, release the replicas, and end all threads; harmless when done twice."""
        self._stop.set()
        for source in self._sources:
            source.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(_PATIENCE)
        self._client.close()
        if self._policies is not None:
            client, server = self._policies
            client.close()
            server.stop()


def _build_compiler(entry: PoliciesEntry) -> Compiler:
    return Compiler(find_opa(), entry.scopes)


def check_accept_loss(config: ReplicatorConfig, accept_loss: Collection[str]) -> None:
    """Raise `ConfigurationError` where ``accept_loss`` names a source that is not configured."""
    names = {replicated.source.name for replicated in config.replicated}
    for name in sorted(set(accept_loss) - names):
        raise ConfigurationError(f"--accept-loss: {describe_unknown('source', name, sorted(names))}")
