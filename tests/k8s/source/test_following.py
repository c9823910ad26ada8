"""A replicator follows a real API server: what is created, changed and deleted, by type, namespace and selector."""

import pytest

from tests.fixtures.conditions import eventually

pytestmark = [pytest.mark.k8s, pytest.mark.opa]

CONFIG_MAPS = {"apiVersion": "v1", "kind": "ConfigMap"}


def _path(namespace, name=""):
    return f"/api/v1/namespaces/{namespace}/configmaps{f'/{name}' if name else ''}"


def _config_map(name, labels=None, **data):
    return {"metadata": {"name": name, "labels": labels or {}}, "data": data}


def test_everything_that_happens_to_objects_is_seen(control_plane, copies, namespace):
    """What is there at first, and then is created, changed and deleted, is in OPA, and nothing else."""
    one, two = namespace("one"), namespace("two")
    control_plane.api("POST", _path(one), _config_map("old", data="1"))
    _, status = copies.start([CONFIG_MAPS])
    copies.equal("/api/v1/configmaps")
    assert copies.copy()["configmaps"][one]["old"]["data"] == {"data": "1"}

    control_plane.api("POST", _path(one), _config_map("new"))
    control_plane.api("POST", _path(two), _config_map("first"))
    control_plane.api("PUT", _path(one, "old"), _config_map("old", data="2"))
    copies.equal("/api/v1/configmaps")
    assert copies.copy()["configmaps"][one].keys() == {"old", "new"}

    control_plane.api("DELETE", _path(one, "new"))
    control_plane.api("DELETE", _path(two, "first"))
    copies.equal("/api/v1/configmaps")
    assert two not in copies.copy()["configmaps"]
    assert status.counts["loads", "requested"] == 1


def test_the_same_name_again_is_a_new_object(control_plane, copies, namespace):
    """Of an object that was deleted and created again, OPA has the new one."""
    space = namespace("again")
    copies.start([{**CONFIG_MAPS, "namespace": space}])
    for value in "abc":
        control_plane.api("POST", _path(space), _config_map("same", value=value))
        control_plane.api("DELETE", _path(space, "same"))
    control_plane.api("POST", _path(space), _config_map("same", value="last"))

    copies.equal(_path(space))
    assert copies.copy()["configmaps"][space]["same"]["data"] == {"value": "last"}


def test_an_object_comes_and_goes_with_its_labels(control_plane, copies, namespace):
    """With a selector, an object that no longer matches is gone, as if it had been deleted."""
    space = namespace("selected")
    for name, labels in (("yes", {"team": "a"}), ("no", {"team": "b"})):
        control_plane.api("POST", _path(space), _config_map(name, labels))
    copies.start([{**CONFIG_MAPS, "namespace": space, "labelSelector": "team=a"}])
    selected = f"{_path(space)}?labelSelector=team%3Da"
    copies.equal(selected)
    assert copies.copy()["configmaps"][space].keys() == {"yes"}

    control_plane.api("PUT", _path(space, "no"), _config_map("no", {"team": "a"}))
    control_plane.api("PUT", _path(space, "yes"), _config_map("yes", {"team": "b"}))
    copies.equal(selected)
    assert copies.copy()["configmaps"][space].keys() == {"no"}


def test_types_by_namespace_and_without_one(control_plane, copies, namespace):
    """Several types in one copy, one of them twice for two namespaces, one by fields, and one under another name."""
    one, two, other = namespace("one"), namespace("two"), namespace("other")
    for space in (one, two, other):
        control_plane.api("POST", _path(space), _config_map("x"))
    copies.start(
        [
            {**CONFIG_MAPS, "namespace": one},
            {**CONFIG_MAPS, "namespace": two},
            {"apiVersion": "v1", "kind": "Namespace", "fieldSelector": f"metadata.name={other}"},
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "as": "roles"},
        ]
    )
    namespaces = f"/api/v1/namespaces?fieldSelector=metadata.name%3D{other}"
    roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles"
    expected = copies.listed(_path(one), _path(two), namespaces, roles)
    expected["roles"] = expected.pop("clusterroles")

    eventually(lambda: copies.copy() == expected, "the copy is there")
    assert copies.copy()["namespaces"].keys() == {other}


def test_a_new_type_needs_no_code(control_plane, copies, define):
    """A type that is not there yet is reported by name, and replicated once its definition has come."""
    _, status = copies.start([{"apiVersion": "test.warden/v1", "kind": "Widget"}])
    eventually(lambda: status.source_error, "the type is missed")
    assert "knows no apiVersion test.warden/v1" in status.source_error
    assert not status.to_document()["ready"]

    widgets = define("test.warden", "v1", "Widget")
    widget = {"apiVersion": "test.warden/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 3}}
    control_plane.api("POST", widgets, widget)
    copies.equal(widgets)
    assert copies.copy()["widgets"]["w"]["spec"] == {"size": 3}
    eventually(lambda: status.to_document()["ready"], "the replicator is ready")
