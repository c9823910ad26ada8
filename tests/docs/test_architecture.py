"""The picture of the architecture names what the package is made of, on a ground that all of it lies on."""

import re
from xml.etree import ElementTree as ET

import pytest

from tests.fixtures.checkout import CHECKOUT
from tools.lint.layers import GROUPS, USES

_PICTURE = ET.parse(CHECKOUT / "docs" / "explain" / "architecture.svg").getroot()
_SVG = "{http://www.w3.org/2000/svg}"
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
_INSIDE = {"placement_preview"}


def _texts() -> set[str | None]:
    return {text.text for text in _PICTURE.iter(f"{_SVG}text")}


@pytest.mark.parametrize("group", ["warden.enforce", "warden.analyse"])
def test_the_picture_has_every_part(group: str) -> None:
    """Each enforcement point, and each way to look at many resources, stands in the picture."""
    rooms = set(GROUPS[group]) - _INSIDE

    assert {_NAMES.get(room, room) for room in rooms} <= _texts()


@pytest.mark.parametrize("group", ["console", "commands", "dynamic_clients"])
def test_the_picture_has_what_is_in_no_band(group: str) -> None:
    """What people look at, begin with, or build into their clients stands in the picture too."""
    assert f"warden.{group}" in USES
    assert group in _texts()


def test_the_picture_has_what_the_console_uses() -> None:
    """An arrow leads to the console from each group that it uses, but for `base`, which all stand on."""
    arrows = [path for path in _PICTURE.iter(f"{_SVG}path") if path.get("data-to") == "console"]

    assert sorted(set(USES["warden.console"]) - {"warden.base"}) == sorted(
        f"warden.{arrow.get('data-from')}" for arrow in arrows
    )


def test_the_arrows_to_the_console_end_there() -> None:
    """Each ends at a side of the console's box, less the room of its head, and not within."""
    (title,) = (text for text in _PICTURE.iter(f"{_SVG}text") if text.text == "console")
    left, top, right, bottom = next(box for box in _boxes() if _is_inside(title, box))
    ends = [_find_end(path.get("d", "")) for path in _PICTURE.iter(f"{_SVG}path") if path.get("data-to") == "console"]

    assert [] == [(x, y) for x, y in ends if not (left - 3 <= x <= right + 3 and top - 3 <= y <= bottom + 3)]
    assert [] == [(x, y) for x, y in ends if left < x < right and top < y < bottom]


def test_all_lies_on_the_ground() -> None:
    """The ground is as wide and as high as the picture, so that no part is read on the colour of a page."""
    left, top, width, height = (float(number) for number in _PICTURE.get("viewBox", "").split())
    ground, *boxes = _boxes(with_ground=True)

    assert ground == (left, top, left + width, top + height)
    assert (str(int(width)), str(int(height))) == (_PICTURE.get("width"), _PICTURE.get("height"))
    assert [] == [box for box in boxes if box[2] > ground[2] or box[3] > ground[3]]
    assert [] == [text.text for text in _PICTURE.iter(f"{_SVG}text") if not _is_inside(text, ground)]


def _boxes(*, with_ground: bool = False) -> list[tuple[float, float, float, float]]:
    """Left, top, right and bottom of each box, the ground's first."""
    found = []
    for box in _PICTURE.iter(f"{_SVG}rect"):
        left, top, width, height = (float(box.get(name, "0")) for name in ("x", "y", "width", "height"))
        found.append((left, top, left + width, top + height))
    return found if with_ground else found[1:]


def _is_inside(text: ET.Element, box: tuple[float, float, float, float]) -> bool:
    x, y = float(text.get("x", "-1")), float(text.get("y", "-1"))
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _find_end(path: str) -> tuple[float, float]:
    """Return the point at which a path of absolute straight lines ends."""
    x = y = 0.0
    for step, first, second in re.findall(r"([MLHV])(\d+)(?: (\d+))?", path):
        if step == "V":
            y = float(first)
        else:
            x, y = float(first), float(second) if second else y
    return x, y
