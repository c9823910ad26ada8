"""The MutatingWebhookConfiguration that makes an API server ask the webhook."""

import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final

from warden.enforce.webhook.config import WebhookResource
from warden.state.config_map_policies.entry import POLICY_NAMESPACE

__all__ = ["SYSTEM_NAMESPACES", "build_registration"]

SYSTEM_NAMESPACES: Final = ("kube-system", "kube-public", "kube-node-lease", POLICY_NAMESPACE)
"""Namespaces whose objects are left alone, with that of the policies, or a broken policy could not be mended."""

# Only what is stored counts: a client can write a deletionTimestamp into an object that it creates by apply.
_LIVING: Final = "oldObject == null || !has(oldObject.metadata.deletionTimestamp)"
_COLLECTOR: Final = "system:serviceaccount:kube-system:generic-garbage-collector"


def build_registration(
    kinds: Sequence[WebhookResource],
    client_config: Mapping[str, Any],
    authority: bytes,
    *,
    own_namespace: str = "warden",
    timeout: int = 10,
    failure_policy: str = "Fail",
) -> dict[str, Any]:
    """Return the manifest (admissionregistration.k8s.io/v1).

    Args:
        kinds: What is sent, on creation and update.
        client_config: ``{"url": …}`` or ``{"service": …}``.
        authority: PEM certificate that signed the webhook's.
        own_namespace: Where Warden runs; its namespace and service accounts are left out.
        timeout: Seconds that the API server waits, from 1 to 30.
        failure_policy: ``Fail`` or ``Ignore``: what it does where the webhook itself does not answer.
    """
    rules = [
        {
            "apiGroups": [kind.group],
            "apiVersions": [kind.version],
            "resources": [kind.resource],
            "operations": ["CREATE", "UPDATE"],
            "scope": "*",
        }
        for kind in kinds
    ]
    conditions = {
        "not-wardens-own": f'!request.userInfo.username.startsWith("system:serviceaccount:{own_namespace}:")',
        "not-being-deleted": _LIVING,
        "not-garbage-collection": f'request.userInfo.username != "{_COLLECTOR}"',
    }
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {"name": "warden-placement"},
        "webhooks": [
            {
                "name": "placement.warden.io",
                "clientConfig": {**client_config, "caBundle": base64.b64encode(authority).decode()},
                "rules": rules,
                "admissionReviewVersions": ["v1"],
                "sideEffects": "NoneOnDryRun",
                "reinvocationPolicy": "IfNeeded",
                "matchPolicy": "Equivalent",
                "failurePolicy": failure_policy,
                "timeoutSeconds": timeout,
                "namespaceSelector": {
                    "matchExpressions": [
                        {
                            "key": "kubernetes.io/metadata.name",
                            "operator": "NotIn",
                            "values": [*SYSTEM_NAMESPACES, own_namespace],
                        }
                    ]
                },
                "matchConditions": [{"name": name, "expression": text} for name, text in conditions.items()],
            }
        ],
    }
