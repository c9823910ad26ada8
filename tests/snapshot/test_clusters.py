"""The list of live clusters: what it may say, and that it holds no secret."""

from pathlib import Path

import pytest

from warden.errors import ConfigurationError
from warden.replicate.secret import Secret
from warden.snapshot.clusters import ListedCluster, read_clusters

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

    assert ListedCluster("a", "a:1,b:2") == first
    assert {} == first.security()
    assert isinstance(second.properties["sasl.jaas.config"], Secret)
    assert "hush" not in repr(second)
    expected = {"security.protocol": "SASL_SSL", "enable.x": "true", "sasl.jaas.config": "hush", "client.id": "x"}
    assert expected == second.security()
    monkeypatch.delenv("JAAS")
    with pytest.raises(ConfigurationError, match=r"clusters\.1\.properties\.sasl\.jaas\.config: .* JAAS is not set"):
        second.security()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[", "clusters.yaml:2: not YAML (did not find"),
        ("a: 1", "clusters is no list"),
        ("clusters: []\nclusters: [x]", "clusters.yaml:2: the key clusters is there already, in line 1"),
        ("clusters: []", "clusters is no list"),
        ("clusters: [x]", "clusters.0: not a mapping"),
        ("clusters: [{name: a}]", "clusters.0.bootstrapServers is missing or no text"),
        ("clusters: [{name: 1, bootstrapServers: x}]", "clusters.0.name is missing or no text"),
        ("clusters: [{name: a, bootstrapServers: x, user: y}]", "clusters.0.user is not known"),
        ("clusters: [{name: a, bootstrapServers: x, properties: [y]}]", "clusters.0.properties is not a mapping"),
        ("clusters: [{name: a, bootstrapServers: x, properties: {y: {z: 1}}}]", "neither a text nor a secret"),
        ("clusters: [{name: a, bootstrapServers: x}, {name: a, bootstrapServers: y}]", "the cluster a is there twice"),
    ],
)
def test_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    """One sentence that names the place."""
    with pytest.raises(ConfigurationError) as caught:
        read_clusters(write(tmp_path, text))

    assert said in str(caught.value)
