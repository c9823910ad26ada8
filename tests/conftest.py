"""Fixtures of all tests (`tests.fixtures`), how Hypothesis runs, and which tests a run has, in which order."""

import gc
import os
from collections.abc import Iterator

import hypothesis.core
import pytest
from hypothesis import settings

from tests.fixtures.run.class_archives import use_archives
from tests.fixtures.run.deadline import Deadline
from tests.fixtures.run.distribution import Distribution
from tests.fixtures.run.selection import Selection
from tests.fixtures.seed import SEED
from tests.warm.socket_address import find_socket

pytest_plugins = [
    f"tests.fixtures.{name}"
    for name in ("brokers.jvm", "brokers.kafka", "callers", "opa", "postgres", "run.limits", "spark")
]

# No deadlines: a slow machine is not a failure.
settings.register_profile("warden", deadline=None)
settings.register_profile("unit", deadline=None, max_examples=10)
settings.load_profile("warden")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of continuous integration."""
    parser.addoption(
        "--until",
        type=float,
        metavar="SECONDS",
        help="begin no test after so many seconds since 1970, name those that are left, and take files by the seed",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the tests, let `--dist loadscope` group and order files, and Kafka's and Spark's programs start fast."""
    use_archives()
    if os.environ.get("CI"):  # there the examples are a commit's; at one's desk those that failed come first
        hypothesis.core.global_force_seed = SEED  # type: ignore[assignment]  # it is declared as None
    config.pluginmanager.register(Selection())
    until = config.getoption("--until")
    config.pluginmanager.register(Distribution(None if until is None else SEED))
    if until is not None:
        config.pluginmanager.register(Deadline(until))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Let Python look for no garbage among what stays to the end: the tests."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_report_header() -> list[str]:
    """Print where random cases start, and whether programs are borrowed."""
    socket = find_socket()
    warm = [f"warm programs: {socket} (WARDEN_TEST_WARM=no starts others)"] if socket and socket.exists() else []
    return [f"random cases: WARDEN_SEED={SEED}", *warm]
