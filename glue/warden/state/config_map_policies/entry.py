"""The section ``policies:`` of the replicator's configuration file, and what it shares with the webhook's."""

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import ConfigModel, ConfigPath, SecretReference, Text, build_validation_error
from warden.base.tls.listener import ListenerTls
from warden.state.sources.entry import Seconds

if TYPE_CHECKING:
    from warden.state.sources.kubernetes.access import Access

__all__ = ["FLEET", "POLICY_NAMESPACE", "Namespace", "PoliciesEntry", "PolicySource", "choose_group"]

POLICY_NAMESPACE: Final = "kube-federation-scheduling-policy"
"""Where the placement design keeps policies."""
FLEET: Final = "fleet"
"""What policies may be about that no namespace limits."""


def choose_group(namespace: str, about: str) -> str:
    """Return the group of a namespace: its own name, or `*`, which none has, for all that are about the fleet."""
    return "*" if about == FLEET else namespace


_Name = Annotated[str, Field(pattern=r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\Z"), Expected("the name of a namespace")]


class Namespace(ConfigModel):
    """A further namespace in which ConfigMaps are policies.

    Args:
        name: Its name.
        about: What its policies may be about: objects of the ``namespace`` itself, or of the whole ``fleet``.
    """

    name: _Name
    about: Literal["namespace", "fleet"] = "namespace"


class PolicySource(ConfigModel):
    """Where the ConfigMaps with policies are.

    Args:
        kubeconfig: How to log in; None for the service account of the pod.
        context: The context of the kubeconfig; None for its current one.
        namespace: Every ConfigMap there counts, and is about the whole fleet.
        namespaces: Further ones.
    """

    kubeconfig: ConfigPath | None = None
    context: str | None = None
    namespace: Text = POLICY_NAMESPACE
    namespaces: tuple[Namespace, ...] = ()

    @model_validator(mode="after")
    def _check_each_once(self) -> Self:
        names = [self.namespace, *(namespace.name for namespace in self.namespaces)]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise build_validation_error(f"namespace {twice[0]} is named twice: name it once")
        return self

    @cached_property
    def scopes(self) -> Mapping[str, str]:
        """What the policies of each namespace may be about."""
        return {self.namespace: FLEET, **{namespace.name: namespace.about for namespace in self.namespaces}}

    def read_access(self) -> "Access":
        """Return how the API server is reached.

        Raises:
            ConfigurationError: The kubeconfig cannot be read, or this is not a pod.
        """
        from warden.state.sources.kubernetes.access import read_pod_access
        from warden.state.sources.kubernetes.kubeconfig import read_kubeconfig

        return read_kubeconfig(self.kubeconfig, self.context or None) if self.kubeconfig else read_pod_access()


class Listener(ConfigModel):
    """Where OPA fetches the policies.

    Args:
        address: Host and port.
        tls: The certificate to listen with; None for plain HTTP, on loopback alone.
    """

    address: Annotated[
        str, Field(pattern=r"^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]|localhost):\d{1,5}\Z"), Expected("HOST:PORT")
    ] = "127.0.0.1:9104"
    tls: ListenerTls | None = None

    @model_validator(mode="after")
    def _check_private(self) -> Self:
        if self.tls is None and self.host not in ("127.0.0.1", "::1", "localhost"):
            raise build_validation_error(f"address {self.address} is not on loopback: give a certificate with tls:")
        return self

    @property
    def host(self) -> str:
        """The host."""
        return self.address.rpartition(":")[0].strip("[]")

    @property
    def port(self) -> int:
        """The port."""
        return int(self.address.rpartition(":")[2])


class PoliciesEntry(PolicySource):
    """Where they are, and how OPA gets them.

    Args:
        token: OPA's policies token, with which OPA fetches them, and with which it says what it has.
        listen: Where OPA fetches them.
        interval: Seconds between two checks whether OPA still has them.
        max_age: Seconds without the API server after which the replicator is not ready.
    """

    token: SecretReference
    listen: Listener = Listener()
    interval: Seconds = 1.0
    max_age: Annotated[float, Field(ge=1)] = 30.0
