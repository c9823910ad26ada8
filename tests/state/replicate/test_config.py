"""The configuration file: what it gives, and how each mistake is reported."""

from pathlib import Path

import pytest

from tests.fixtures.checkout import CHECKOUT
from warden.base.errors import ConfigurationError
from warden.state.replicate.config import read_config
from warden.state.replicate.loss_guard import LossGuard

_WHOLE = """\
opa: {url: "https://opa.example.com:8181", token: {env: WARDEN_TEST_TOKEN}, timeout: 5}
owners:
  from: [{pattern: '(?P<owner>[a-z]+)[.].*'}]
clusters:
  - name: prod-eu
    bootstrapServers: b1:9093, b2:9093
    interval: 2
    guard: {share: 0.2, atLeast: 5, confirmAfter: 60}
    properties:
      security.protocol: SASL_SSL
      sasl.mechanism: SCRAM-SHA-512
      sasl.jaas.config: {file: jaas}
  - name: dev
    bootstrapServers: localhost:9092
    release: "3.9"
    owners: {owner: team, principal: madeBy, from: [{topic: labels}]}
"""


def _read(directory: Path, text: str):
    path = directory / "replicator.yaml"
    path.write_text(text)
    return read_config(path)


def test_a_whole_file(tmp_path, monkeypatch):
    """Every key arrives; secrets are read when they are needed; what is not written has its default."""
    monkeypatch.setenv("WARDEN_TEST_TOKEN", "t0ken")
    (tmp_path / "jaas").write_text("secret\n")

    config = _read(tmp_path, _WHOLE)
    prod, dev = (replicated.source for replicated in config.replicated)

    assert ("https://opa.example.com:8181", "t0ken", 5.0) == (
        config.opa.url,
        config.opa.token.read(),
        config.opa.timeout,
    )
    assert LossGuard(share=0.2, at_least=5, confirm_after=60.0) == config.replicated[0].settings.guard
    assert LossGuard() == config.replicated[1].settings.guard
    assert [2.0, 1.0] == [replicated.settings.interval for replicated in config.replicated]
    assert (("clusters", "prod-eu"), ("clusters", "dev")) == (prod.root, dev.root)
    assert {"sasl.jaas.config": "secret", "sasl.mechanism": "SCRAM-SHA-512", "security.protocol": "SASL_SSL"} == (
        prod._settings.read_security()
    )
    assert ({"owner": "payments"}, ("team", "madeBy")) == (
        prod._labelling.get("payments.orders"),
        (dev._labelling.owner, dev._labelling.principal),
    )
    assert [None, "3.9"] == [source._settings.release for source in (prod, dev)]
    assert [2000, 1000] == [source._settings.describe_per_poll for source in (prod, dev)]


_ONE = "clusters: [{name: a, bootstrapServers: 'h:1'%s}]\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: [", "replicator.yaml:2: not YAML (did not find expected node content while parsing a flow node"),
        ("- a\n", "replicator.yaml:1: a list is not a mapping: write keys with values"),
        ("registration: a\n", "registration belongs to policies: write that section too, or leave it out"),
        ("opa: {}\n", "replicator.yaml:1: nothing to replicate: write clusters:, kubernetes:, files: or policies:"),
        (
            "cluster: []\n",
            "replicator.yaml:1: unknown key cluster: write clusters, the nearest of clusters, files, ",
        ),
        (
            "clusters: {name: a}\n",
            "replicator.yaml:1: clusters: a mapping is not a list: write one, each item with a dash",
        ),
        (
            "opa:\n  url: opa:8181\nclusters: []\n",
            "replicator.yaml:2: opa.url: 'opa:8181' is not valid: write http://127.0.0.1:8181",
        ),
        (
            "opa:\n  token: s3cret\n",
            "replicator.yaml:2: opa.token: a secret is never in this file: write {env: NAME} or {file: PATH}",
        ),
        (
            "clusters:\n- name: a\n",
            "replicator.yaml:2: clusters.0.bootstrapServers is missing: write host:port, several with commas",
        ),
        (
            _ONE % ", intervall: 1",
            "clusters.0: unknown key intervall: write interval, the nearest of activityInterval, ",
        ),
        (_ONE % ", interval: 0", "clusters.0.interval: 0 is not valid: write a number of at least 0.1, such as 1"),
        (_ONE % ", interval: yes", "clusters.0.interval: true is not valid"),
        (
            _ONE % ", guard: {share: 2}",
            "clusters.0.guard.share: 2 is not valid: write a number from 0 to 1, such as 0.5",
        ),
        (_ONE % ", guard: {atLeast: .inf}", "replicator.yaml:1: .inf has no place in JSON: write a number"),
        (
            _ONE % ", guard: {atLeast: 0.5}",
            "clusters.0.guard.atLeast: 0.5 is not valid: write a whole number of at least 1, such as 20",
        ),
        ("opa: {}\n" + _ONE % "" + "opa: {}\n", "replicator.yaml:3: the key opa is there already, in line 1: keep one"),
        (_ONE % "" * 2, "replicator.yaml:2: the key clusters is there already, in line 1: keep one of the two"),
        (
            _ONE % ", describePerPoll: 2.5",
            "clusters.0.describePerPoll: 2.5 is not valid: write a whole number of at least 1, such as 1000",
        ),
        (_ONE % ", release: 4.10", 'clusters.0.release: 4.1 is not valid: write a release in quotes, such as "4.3"'),
        (_ONE % ", describePerPoll: true", "clusters.0.describePerPoll: true is not valid"),
        (
            _ONE % ", guard: {part: 2}",
            "clusters.0.guard: unknown key part: write one of atLeast, confirmAfter, share",
        ),
        (
            _ONE % ", properties: {sasl.jaas.config: 'password=x'}",
            "clusters.0.properties.sasl.jaas.config: a secret is never",
        ),
        (
            _ONE % ", properties: {sasl.oauthbearer.client.credentials.client.secret: x}",
            "clusters.0.properties.sasl.oauthbearer.client.credentials.client.secret: a secret is never in this file",
        ),
        (_ONE % ", properties: {a: {envv: X}}", "clusters.0.properties.a: a secret is never in this file"),
        (_ONE % ", properties: {a: [1]}", "clusters.0.properties.a: this is not a string: write one, or {env: NAME}"),
        (_ONE % ", owners: {}", "clusters.0.owners.from is missing: write a list of {pattern: …}"),
        (
            _ONE % ", owners: {from: [{pattern: '('}]}",
            "clusters.0.owners.from.0.pattern: '(' is not a regular expression",
        ),
        (_ONE % ", owners: {from: [{pattern: 'a'}]}", "clusters.0.owners.from.0.pattern: 'a' has no named group"),
        (
            _ONE % ", lease: 1",
            "clusters.0.lease: 1 is not valid: write a number of at least 2, which interval calls for",
        ),
        (_ONE % ", owners: {from: []}", "clusters.0.owners.from is empty: write a list of {pattern: …}"),
        (
            _ONE % ", owners: {from: [{patern: x}]}",
            "clusters.0.owners.from.0: unknown key patern: write pattern",
        ),
        (_ONE % ", clientFiles: nowhere", "nowhere is not a directory: write the path of one, relative to this file"),
        (
            _ONE % ", owners: {from: [{directory: nowhere}]}",
            "nowhere is not a directory: write the path of one, relative to this file",
        ),
        (
            _ONE % ", owners: {from: [{topic: t, pattern: x}]}",
            "owners.from.0: write exactly one of pattern, directory and topic",
        ),
        (_ONE % "" + "owners: {from: [{topic: ''}]}\n", "owners.from.0.topic: '' is not valid: write a topic's name"),
        (
            "clusters:\n- {name: a, bootstrapServers: 'h:1'}\n- {name: a, bootstrapServers: 'h:2'}\n",
            "replicator.yaml:3: clusters.1: data.clusters.a belongs to another entry already: give each a place of its",
        ),
        ("clusters: [{name: 'a/b', bootstrapServers: 'h:1'}]", "clusters.0.name: 'a/b' is not valid"),
        ("clusters: [{name: '..', bootstrapServers: 'h:1'}]", "clusters.0.name: '..' is not valid"),
        (
            "clusters: [{name: a, bootstrapServers: h}]",
            "clusters.0.bootstrapServers: 'h' is not valid: write host:port",
        ),
    ],
)
def test_each_mistake_is_reported_by_file_line_and_place(tmp_path, text, expected):
    """One sentence with what to write instead; a secret that was written by mistake is not repeated."""
    with pytest.raises(ConfigurationError) as caught:
        _read(tmp_path, text)

    assert expected in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert "password" not in str(caught.value)


def test_all_mistakes_are_reported_at_once(tmp_path):
    """In the order of their lines, those between two entries too, and none that only follows from another."""
    text = """\
opa:
  timeout: -1
owners:
  from:
  - pattern: (
clusters:
- name: a
  compare: x
  interval: y
- {name: b, bootstrapServers: 'h:1'}
- {name: b, bootstrapServers: 'h:2'}
kubernetes:
- resources:
  - {apiVersion: v1, kind: '', as: /}
"""
    with pytest.raises(ConfigurationError) as caught:
        _read(tmp_path, text)

    assert [
        "2: opa.timeout",
        "5: owners.from.0.pattern",
        "7: clusters.0.bootstrapServers is missing",
        "8: clusters.0.compare",
        "9: clusters.0.interval",
        "11: clusters.2",
        "14: kubernetes.0.resources.0.as",
        "14: kubernetes.0.resources.0.kind",
    ] == [":".join(line.split(":")[1:3]) for line in str(caught.value).splitlines()]


def test_secrets_that_cannot_be_had(tmp_path, monkeypatch):
    """The place in the file is named, and what is missing."""
    monkeypatch.delenv("WARDEN_TEST_TOKEN", raising=False)
    config = _read(tmp_path, _WHOLE)

    with pytest.raises(ConfigurationError, match=r"opa.token: the environment variable WARDEN_TEST_TOKEN is not set"):
        config.opa.build_client()
    with pytest.raises(ConfigurationError, match=r"properties.sasl.jaas.config: .*jaas cannot be read"):
        config.replicated[0].source._settings.read_security()
    (tmp_path / "jaas").write_text("\n")
    with pytest.raises(ConfigurationError, match=r"properties.sasl.jaas.config: .*jaas is empty: write the secret"):
        config.replicated[0].source._settings.read_security()


def test_a_file_that_is_not_there(tmp_path):
    """Not even that is a trace."""
    with pytest.raises(ConfigurationError, match=r"none.yaml: cannot be read"):
        read_config(tmp_path / "none.yaml")


def test_the_example_of_the_documentation(tmp_path):
    """It is a file that is accepted as it stands."""
    page = (CHECKOUT / "docs/operate/replicator.md").read_text(encoding="utf-8")
    (tmp_path / "topic-labels").mkdir()

    config = _read(tmp_path, page.partition("```yaml\n")[2].partition("```")[0])

    assert ["prod-eu", "dev"] == [replicated.source.name for replicated in config.replicated]
