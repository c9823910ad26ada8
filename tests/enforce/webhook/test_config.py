"""The webhook's configuration: the design's form, ours, and what is wrong in either."""

import pytest
from click.testing import CliRunner

from tests.docs.console import File, iter_page
from tests.fixtures.checkout import CHECKOUT
from warden.base.errors import ConfigurationError
from warden.commands.webhook import command
from warden.enforce.webhook.config import read_config
from warden.enforce.webhook.registration import build_registration
from warden.state.config_map_policies.entry import POLICY_NAMESPACE

DESIGN = """{
  "EnforceSchedulingPolicy": {
    "url": “https://opa.federation.svc.cluster.local:8181/v1/data/io/k8s/federation/annotations”,
    "token": "super-secret-token-value"
  }
}
"""


def _read(directory, text):
    path = directory / "webhook.yaml"
    path.write_text(text, encoding="utf-8")
    return read_config(path)


@pytest.mark.parametrize("text", [DESIGN, DESIGN.replace("“", '"').replace("”", '"')])
def test_the_form_of_the_design(tmp_path, text):
    """Word for word, typographic quotation marks and all, and as JSON."""
    config = _read(tmp_path, text)

    assert "https://opa.federation.svc.cluster.local:8181/v1/data/io/k8s/federation/annotations" == config.url
    assert "super-secret-token-value" == config.token()


def test_the_token_of_the_design_follows_the_file(tmp_path):
    """Another token in the file is the one that is sent from then on."""
    config = _read(tmp_path, DESIGN)
    config.token()
    other = tmp_path / "other"
    other.write_text(DESIGN.replace("super-secret-token-value", "another"), encoding="utf-8")
    other.replace(tmp_path / "webhook.yaml")

    assert "another" == config.token()


def test_our_own_form(tmp_path):
    """Paths are relative to the file, and a token is read when it is sent."""
    (tmp_path / "token").write_text("secret\n", encoding="utf-8")
    config = _read(
        tmp_path,
        "opa: {url: 'https://opa:8181', token: {file: token}, caFile: ca.crt, certificateFile: c, keyFile: k, "
        "timeout: 4, attempts: 2, pause: 0}\n"
        "kinds: [{group: batch, resource: jobs}, {group: a.io, resource: my-things}]\n",
    )

    assert ("https://opa:8181/v1/data/io/k8s/federation/admission", "secret") == (config.url, config.token())
    assert (tmp_path / "ca.crt", (tmp_path / "c", tmp_path / "k")) == (config.ca_file, config.client_certificate)
    assert (4, 2, 0) == (config.timeout, config.retries.attempts, config.retries.base)
    assert [("batch", "v1", "jobs"), ("a.io", "v1", "my-things")] == [
        (kind.group, kind.version, kind.resource) for kind in config.kinds
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{}", "write exactly one of EnforceSchedulingPolicy and opa"),
        ("opa: {}\nEnforceSchedulingPolicy: {url: 'http://a/v1/data/b', token: t}", "write exactly one of"),
        ("opa: {}\nurl: x", "url: "),
        ("opa: {pause: -1}", "opa.pause: "),
        ("opa: {attempts: 0}", "opa.attempts: "),
        ("opa: {token: secret}", "a secret is never in this file"),
        ("opa: {certificateFile: a}", "certificateFile and keyFile belong together"),
        ("EnforceSchedulingPolicy: {url: 'http://opa:8181', token: t}", "this is not the URL of a document in OPA"),
        ("EnforceSchedulingPolicy: {url: 'http://a/v1/data/b'}", "token is missing: "),
        ("opa: {}\nkinds: []", "kinds is empty: "),
        ("opa: {}\nkinds: [{resource: '*'}]", "kinds.0.resource: "),
    ],
)
def test_mistakes(tmp_path, text, sentence):
    """The sentence names the file, the line and the field."""
    with pytest.raises(ConfigurationError) as raised:
        _read(tmp_path, text)

    assert str(raised.value).startswith(f"{tmp_path / 'webhook.yaml'}:")
    assert sentence in str(raised.value)


def test_a_file_that_is_missing(tmp_path):
    """It is named."""
    with pytest.raises(ConfigurationError, match=r"nowhere\.yaml"):
        read_config(tmp_path / "nowhere.yaml")


def test_what_the_api_server_is_to_send(tmp_path):
    """The kinds of the configuration, never all; neither system namespaces nor those of policies and of Warden."""
    manifest = build_registration(
        _read(tmp_path, "opa: {}").kinds, {"url": "https://a/mutate"}, b"ca", own_namespace="own"
    )
    (webhook,) = manifest["webhooks"]

    assert ["deployments", "replicasets"] == [resource for rule in webhook["rules"] for resource in rule["resources"]]
    assert {("CREATE", "UPDATE")} == {tuple(rule["operations"]) for rule in webhook["rules"]}
    assert ("NoneOnDryRun", "IfNeeded") == (webhook["sideEffects"], webhook["reinvocationPolicy"])
    left_out = webhook["namespaceSelector"]["matchExpressions"][0]["values"]
    assert {"kube-system", POLICY_NAMESPACE, "own"} <= set(left_out)


def test_the_configuration_of_the_page(tmp_path):
    """What docs/operate/webhook.md has its reader write can be read."""
    page = iter_page((CHECKOUT / "docs" / "operate" / "webhook.md").read_text(encoding="utf-8"))
    (file,) = (one for one in page if isinstance(one, File))

    assert ("https://opa.warden.svc:8181/v1/data/io/k8s/federation/admission", 2) == (
        (config := _read(tmp_path, file.text)).url,
        len(config.kinds),
    )


@pytest.mark.parametrize("content", ["", "\x00", "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n"])
def test_an_authority_that_is_no_certificate(tmp_path, content):
    """The API server would refuse it; and a key that stands beside it is not to be published in a manifest."""
    for name, text in (("webhook.yaml", "opa: {}"), ("ca.crt", content)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    files = ["--config", tmp_path / "webhook.yaml", "--authority", tmp_path / "ca.crt"]
    arguments = ["registration", *map(str, files), "--service", "a/b"]
    with pytest.raises(ConfigurationError, match=r"--authority .*: name a PEM file that has certificates, and no key"):
        CliRunner().invoke(command, arguments, standalone_mode=False, catch_exceptions=False)


@pytest.mark.parametrize("url", ["http://[::1/v1/data/x", "http://a b/v1/data/x", "opa/v1/data/x", "https://opa/v1"])
def test_a_document_without_an_address(tmp_path, url):
    """It is refused with its line."""
    with pytest.raises(
        ConfigurationError, match=r"webhook\.yaml:1: EnforceSchedulingPolicy\.url: this is not the URL of"
    ):
        _read(tmp_path, f"EnforceSchedulingPolicy: {{url: '{url}', token: a}}")
