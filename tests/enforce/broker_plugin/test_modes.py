"""The plugin tries a policy out, and believes nothing that is not a decision."""

import os
import signal
from pathlib import Path

import pytest

from tests.enforce.broker_plugin.inside import start_inside
from tests.fixtures.conditions import eventually
from tests.fixtures.http import Handler, served
from warden.base.errors import KafkaError
from warden.policy.bundle.build import Bundle

_POLICY_VIOLATION = 44
_ANSWERS = {
    b"shop.text": b'{"result": {"0": {"allowed": "yes"}}}',
    b"shop.nothing": b'{"result": {}}',
    b"shop.other": b'{"result": {"1": {"allowed": true}}}',
    b"shop.undefined": b"{}",
    b"shop.cut": b'{"result": {"0": {"allowed": true}',
    b"shop.list": b'{"result": [true]}',
}

pytestmark = [pytest.mark.kafka, pytest.mark.slow]


def test_dryrun_only_logs(rules: Bundle, opa_binary: Path, plugin: Path, tmp_path: Path) -> None:
    """What would be denied is carried out and logged, and so is what nobody decides."""
    with start_inside(rules, opa_binary, plugin, tmp_path, mode="dryrun") as inside:
        assert {"BAD_Name": (0, ""), "shop.kept": (0, "")} == inside.create("BAD_Name", "shop.kept")
        inside.replicate("shop.kept")
        assert 0 == inside.alter("shop.kept", {"retention.ms": "-1"})[0]
        assert {"shop.kept": 0} == inside.delete("shop.kept")
        os.kill(inside.opa.pid, signal.SIGKILL)
        eventually(lambda: not inside.opa.is_alive, "OPA has ended")
        assert {"shop.undecided": (0, "")} == inside.create("shop.undecided")

        for line in (
            "would be denied: CreateTopic of topic BAD_Name by User:ANONYMOUS: KFK-NAM-001",
            "would be denied: AlterTopic of configs of topic shop.kept by User:ANONYMOUS: KFK-DEL-005",
            "would be denied: DeleteTopic of topic shop.kept by User:ANONYMOUS: KFK-DEL-005",
            "not decided, and let through: topic shop.undecided: OPA does not answer",
        ):
            assert line in inside.log


class _Nonsense(Handler):
    """Answers like an OPA that is there, and decides nothing."""

    reached: set[bytes]

    def respond(self) -> None:
        body = self.body()
        named = [name for name in _ANSWERS if name in body]
        self.reached.update(named)
        self.answer(200, _ANSWERS[named[0]] if named else b'{"result": {}}')


def test_what_is_no_decision_allows_nothing(rules: Bundle, opa_binary: Path, plugin: Path, tmp_path: Path) -> None:
    """An answer without a decision, of whatever form, denies, and nobody waits until answers are sound again."""
    _Nonsense.reached = set()
    with (
        served(_Nonsense) as url,
        start_inside(rules, opa_binary, plugin, tmp_path, opa_url=url) as inside,
    ):
        for name in _ANSWERS:

            def is_denied(name: bytes = name) -> bool:
                (code, _), *_ = inside.create(name.decode()).values()
                assert _POLICY_VIOLATION == code
                return name in _Nonsense.reached

            eventually(is_denied, f"{name!r} reached the decision")
        assert set() == inside.topics()


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"warden.broker.cluster": ""}, "give the name that the cluster has"),
        ({"warden.broker.opa.url": "http://opa.example:8181"}, "give an OPA of this machine"),
        ({"warden.broker.buget.ms": "1"}, "unknown: warden.broker.buget.ms"),
        ({"authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer"}, "authorizer.class.name"),
        ({"alter.config.policy.class.name": ""}, "alter.config.policy.class.name"),
    ],
)
def test_a_broker_does_not_start_with_half_of_it(
    changed: dict[str, str], sentence: str, rules: Bundle, opa_binary: Path, plugin: Path, tmp_path: Path
) -> None:
    """A setting that is wrong, and another class in the place of one of the three, are refused with a sentence."""
    with pytest.raises(KafkaError, match=sentence), start_inside(rules, opa_binary, plugin, tmp_path, own=changed):
        pass
