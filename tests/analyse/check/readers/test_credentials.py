"""SCRAM credentials that files declare: one decision input for each mechanism, without a password."""

import pytest

from tests.analyse.check.conftest import Read

_USER = """\
apiVersion: kafka.jikkou.io/v1
kind: KafkaUser
metadata: {name: bob}
spec:
  authentications:
  - type: scram-sha-256
    password: not to be read
    iterations: 1000
  - type: scram-sha-512
"""


def test_jikkou(read: Read) -> None:
    """Where a file says no iterations, Jikkou requests 8192."""
    contents = read(_USER)

    assert [] == contents.faults
    assert [
        ("AlterScram", {"user": "bob", "mechanism": "SCRAM-SHA-256", "iterations": 1000}),
        ("AlterScram", {"user": "bob", "mechanism": "SCRAM-SHA-512", "iterations": 8192}),
    ] == [(one.operation, one.request) for one in contents.declared]
    assert ("jikkou", 6, 8) == (
        contents.declared[0].format,
        contents.declared[0].line,
        contents.declared[0].find_line(["iterations"]),
    )
    assert "not to be read" not in repr(contents.declared)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("scram-sha-256", "plain", "6: unknown type plain: write one of scram-sha-256, scram-sha-512"),
        ("iterations: 1000", "iterations: 1_000", "8: iterations is not a whole number: write its digits"),
        ("iterations: 1000", "iterations: '1000'", "8: iterations is not a whole number: write its digits"),
        ("{name: bob}", "{}", "1: metadata.name is not a string"),
        ("authentications:", "authentication:", "1: spec.authentications is missing: write the mechanisms"),
    ],
)
def test_what_cannot_be_decided(read: Read, old: str, new: str, said: str) -> None:
    """An error with its line."""
    contents = read(_USER.replace(old, new))

    (fault,) = contents.faults
    assert f"{fault.line}: {fault.message}".startswith(said)
