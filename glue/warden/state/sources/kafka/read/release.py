"""The release of a cluster's Kafka, by the highest ``metadata.version`` that each of its brokers can run (KIP-584).

Each release since 3.5 has one of its own. What the cluster has finalised may be older, and is no matter here.
"""

from warden.base.errors import KafkaUnreachable
from warden.policy.bundle.catalog import read_catalog
from warden.state.sources.kafka.login.connection import Connection
from warden.state.sources.kafka.login.error_codes import NotDisclosed
from warden.state.sources.kafka.read.brokers import Cluster
from warden.state.sources.kafka.read.features import read_supported

__all__ = ["ReleaseReader", "find_release"]

_FEATURE = "metadata.version"
_BROKERS = 10  # that are requested again at one reading


class ReleaseReader:
    """Reads which release a cluster's brokers have, again and again.

    Args:
        stated: The release that somebody states, such as ``4.3``; brokers are not requested then.

    Attributes:
        gaps: Why it is not known, in a sentence; nothing where it is.
    """

    def __init__(self, stated: str | None = None) -> None:
        self._stated = stated
        self._releases: dict[int, str] = {}
        self._next = 0
        self.gaps: list[str] = []

    def read(self, connection: Connection, cluster: Cluster) -> str | None:
        """Return the newest release among the brokers, None where it is not known of all of them.

        Args:
            connection: The cluster.
            cluster: Its brokers. New ones are requested at once, of the others some in turn.
        """
        self.gaps = []
        if self._stated is not None:
            return self._stated
        ids = [broker.id for broker in cluster.live_brokers]
        turn = [ids[(self._next + step) % len(ids)] for step in range(min(_BROKERS, len(ids)))]
        self._next += len(turn)
        new = [broker for broker in ids if broker not in self._releases]
        self._releases = {broker: release for broker, release in self._releases.items() if broker in ids}
        for broker in dict.fromkeys([*new, *turn]):
            try:
                self._releases[broker] = find_release(read_supported(connection, broker))
            except (NotDisclosed, KafkaUnreachable) as error:
                self._releases.pop(broker, None)
                self.gaps = self.gaps or [_describe_unknown_release(broker, error)]
        if self.gaps or not self._releases:
            self.gaps = self.gaps or [_describe_unknown_release(None, "no broker can be reached")]
            return None
        return max(self._releases.values(), key=_parse_release)


def find_release(supported: dict[str, int]) -> str:
    """Return the release of a broker.

    Args:
        supported: The highest level of each feature that it can run.

    Raises:
        NotDisclosed: No release of Apache Kafka that the catalogue knows has these.
    """
    history = read_catalog("history")
    if strange := sorted(supported.keys() - set(history["features"])):
        raise NotDisclosed(f"it has {', '.join(strange)}, which no Apache Kafka has")
    level = supported.get(_FEATURE)
    if level is None:
        raise NotDisclosed(f"it does not tell its {_FEATURE}")
    release = next((release for release, own in history["levels"].items() if own == level), None)
    if release is None:
        raise NotDisclosed(f"it runs {_FEATURE} up to {level}, as no release does that this Warden knows")
    return str(release)


def _describe_unknown_release(broker: int | None, why: object) -> str:
    whose = "" if broker is None else f"broker {broker}: "
    newest = read_catalog("topic")["kafka"]
    return f"catalog.release: {whose}{why}; where it matters, rules take Kafka {newest}"


def _parse_release(release: str) -> tuple[int, ...]:
    return tuple(map(int, release.split(".")))
