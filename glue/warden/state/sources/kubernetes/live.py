"""Follow collections of one API server: list each once, watch it from there, and probe the server."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Event, Thread
from typing import Any

from warden.base.errors import ConfigurationError, KubernetesError
from warden.base.process.closing import Closing
from warden.state.sources.kubernetes.access import Access
from warden.state.sources.kubernetes.api import ApiServer
from warden.state.sources.kubernetes.inbox import Inbox
from warden.state.sources.kubernetes.listing import list_all
from warden.state.sources.kubernetes.types import ResourceType, find_type
from warden.state.sources.kubernetes.watching import Watch, WatchTimings

__all__ = ["Collection", "Informer", "ObjectSelector"]


@dataclass(frozen=True)
class ObjectSelector:
    """Which objects of which type.

    Args:
        api_version: ``v1`` or ``group/version``.
        kind: As in ``ConfigMap``.
        namespace: Only objects of this one; "" for all.
        label_selector: As kubectl's ``--selector``; "" for all.
        field_selector: As kubectl's ``--field-selector``; "" for all.
        key: The name that they go by; "" for the type's plural.
    """

    api_version: str
    kind: str
    namespace: str = ""
    label_selector: str = ""
    field_selector: str = ""
    key: str = ""

    def __str__(self) -> str:
        return f"{self.kind} of {self.api_version}"


@dataclass(frozen=True)
class Collection:
    """A selection and the type that the API server has for it."""

    selected: ObjectSelector
    type: ResourceType

    @property
    def key(self) -> str:
        """The name that it goes by."""
        return self.selected.key or self.type.plural

    @property
    def path(self) -> str:
        """Its path in the API."""
        return self.type.build_path(self.selected.namespace)

    @property
    def params(self) -> Mapping[str, str]:
        """Its selectors, as parameters of a list or watch."""
        selectors = {"labelSelector": self.selected.label_selector, "fieldSelector": self.selected.field_selector}
        return {name: value for name, value in selectors.items() if value}


class Informer(Closing):
    """Collections from discovery to the end; a context manager.

    First `iter_objects` of each, then `watch`, then `take_changes` again and again.

    Args:
        access: The API server.
        selected: The collections.
        timings: How long and how often.

    Raises:
        KubernetesError: See `ApiServer`, `find_type` and `list_all`.
        ConfigurationError: Two collections would have objects of one key.
    """

    def __init__(
        self, access: Access, selected: Sequence[ObjectSelector], timings: WatchTimings = WatchTimings()
    ) -> None:
        self._timings = timings
        self._inbox = Inbox()
        self._watches: list[Watch] = []
        self._versions: dict[Collection, str] = {}
        self._over = Event()
        self._observed = datetime.now(UTC)
        self.api = ApiServer(access, connections=len(selected) + 2)
        try:
            self.collections = [
                Collection(selector, find_type(self.api, selector.api_version, selector.kind)) for selector in selected
            ]
            _check_apart(self.collections)
        except BaseException:
            self.api.close()
            raise

    def close(self) -> None:
        """End all watches; a waiting `take_changes` returns."""
        self._over.set()
        for watch in self._watches:
            watch.stop()
        self._inbox.wake()
        self.api.close()

    def read_identity(self) -> dict[str, str]:
        """Return ``clusterId``, which tells this Kubernetes cluster from any other; nothing where it may not be read.

        It is the uid of the namespace kube-system, which is as old as the cluster.
        """
        try:
            return {"clusterId": str(self.api.get("/api/v1/namespaces/kube-system")["metadata"]["uid"])}
        except KubernetesError as error:
            if error.status in (403, 404):
                return {}
            raise

    def iter_objects(
        self, collection: Collection, piece: int = 500
    ) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
        """Yield key and object of everything in a collection, as of one moment.

        Args:
            collection: One of `collections`.
            piece: Objects to ask for at a time.
        """
        objects, self._versions[collection] = list_all(self.api, collection.path, collection.params, piece)
        for obj in objects:
            yield collection.type.extract_object_key(obj), collection.type.normalise(obj)

    def watch(self) -> None:
        """Watch all collections from where their lists ended."""
        for collection, version in self._versions.items():
            watch = Watch(
                self.api,
                collection.path,
                collection.params,
                version,
                event=self._build_forwarder(collection),
                failed=self._inbox.fail,
                timings=self._timings,
            )
            self._watches.append(watch)
            watch.start()
        Thread(target=self._probe, name="probe", daemon=True).start()

    def take_changes(self, timeout: float) -> tuple[datetime, dict[tuple[str, ...], Any]]:
        """Return what came, by key, None for what is gone, and the moment before which nothing is missing.

        Args:
            timeout: Seconds to wait for something to come.

        Raises:
            KubernetesError: A watch failed for good: with status 410 where only new lists help.
        """
        alive = self._observed
        return alive, self._inbox.take_changes(timeout)

    def _build_forwarder(self, collection: Collection) -> Callable[[str, dict[str, Any]], None]:
        def put_event(what: str, obj: dict[str, Any]) -> None:
            key = (collection.key, *collection.type.extract_object_key(obj))
            self._inbox.put(key, None if what == "DELETED" else collection.type.normalise(obj))

        return put_event

    def _probe(self) -> None:
        """Note, now and then, that the API server answers with what etcd has, while all watches are open.

        A watch that is open says nothing of that: it stays open, and silent, when etcd is gone, and when the token it
        was opened with has expired. A list without a resourceVersion is answered from etcd's present state.
        """
        while not self._over.wait(self._timings.probe):
            now = datetime.now(UTC)
            try:
                for collection in self.collections:
                    self.api.get(collection.path, {**collection.params, "limit": "1"})
            except Exception as error:
                if isinstance(error, KubernetesError) and error.status not in (401, 403, 404):
                    continue  # the age grows; if it lasts, the watches fail
                self._inbox.fail(error)
                return
            if all(watch.open_since is not None and watch.open_since <= now for watch in self._watches):
                self._observed = now


def _check_apart(collections: Sequence[Collection]) -> None:
    for position, collection in enumerate(collections):
        for other in collections[:position]:
            apart = {"", collection.selected.namespace, other.selected.namespace}
            if other.key == collection.key and (other.type != collection.type or len(apart) < 3):
                raise ConfigurationError(
                    f"{collection.selected} and {other.selected} both go by the name {collection.key}: "
                    "name another one with as:"
                )
