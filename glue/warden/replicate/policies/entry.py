"""The section ``policies:`` of the replicator's configuration file."""

from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from warden.files.config_errors import Expected
from warden.files.config_model import ConfigModel, ConfigPath, SecretReference, Text
from warden.sources.entry import Seconds

if TYPE_CHECKING:
    from warden.sources.kubernetes.live import Live

__all__ = ["POLICY_NAMESPACE", "PoliciesEntry"]

POLICY_NAMESPACE: Final = "kube-federation-scheduling-policy"
"""Where the placement design keeps policies."""


class PoliciesEntry(ConfigModel):
    """Where the ConfigMaps with policies are, and who may push them.

    Args:
        kubeconfig: How to log in; None for the service account of the pod.
        context: The context of the kubeconfig; None for its current one.
        namespace: Every ConfigMap there counts.
        label: Elsewhere those with this label count.
        token: OPA's policies token; None where OPA needs none.
        interval: Seconds between two looks whether OPA still has them.
        max_age: Seconds without the API server after which the replicator is not ready.
    """

    kubeconfig: ConfigPath | None = None
    context: str | None = None
    namespace: Text = POLICY_NAMESPACE
    label: Annotated[str, Field(pattern=r"^[^=,\s]+=[^=,\s]*\Z"), Expected("a label such as a/b=c")] = (
        "openpolicyagent.org/policy=rego"
    )
    token: SecretReference | None = None
    interval: Seconds = 1.0
    max_age: Annotated[float, Field(ge=1)] = 30.0

    def live(self) -> "Live":
        """Return the ConfigMaps, by list and watch.

        Raises:
            KubernetesError: See `warden.sources.kubernetes.live.Live`.
        """
        from warden.sources.kubernetes.access import in_cluster
        from warden.sources.kubernetes.kubeconfig import kubeconfig
        from warden.sources.kubernetes.live import Live, Selected
        from warden.sources.kubernetes.watching import Pace

        access = kubeconfig(self.kubeconfig, self.context or None) if self.kubeconfig else in_cluster()
        here = Selected("v1", "ConfigMap", namespace=self.namespace, key="namespace")
        labelled = Selected("v1", "ConfigMap", label_selector=self.label, key="label")
        return Live(access, (here, labelled), Pace(probe=5.0, patience=20.0))
