"""``warden configs`` over a service: quotas at the broker, client configs at the service."""

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from tests.enforce.service.running import Caller, RunningService
from tests.fixtures.brokers.tools import run_tool
from tests.fixtures.conditions import eventually
from warden.base.http.ports import find_free_port
from warden.commands.configs import command
from warden.demo.local_broker import LocalBroker
from warden.policy.opa.local import LocalOpa

pytestmark = [pytest.mark.kafka, pytest.mark.opa]

NORA = ["--entity-type", "users", "--entity-name", "nora"]
APP = ["--entity-type", "clients", "--entity-name", "app"]

Lines = Callable[..., tuple[int | BaseException | None, list[str]]]


@pytest.fixture
def configs(service: RunningService, broker: LocalBroker, few_opa: LocalOpa, config_admin: str) -> Lines:
    """Runs `warden configs`; what is given goes over what it is given otherwise."""

    def run(*arguments: str, url: str = service.url, token: str = "token-of-admin") -> tuple[object, list[str]]:
        opa = ["--opa-url", few_opa.url, "--opa-token", few_opa.tokens.query]
        where = ["--bootstrap-server", broker.bootstrap_servers, *opa, "--principal", config_admin]
        over = ["--service", url, "--service-token", token]
        done = CliRunner().invoke(command, [*where, *over, *arguments], standalone_mode=False)
        lines = [
            line
            for line in (done.stdout + done.stderr).splitlines()
            if not line.startswith(("  dryrun", "  warn", "    fix"))
        ]
        return done.exception or done.return_value, lines

    return run  # type: ignore[return-value] # click's own value is of any type


def test_alter_and_describe(configs: Lines, admin: Caller, broker: LocalBroker) -> None:
    """The lines are those without a service; what is stored is the service's."""
    done = 0, ["Completed updating config for user nora."]
    assert done == configs("--alter", *NORA, "--add-config", "acks=all,producer_byte_rate=50000")
    assert done == configs("--alter", *NORA, *APP, "--add-config", "acks=0")
    quota = "Quota configs for user-principal 'nora' are producer_byte_rate=50000.0"
    described = 0, [quota, "Dynamic configs for user-principal 'nora' are acks=-1"]
    eventually(lambda: described == configs("--describe", *NORA), "the broker knows the quota")
    all_clients = configs("--describe", *NORA, "--entity-type", "clients")
    assert (0, ["Dynamic configs for user-principal 'nora', client-id 'app' are acks=0"]) == all_clients
    assert [quota] == run_tool(broker, "kafka.admin.ConfigCommand", "--describe", *NORA).splitlines()

    filter_ = {"components": [{"entityType": "user", "matchType": 0, "match": "nora"}]}
    assert 2 == len(admin.post("client-configs/describe", filter_).json()["entries"])
    assert done == configs("--alter", *NORA, "--delete-config", "acks,producer_byte_rate")
    eventually(lambda: (0, []) == configs("--describe", *NORA), "the broker knows that the quota is gone")


def test_what_is_refused(configs: Lines) -> None:
    """By the service in its words; and where it is away, or nobody has the token, nothing is done."""
    status, lines = configs("--alter", *NORA, "--add-config", "acks=2,producer_byte_rate=50000")
    assert (1, "Not updated config for user nora.", "denied: INVALID_REQUEST") == (status, *lines[:2])
    assert "Invalid value 2 for configuration acks" in lines[2]
    status, lines = configs("--alter", *NORA, "--add-config", "acks=1", token="token-of-alice")
    assert (1, "denied: CLUSTER_AUTHORIZATION_FAILED") == (status, lines[1])
    status, lines = configs("--describe", *NORA, token="token-of-nobody")
    assert (1, True) == (status, "answered 401: nobody has this token" in lines[-1])
    status, lines = configs("--alter", *NORA, "--add-config", "acks=1", url=f"http://127.0.0.1:{find_free_port()}")
    assert (1, True) == (status, "cannot be reached" in lines[-1]), lines
    assert (0, []) == configs("--describe", *NORA)


def test_client_configs_alone(service: RunningService, admin: Caller) -> None:
    """With a service neither a cluster nor an OPA is needed, until there are quotas."""
    closed = f"127.0.0.1:{find_free_port()}"

    def run(*arguments: str) -> tuple[object, str, str]:
        over = ["--service", service.url, "--service-token", "token-of-admin"]
        nowhere = ["--opa-url", f"http://{closed}", "--opa-token", "x", "--timeout", "20"]
        done = CliRunner().invoke(command, [*over, *nowhere, *arguments], standalone_mode=False)
        return done.exception or done.return_value, done.stdout, done.stderr

    done = 0, "Completed updating config for user nora.\n", ""
    assert done == run("--alter", *NORA, "--add-config", "acks=all")
    assert done == run("--bootstrap-server", closed, "--alter", *NORA, "--add-config", "session.timeout.ms=11000")
    note = "Quotas are not shown: they are the broker's, give --bootstrap-server.\n"
    said = "Dynamic configs for user-principal 'nora' are session.timeout.ms=11000, acks=-1\n"
    assert (0, said, note) == run("--describe", *NORA)
    status, document, _ = run("--describe", *NORA, "--output", "json")
    assert (0, [None]) == (status, [one["quotas"] for one in json.loads(document)])
    assert done == run("--alter", *NORA, "--delete-config", "acks")
    missing = run("--alter", *NORA, "--delete-config", "acks")
    assert (1, "", "warden: Invalid config(s): acks\n") == missing

    for quotas in (["--alter", *NORA, "--add-config", "acks=1,producer_byte_rate=1"], ["--describe", *APP]):
        refused = run(*quotas)
        assert (1, "warden: quotas are the broker's: give --bootstrap-server beside --service\n") == refused[::2]
    unreachable = run("--bootstrap-server", closed, "--describe", *APP)
    assert (1, True) == (unreachable[0], closed in unreachable[2]), unreachable
    assert (0, said.replace(", acks=-1", "")) == run("--describe", *NORA)[:2]
