"""The list of live clusters: what it may say, and that it holds no secret."""

from pathlib import Path

import pytest

from warden.base.errors import ConfigurationError
from warden.base.files.secret import Secret
from warden.state.sources.kafka.clusters import ListedCluster, read_clusters

GOOD = """
clusters:
  - {name: a, bootstrapServers: "a:1,b:2"}
  - name: b
    bootstrapServers: c:3
    commandConfig: %s
    properties: {security.protocol: SASL_SSL, enable.x: true, sasl.jaas.config: {env: JAAS}}
"""


def write(directory: Path, text: str) -> Path:
    """Write a list."""
    path = directory / "clusters.yaml"
    path.write_text(text)
    return path


def test_clusters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names, addresses and properties; a secret is read where the cluster is read, and shown nowhere before."""
    config = tmp_path / "client.properties"
    config.write_text("security.protocol=PLAINTEXT\nclient.id=x\n")
    first, second = read_clusters(write(tmp_path, GOOD % config))
    monkeypatch.setenv("JAAS", "hush")

    assert ListedCluster(name="a", bootstrap_servers="a:1,b:2") == first
    assert {} == first.read_security()
    assert isinstance(second.properties["sasl.jaas.config"], Secret)
    assert "hush" not in repr(second)
    expected = {"security.protocol": "SASL_SSL", "enable.x": "true", "sasl.jaas.config": "hush", "client.id": "x"}
    assert expected == second.read_security()
    monkeypatch.delenv("JAAS")
    with pytest.raises(ConfigurationError, match=r"clusters\.1\.properties\.sasl\.jaas\.config: .* JAAS is not set"):
        second.read_security()


_ONE = "clusters: [{name: a, bootstrapServers: 'x:1'%s}]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "clusters.yaml:2: not YAML (did not find"),
        ("a: 1", "clusters.yaml:1: clusters is missing: write a list with a name and bootstrapServers each"),
        ("clusters: []\nclusters: [x]", "clusters.yaml:2: the key clusters is there already, in line 1"),
        ("clusters: []", "clusters is empty: write a list with a name"),
        ("clusters: [x]", "clusters.0: 'x' is not a mapping"),
        ("clusters: [{name: a}]", "clusters.0.bootstrapServers is missing: write host:port"),
        ("clusters: [{name: 1, bootstrapServers: 'x:1'}]", "clusters.0.name: 1 is not valid: write the cluster's name"),
        (
            "clusters: [{name: a, bootstrapServers: x}]",
            "clusters.0.bootstrapServers: 'x' is not valid: write host:port",
        ),
        (
            _ONE % ", user: y",
            "clusters.0: unknown key user: write one of bootstrapServers, commandConfig, name",
        ),
        (_ONE % ", comandConfig: y", "clusters.0: unknown key comandConfig: write commandConfig"),
        (_ONE % ", properties: [y]", "clusters.0.properties: this is not a mapping"),
        (
            _ONE % ", properties: {y: {z: 1}}",
            "clusters.0.properties.y: a secret is never in this file: write {env: NAME}",
        ),
        (_ONE % ", properties: {y: [1]}", "clusters.0.properties.y: this is not a string: write one, or {env: NAME}"),
        (_ONE % ", properties: {sasl.jaas.config: y}", "clusters.0.properties.sasl.jaas.config: a secret is never"),
        (
            "clusters:\n- {name: a, bootstrapServers: 'x:1'}\n- {name: a, bootstrapServers: 'y:1'}",
            "clusters.yaml:3: clusters.1: cluster a is named twice: give each its own name",
        ),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    """One sentence that names the place."""
    with pytest.raises(ConfigurationError) as caught:
        read_clusters(write(tmp_path, text))

    assert said in str(caught.value)
