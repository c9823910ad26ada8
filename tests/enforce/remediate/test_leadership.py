"""The Lease as others leave it; tests/k8s/remediation has an API server."""

from typing import TYPE_CHECKING, cast

import pytest

from warden.enforce.remediate.config import LeaseEntry
from warden.enforce.remediate.leadership import Leadership

if TYPE_CHECKING:
    from warden.state.sources.kubernetes.api import ApiServer


class _Api:
    """Has a Lease that nobody holds, with a note of past patches."""

    def __init__(self, note):
        self._note = note

    def get(self, path):
        return {"metadata": {"annotations": {"remediation.warden.io/patches": self._note}}, "spec": {}}

    def send(self, method, path, document):
        return document


@pytest.mark.parametrize("note", ["", "x", "[]", "{}", '{"a": 1}', pytest.param("[" * 90_000, id="nested too deeply")])
def test_a_note_of_no_patches(note):
    """Whatever stands there, the Lease is taken, and no patch counts."""
    leadership = Leadership(LeaseEntry(), "me")

    assert leadership.acquire_or_renew(cast("ApiServer", _Api(note)), list)
    assert [] == leadership.ages
