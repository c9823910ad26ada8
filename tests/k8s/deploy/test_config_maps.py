"""The component ``config-maps`` of ``deploy/kubernetes``: what it adds is enough for policies there, and no more."""

import json

import pytest

from tests.fixtures.conditions import eventually
from tests.k8s.deploy.installation import installed, rendered, running
from tests.k8s.deploy.pods import apply, audit_lines, rights
from tests.k8s.remediation.remediators import PREFERENCES
from tests.k8s.webhook.webhooks import PLACED, REGISTRATIONS, thing
from warden.base.resources import find_shipped
from warden.policy.bundle.build import build_bundle
from warden.policy.bundle.contents import PolicySelection

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

POLICIES = "kube-federation-scheduling-policy"
STATUS = "openpolicyagent.org/policy-status"
REGISTRATION = f"{REGISTRATIONS}/warden-placement"
CLOSING = {
    (verb, "admissionregistration.k8s.io", "mutatingwebhookconfigurations", "warden-placement")
    for verb in ("get", "patch")
}
ADDED = {
    "replicator": {(verb, "", "configmaps", "") for verb in ("list", "watch", "patch", "create", "update", "delete")},
    "webhook": {("list", "", "configmaps", ""), ("watch", "", "configmaps", "")},
    "opa": set(),
    "remediator": set(),
}
EVERYWHERE = {"replicator": CLOSING, "webhook": CLOSING}


@pytest.fixture(scope="module")
def plain(shipped_bundle, tmp_path_factory):
    """What kustomize makes without the component."""
    with rendered(shipped_bundle, tmp_path_factory.mktemp("plain")) as documents:
        yield documents


@pytest.fixture(scope="module")
def documents(tmp_path_factory):
    """What kustomize makes with it, for a bundle of placement that waits for these policies."""
    directory = tmp_path_factory.mktemp("component")
    settings = directory / "settings.yaml"
    settings.write_text("rules: {KFK-PLC-003: {params: {policiesFrom: configMaps}}}", encoding="utf-8")
    only = PolicySelection(find_shipped("policies"), "placement")
    with rendered(
        build_bundle(directory / "b.tar.gz", settings=settings, policies=only),
        directory,
        ["config-maps"],
        ["policy-namespace"],
    ) as documents:
        yield documents


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """The log of what service accounts of Warden's have wanted the API server."""
    return tmp_path_factory.mktemp("audit") / "log"


@pytest.fixture(scope="module")
def control_plane(documents, audited):
    """An API server of its own that has taken them."""
    with installed(documents, audited) as control_plane:
        yield control_plane


def test_what_it_changes(plain, documents):
    """Access, three configurations and the token: all else is as without it, but for the hashes in names."""

    def shown(documents):
        return {(one["kind"], one["metadata"]["name"]): one for one in documents if one["kind"] != "Secret"}

    before, after = shown(plain), shown(documents)
    added = {
        *(
            (kind, f"warden-{part}")
            for kind in ("ClusterRole", "ClusterRoleBinding")
            for part in ("webhook-policies", "replicator-registration")
        ),
        *((kind, f"warden-{part}-policies") for kind in ("Role", "RoleBinding") for part in ("replicator", "webhook")),
        *(("NetworkPolicy", f"{part}-policies") for part in ("opa", "replicator")),
        ("Namespace", POLICIES),
    }
    assert added == {key for key in after.keys() - before.keys() if key[0] != "ConfigMap"}
    kept = {"NetworkPolicy", "PodDisruptionBudget", "Service", "ServiceAccount", "Role", "ClusterRole"}
    changed = {key for key, one in before.items() if key[0] in kept and one != after[key]}
    assert {("Service", "replicator")} == changed


@pytest.mark.parametrize("account", ADDED)
def test_no_account_may_do_more(control_plane, account):
    """Than the component adds, of ConfigMaps and registrations."""
    about = {"configmaps", "mutatingwebhookconfigurations"}

    def found(namespace):
        return {right for right in rights(control_plane, account, namespace) if right[2] in about}

    assert EVERYWHERE.get(account, set()) == found("default") == found("kube-system") == found("warden")
    assert EVERYWHERE.get(account, set()) | ADDED[account] == found(POLICIES)


def test_policies_from_config_maps(control_plane, documents, audited, opa_binary, tmp_path):
    """Open before the first; then it decides, without a restart, and nothing that a part asks for is forbidden."""

    def create(name, **query):
        document = thing(name=name, namespace="default")
        answer = apply(control_plane, document, query="&dryRun=All" if query else "")
        assert answer.ok, answer.text
        return answer.json()["metadata"]["annotations"]

    def failure_policy():
        return control_plane.api("GET", REGISTRATION)["webhooks"][0]["failurePolicy"]

    with running(control_plane, documents, opa_binary, tmp_path) as pods:
        eventually(lambda: failure_policy() == "Ignore", "the API server would do without the webhook")
        assert PREFERENCES not in create("before")

        rule = 'package site.placement\n\nannotations["team"] contains "payments" if input.kind == "ReplicaSet"\n'
        config_map = {"metadata": {"name": "payments"}, "data": {"team.rego": rule}}
        control_plane.api("POST", f"/api/v1/namespaces/{POLICIES}/configmaps", config_map)
        eventually(lambda: failure_policy() == "Fail", "the API server would not do without the webhook")

        def loaded():
            answer = apply(control_plane, thing(name="probe", namespace="default"), query="&dryRun=All")
            return answer.ok and answer.json()["metadata"]["annotations"].get("team") == "payments"

        eventually(loaded, "the ConfigMap decides")
        stored = create("after")
        assert [PLACED, "payments"] == [stored[PREFERENCES], stored["team"]]

        def status():
            found = control_plane.api("GET", f"/api/v1/namespaces/{POLICIES}/configmaps/payments")
            return json.loads(found["metadata"].get("annotations", {}).get(STATUS, "{}"))

        eventually(lambda: status() == {"status": "ok"}, "the ConfigMap says so")
        kept = eventually(lambda: _copies(control_plane), "its text is kept")
        path = f"/api/v1/namespaces/{POLICIES}/configmaps/payments"
        config_map["data"] = {"team.rego": rule.replace("payments", "pay")}
        control_plane.api("PUT", path, config_map)
        eventually(lambda: _copies(control_plane) != kept, "its new text is kept")
        control_plane.api("DELETE", path)
        eventually(lambda: not _copies(control_plane), "what was kept of it is gone")
        eventually(lambda: failure_policy() == "Ignore", "the API server would do without the webhook again")
        pods.stop("webhook")  # which may have been the first to close, so that the replicator had nothing to patch
        config_map["metadata"]["name"] = "second"
        control_plane.api("POST", f"/api/v1/namespaces/{POLICIES}/configmaps", config_map)
        eventually(lambda: failure_policy() == "Fail", "the replicator closes without the webhook")
        wanted = {(account, *right[:3]) for row in (ADDED, EVERYWHERE) for account in row for right in row[account]}

        def unused():
            return wanted - {
                (
                    line["user"]["username"].split(":")[-1],
                    line["verb"],
                    about.get("apiGroup", ""),
                    about["resource"],
                )
                for line in audit_lines(audited)
                if (about := line.get("objectRef"))
            }

        eventually(lambda: not unused(), "each right is used")
        assert [] == [line["requestURI"] for line in audit_lines(audited) if line["responseStatus"].get("code") == 403]


def _copies(control_plane):
    found = control_plane.api("GET", f"/api/v1/namespaces/{POLICIES}/configmaps")["items"]
    return [one["data"] for one in found if one["metadata"]["name"].startswith("last-good-")]
