"""The lock files of the image are a part of the lock of the checkout, and all that the image needs."""

import re

import pytest

from tests.fixtures.checkout import CHECKOUT
from tools.locks import BUILD_LOCK, IMAGE_LOCK, list_required_packages, render_image_locks
from warden.base.errors import ConfigurationError

LOCK = (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")


def test_they_are_as_the_lock_is():
    """What is written is what `python -m tools.locks` writes."""
    assert {file: file.read_text(encoding="utf-8") for file in render_image_locks(CHECKOUT)} == render_image_locks(
        CHECKOUT
    )


@pytest.mark.parametrize("name", [IMAGE_LOCK, BUILD_LOCK])
def test_every_line_is_one_of_the_lock(name):
    """Versions, markers and hashes too."""
    lines = (CHECKOUT / name).read_text(encoding="utf-8").splitlines()

    assert set() == set(lines[1:]) - set(LOCK.splitlines())


def test_the_image_has_what_services_need_and_nothing_of_developers():
    """What a requirement wants for another Python of the image is there too, and what its extras want."""
    names = set(re.findall(r"^([\w-]+)==", (CHECKOUT / IMAGE_LOCK).read_text(encoding="utf-8"), re.MULTILINE))

    assert {"aiohttp", "kafka-python", "kubernetes", "multidict", "opa-python-client", "uvloop"} <= names
    assert set() == names & {"hatchling", "mkdocs", "pyspark", "pytest", "ruff"}
    assert {"requests", "urllib3", "certifi", "idna", "charset-normalizer"} == list_required_packages(["requests"])
    assert {"keyring", "twine"} <= list_required_packages(["twine"])


def test_what_is_missing_is_said(tmp_path):
    """A package that is not installed, or not in the lock, is an error with what to run."""
    with pytest.raises(ConfigurationError, match="no-such-package is not installed: run `make setup`"):
        list_required_packages(["no-such-package>=1"])

    (tmp_path / "pyproject.toml").write_bytes((CHECKOUT / "pyproject.toml").read_bytes())
    (tmp_path / "requirements.lock").write_text(re.sub(r"^click==", "clack==", LOCK, flags=re.MULTILINE))
    with pytest.raises(ConfigurationError, match=r"requirements\.lock lacks click: run `make lock`"):
        render_image_locks(tmp_path)
