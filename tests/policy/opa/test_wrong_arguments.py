"""A client of OPA refuses what no request could be made of before anything is sent, and not with a library's error."""

import json

import pytest

from warden.base.errors import ConfigurationError, InputError
from warden.base.files.config_model import read_model
from warden.policy.opa.bearer import Bearer
from warden.policy.opa.client import OpaClient
from warden.policy.opa.connection_config import OpaConnectionConfig


@pytest.mark.parametrize("url", ["http://[::1", "http://a b", "http://127.0.0.1:1\n", "http://*:8181", "opa:8181"])
def test_an_address_that_is_none(url, tmp_path):
    """It is refused before anything is sent, and in a configuration file with its line."""
    with pytest.raises(
        ConfigurationError, match=r"^invalid OPA address .*: expected one such as http://127.0.0.1:8181$"
    ):
        OpaClient(url)
    (tmp_path / "opa.yaml").write_text(json.dumps({"url": url}))
    with pytest.raises(ConfigurationError, match=r"opa\.yaml:1: url: .* is not valid: write http://127.0.0.1:8181$"):
        read_model(tmp_path / "opa.yaml", OpaConnectionConfig, "YAML file with an OPA")


@pytest.mark.parametrize("token", ["one\ntwo", "€"])
def test_a_token_that_cannot_be_sent(token):
    """Neither does a library refuse it, nor does its text have it."""
    with pytest.raises(ConfigurationError, match=r"^OPA's token has a line end"):
        OpaClient("http://127.0.0.1:1", token=token)
    tokens = iter(["good", token])
    bearer = Bearer(lambda: next(tokens))
    assert "Bearer good" == bearer.get_header()
    assert not bearer.renew("Bearer good")


def test_an_input_that_is_nested_too_deeply():
    """Whatever Python says of what JSON has no form for, it is one error."""
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with (
        OpaClient("http://127.0.0.1:1") as client,
        pytest.raises(InputError, match=r"^the input cannot be written as JSON \(.*\): build it of JSON's types$"),
    ):
        client.decide({"request": deep})
