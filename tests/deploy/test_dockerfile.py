"""The image is made of what the wheel is made of, and of what is pinned."""

import re
import tomllib

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.image import DOCKERFILE, read_stage
from tools.locks import BUILD_LOCK, IMAGE_LOCK
from tools.toolchain.versions import GO_MINIMUM
from warden.base.toolchain.versions import OPA, OPA_SOURCES

ARGUMENTS = dict(re.findall(r"^ARG (\w+)=(\S+)$", DOCKERFILE, re.MULTILINE))


def test_what_the_wheel_takes_is_copied():
    """Each file and directory that pyproject.toml names is copied, and not left out of the context."""
    copied = DOCKERFILE.split()
    sent = (CHECKOUT / "deploy/docker/Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    directories = {path.strip("/").partition("/")[0] for path in wheel["include"]}
    wanted = directories | set(wheel["force-include"]) | {project["project"]["readme"], "LICENSE"}
    wanted |= {IMAGE_LOCK, BUILD_LOCK}

    assert set() == wanted - set(copied)
    assert set() == {f"!{path}" for path in wanted} - set(sent)


def test_every_base_image_has_a_digest():
    """Each FROM is a stage of the file, or an argument whose default has a digest beside its tag."""
    stages = re.findall(r" AS ([\w-]+)$", DOCKERFILE, re.MULTILINE)
    bases = [re.sub(r"\$\{(\w+)\}", lambda name: ARGUMENTS[name[1]], base) for base in _bases()]

    assert len(bases) == DOCKERFILE.count("\nFROM ")
    digest = re.compile(r"[a-z]+:[\w.-]+@sha256:[0-9a-f]{64}")
    assert [] == [base for base in bases if base not in stages and not digest.fullmatch(base)]


def _bases() -> list[str]:
    return re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)


def test_opa_is_built_of_the_pinned_sources():
    """Version and checksum are those of the toolchain, and Go is new enough for them."""
    assert (f"github.com/open-policy-agent/opa@v{OPA}", OPA_SOURCES) == (ARGUMENTS["MODULE"], ARGUMENTS["SOURCES"])
    found = re.match(r"golang:(\d+)\.(\d+)", ARGUMENTS["GO"])
    assert found
    assert (int(found[1]), int(found[2])) >= GO_MINIMUM


def test_packages_have_hashes():
    """pip takes packages by the hashes of a lock file, as wheels, and from no index what the lock does not name."""
    steps = read_stage("build")
    (settings,) = (rest for word, rest in steps if word == "ENV")
    assert {"PIP_NO_DEPS=1", "PIP_ONLY_BINARY=:all:"} <= set(settings.split())
    commands = [command for word, rest in steps if word == "RUN" for command in rest.split(" && ")]
    installs = [command for command in commands if " install " in command]
    assert len(installs) == 3
    assert [] == [one for one in installs if "--require-hashes" not in one and "--no-index" not in one]
