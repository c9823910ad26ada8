"""The picture of the architecture names what the package is made of."""

from xml.etree import ElementTree as ET

import pytest

from tests.fixtures.checkout import CHECKOUT
from tools.layers import GROUPS

_PICTURE = CHECKOUT / "docs" / "explain" / "architecture.svg"
# Rooms whose part in the picture has another name.
_NAMES = {
    "broker_plugin_properties": "broker",
    "client_configs": "service",
    "remediate": "remediator",
    "notify": "report, notify",
    "report": "report, notify",
    "upgrade": "trend, upgrade",
    "trend": "trend, upgrade",
}
# Rooms that serve others in their group.
_INSIDE = {"proposal", "placement_preview"}


@pytest.mark.parametrize("group", ["warden.enforce", "warden.analyse"])
def test_the_picture_has_every_part(group: str) -> None:
    """Each enforcement point, and each way to look at many resources, stands in the picture."""
    texts = {text.text for text in ET.parse(_PICTURE).iter("{http://www.w3.org/2000/svg}text")}
    rooms = set(GROUPS[group]) - _INSIDE

    assert {_NAMES.get(room, room) for room in rooms} <= texts


def test_the_picture_has_the_console() -> None:
    """What people look at is no enforcement point and no analysis, and stands in the picture too."""
    texts = {text.text for text in ET.parse(_PICTURE).iter("{http://www.w3.org/2000/svg}text")}

    assert "console" in texts
