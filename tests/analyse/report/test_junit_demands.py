"""What Jenkins demands of JUnit XML: the junit-10.xsd of its xUnit plugin, and that counts are those of the cases."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

import pytest

from tests.analyse.report.demands import Demands, evaluate

# Element → its attributes, and those that must be there.
_ATTRIBUTES = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, set[str]()),
    "testsuite": (
        {"name", "time", "tests", "failures", "errors", "skipped", "timestamp"},
        {"name", "tests", "failures", "errors"},
    ),
    "testcase": ({"name", "classname", "time"}, {"name"}),
    "failure": ({"type", "message"}, set[str]()),
    "error": ({"type", "message"}, set[str]()),
    "system-out": (set[str](), set[str]()),
}
_CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error", "system-out"},
    **{leaf: set[str]() for leaf in ("failure", "error", "system-out")},
}


def counted(element: ET.Element) -> tuple[str, ...]:
    """The counts that a suite, or all of them, should have."""
    found = (len(element.findall(path)) for path in (".//testcase", ".//failure", ".//error"))
    return tuple(map(str, found))


def first(root: ET.Element, name: str) -> ET.Element:
    """The first element of a name."""
    return next(root.iter(name))


JUNIT: Demands = {
    "elements where they may be": (
        lambda root: all({child.tag for child in one} <= _CHILDREN[one.tag] for one in root.iter()),
        lambda root: ET.SubElement(first(root, "failure"), "error"),
    ),
    "no attribute that the schema does not know": (
        lambda root: all(one.attrib.keys() <= _ATTRIBUTES[one.tag][0] for one in root.iter()),
        lambda root: root.set("skipped", "0"),
    ),
    "the attributes that must be there": (
        lambda root: all(one.attrib.keys() >= _ATTRIBUTES[one.tag][1] for one in root.iter()),
        lambda root: first(root, "testcase").attrib.pop("name"),
    ),
    "counts that are those of the cases": (
        lambda root: all(
            counted(one) == tuple(one.get(name) for name in ("tests", "failures", "errors"))
            for one in [root, *root.iter("testsuite")]
        ),
        lambda root: root.set("tests", "5"),
    ),
    "times, as Surefire writes them": (
        lambda root: all(
            re.fullmatch(r"[0-9]*(\.[0-9]*)?", one.get("time", "none"))
            for one in root.iter()
            if one.tag.startswith("test")
        ),
        lambda root: first(root, "testcase").set("time", "1e-05"),
    ),
    "a date and a time without a zone": (
        lambda root: all(
            re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", one.get("timestamp", "")) for one in root.iter("testsuite")
        ),
        lambda root: first(root, "testsuite").set("timestamp", "2026-11-21"),
    ),
    "names of cases once in each class": (
        lambda root: (
            max(Counter((one.get("classname"), one.get("name")) for one in root.iter("testcase")).values()) == 1
        ),
        lambda root: first(root, "testsuite").append(first(root, "testcase")),
    ),
}


@pytest.mark.parametrize("demand", JUNIT)
def test_what_readers_demand(run_directory: Path, demand: str) -> None:
    """A report fulfils it, and one that was spoilt in this one thing does not."""
    assert (True, False) == evaluate(JUNIT, demand, run_directory, "junit", ET.fromstring)
