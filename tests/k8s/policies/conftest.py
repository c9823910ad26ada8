"""ConfigMaps with policies, and what follows them."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.k8s.control_plane import ControlPlane
from tests.k8s.policies.policy_maps import Maps, open_maps
from warden.policy.bundle.build import Bundle


@pytest.fixture
def maps(
    control_plane: ControlPlane, placement_bundle: Bundle, namespace: Callable[[str], str], tmp_path: Path
) -> Iterator[Maps]:
    """ConfigMaps about everything and of two tenants that a replicator follows, and a namespace that is not listed.

    OPA has none before, and refuses.
    """
    shop, pay = namespace("shop"), namespace("pay")
    with open_maps(control_plane, placement_bundle, tmp_path, namespace("policies"), shop, pay) as made:
        made.shop, made.pay, made.unlisted = shop, pay, namespace("unlisted")
        assert ["KFK-PLC-003: no policies of ConfigMaps are loaded"] == made.answer()["errors"]
        with made:
            yield made
