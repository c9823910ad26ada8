"""What a configuration says, and what is wrong with one."""

import pytest

from tests.docs.console import File, iter_page
from tests.fixtures.checkout import CHECKOUT
from warden.base.errors import ConfigurationError
from warden.enforce.remediate.config import read_config
from warden.enforce.remediate.leadership import Leadership
from warden.enforce.remediate.remediator import Remediator


def _config(tmp_path, text):
    path = tmp_path / "remediator.yaml"
    path.write_text(text, encoding="utf-8")
    return read_config(path)


def test_the_page(tmp_path):
    """The configuration that is shown there is one."""
    page = iter_page((CHECKOUT / "docs" / "operate" / "remediator.md").read_text(encoding="utf-8"))
    (file,) = (one for one in page if isinstance(one, File) and one.name == "remediator.yaml")
    assert "https://opa.warden.svc:8181" == _config(tmp_path, file.text).opa.url


def test_a_kubeconfig_that_names_no_file(tmp_path):
    """The remediator does not start with it."""
    config = _config(tmp_path, "records: r\nkubernetes: {kubeconfig: nowhere.yaml}\n")
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml"):
        Remediator(config, "me")


def test_the_least_configuration(tmp_path):
    """Only where records go has to be said; Deployments and ReplicaSets are meant, and never those of the system."""
    config = _config(tmp_path, "records: r\n")
    assert tmp_path / "r" == config.records
    assert ["Deployment", "ReplicaSet"] == [resource.kind for resource in config.resources]
    assert "kube-system" in config.except_namespaces


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("opa: {}\n", r"remediator.yaml:1: records is missing: "),
        ("records: r\nrate: {perSecond: 0}\n", r"remediator.yaml:2: rate.perSecond: "),
        ("records: r\nstop: {share: 2}\n", r"remediator.yaml:2: stop.share: "),
        ("records: r\ndebounce: -1\n", r"remediator.yaml:2: debounce: "),
        ("records: r\nbogus: 1\n", r"remediator.yaml:2: unknown key bogus: "),
        ("records: r\nopa: {token: secret}\n", r"remediator.yaml:2: opa.token: a secret is never in this file"),
        (
            "records: r\nresources:\n- {apiVersion: v1, kind: A}\n- {apiVersion: v1, kind: A}\n",
            r"A of v1 is named twice: name it once",
        ),
        (
            "records: r\ntarget: karmada\nresources:\n- {apiVersion: v1, kind: A}\n- {apiVersion: a.io/v1, kind: A}\n",
            r"A is of v1 and of a.io/v1, and what a target has is named after the kind: name one of them",
        ),
    ],
)
def test_what_is_wrong_in_a_configuration(tmp_path, text, sentence):
    """Each mistake has its file, its line and what to write."""
    with pytest.raises(ConfigurationError, match=sentence):
        _config(tmp_path, text)


def test_an_identity_leads_only_while_it_renews(tmp_path):
    """Without a lease nobody leads."""
    config = _config(tmp_path, "records: r\n")
    assert not Leadership(config.lease, "me").is_leader()
