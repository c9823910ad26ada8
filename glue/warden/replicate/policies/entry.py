"""The section ``policies:`` of the replicator's configuration file."""

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from warden.files.config_errors import Expected
from warden.files.config_model import ConfigModel, ConfigPath, SecretReference, Text
from warden.sources.entry import Seconds

if TYPE_CHECKING:
    from warden.sources.kubernetes.access import Access
    from warden.sources.kubernetes.live import Live

__all__ = ["POLICY_NAMESPACE", "PoliciesEntry", "PolicySource"]

POLICY_NAMESPACE: Final = "kube-federation-scheduling-policy"
"""Where the placement design keeps policies."""


class PolicySource(ConfigModel):
    """Where the ConfigMaps with policies are.

    Args:
        kubeconfig: How to log in; None for the service account of the pod.
        context: The context of the kubeconfig; None for its current one.
        namespace: Every ConfigMap there counts.
        label: Elsewhere those with this label count.
    """

    kubeconfig: ConfigPath | None = None
    context: str | None = None
    namespace: Text = POLICY_NAMESPACE
    label: Annotated[str, Field(pattern=r"^[^=,\s]+=[^=,\s]*\Z"), Expected("a label such as a/b=c")] = (
        "openpolicyagent.org/policy=rego"
    )

    def access(self) -> "Access":
        """Return how the API server is reached.

        Raises:
            ConfigurationError: The kubeconfig cannot be read, or this is no pod.
        """
        from warden.sources.kubernetes.access import in_cluster
        from warden.sources.kubernetes.kubeconfig import kubeconfig

        return kubeconfig(self.kubeconfig, self.context or None) if self.kubeconfig else in_cluster()

    def live(self) -> "Live":
        """Return the ConfigMaps, by list and watch.

        Raises:
            KubernetesError: See `warden.sources.kubernetes.live.Live`.
        """
        from warden.sources.kubernetes.live import Live, Selected
        from warden.sources.kubernetes.watching import Pace

        here = Selected("v1", "ConfigMap", namespace=self.namespace, key="namespace")
        labelled = Selected("v1", "ConfigMap", label_selector=self.label, key="label")
        return Live(self.access(), (here, labelled), Pace(probe=5.0, patience=20.0))


class PoliciesEntry(PolicySource):
    """Where they are, and who may push them.

    Args:
        token: OPA's policies token; None where OPA needs none.
        interval: Seconds between two looks whether OPA still has them.
        max_age: Seconds without the API server after which the replicator is not ready.
    """

    token: SecretReference | None = None
    interval: Seconds = 1.0
    max_age: Annotated[float, Field(ge=1)] = 30.0
