"""``python -m tools.locks``: the parts of requirements.lock that the image is made of, or a check that they are true.

pip can install a whole lock file with ``--require-hashes``, and not a part of one: so each part is a file of its own.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path
from typing import Final

import click
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.command_line import run, write_texts
from warden.base.errors import ConfigurationError
from warden.base.resources import find_shipped

__all__ = ["BUILD_LOCK", "EXTRAS", "IMAGE_LOCK", "command", "list_required_packages", "render_image_locks"]

IMAGE_LOCK: Final = "deploy/docker/requirements.lock"
"""What the image has besides Warden, from the checkout."""

BUILD_LOCK: Final = "deploy/docker/build.lock"
"""What its first stage builds Warden's wheel with."""

EXTRAS: Final = ("kafka", "kubernetes", "otel", "postgres", "replicator", "serve")
"""Warden's extras that the image has: those of the services."""

_PYTHONS: Final = ("3.11", "3.12", "3.13", "3.14")  # the image's may be replaced: --build-arg PYTHON=…
_MACHINES: Final = ("x86_64", "aarch64")
_HEAD: Final = "# A part of the lock of the checkout; `python -m tools.locks` writes it\n"


def render_image_locks(checkout: Path) -> dict[Path, str]:
    """Return the text of each lock file of the image.

    Args:
        checkout: It has pyproject.toml and requirements.lock, and all that the latter names is installed here.

    Raises:
        ConfigurationError: A package is not installed, or the lock lacks it.
    """
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    wanted = [*project["project"]["dependencies"], *(line for extra in EXTRAS for line in extras[extra])]
    blocks = _read_blocks((checkout / "requirements.lock").read_text(encoding="utf-8"))
    return {
        checkout / IMAGE_LOCK: _HEAD + "".join(_select(blocks, list_required_packages(wanted))),
        checkout / BUILD_LOCK: _HEAD
        + "".join(_select(blocks, list_required_packages(project["build-system"]["requires"]))),
    }


def list_required_packages(requirements: Iterable[str]) -> set[str]:
    """Return the names of all packages that these need on Linux, by what the installed ones say of themselves.

    Args:
        requirements: As in pyproject.toml.

    Raises:
        ConfigurationError: A package is not installed.
    """
    waiting, needed = [Requirement(line) for line in requirements], dict[str, set[str]]()
    while waiting:
        requirement = waiting.pop()
        name, extras = canonicalize_name(requirement.name), {"", *requirement.extras}
        if not extras <= needed.get(name, set()):
            needed[name] = extras | needed.get(name, set())
            waiting += _iter_needs(name, needed[name])
    return set(needed)


def _iter_needs(name: str, extras: set[str]) -> Iterator[Requirement]:
    try:
        lines = requires(name) or []
    except PackageNotFoundError as error:
        raise ConfigurationError(f"{name} is not installed: run `make setup`") from error
    for requirement in map(Requirement, lines):
        marker = requirement.marker
        if marker is None or any(marker.evaluate(environment) for environment in _iter_environments(extras)):
            yield requirement


def _iter_environments(extras: set[str]) -> Iterator[dict[str, str]]:
    linux = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "implementation_name": "cpython"}
    linux |= {"platform_python_implementation": "CPython"}
    for python in _PYTHONS:
        for machine in _MACHINES:
            own = {"python_version": python, "python_full_version": f"{python}.9", "platform_machine": machine}
            for extra in extras:
                yield {**{key: str(value) for key, value in default_environment().items()}, **linux, **own} | {
                    "extra": extra
                }


def _read_blocks(lock: str) -> Mapping[str, Sequence[str]]:
    """Return for each package its entries: a version, a marker where there is one, and hashes."""
    blocks: dict[str, list[str]] = {}
    for entry in re.findall(r"^[^\s#].*\n(?:    --hash.*\n)+", lock, re.MULTILINE):
        blocks.setdefault(canonicalize_name(entry.partition("==")[0]), []).append(entry)
    return blocks


def _select(blocks: Mapping[str, Sequence[str]], names: set[str]) -> Iterator[str]:
    if missing := sorted(names - blocks.keys()):
        raise ConfigurationError(f"requirements.lock lacks {', '.join(missing)}: run `make lock`")
    for name in sorted(names):
        yield from blocks[name]


@click.command(name="python -m tools.locks", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing, and fail if a file is out of date.")
def command(check: bool) -> int:
    """Write the lock files of the image from requirements.lock and what is installed."""
    return write_texts(render_image_locks(find_shipped("pyproject.toml").parent), "tools.locks", check=check)


if __name__ == "__main__":
    run(command)
