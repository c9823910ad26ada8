"""The image is made of what the wheel is made of."""

import tomllib

from tests.fixtures.checkout import CHECKOUT


def test_what_the_wheel_takes_is_copied():
    """Each file and directory that pyproject.toml names is copied, and not left out of the context."""
    docker = CHECKOUT / "deploy/docker"
    copied = (docker / "Dockerfile").read_text(encoding="utf-8").split()
    sent = (docker / "Dockerfile.dockerignore").read_text(encoding="utf-8").split()
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    directories = {path.strip("/").partition("/")[0] for path in wheel["include"]}
    wanted = directories | set(wheel["force-include"]) | {project["project"]["readme"], "LICENSE", "requirements.lock"}

    assert set() == wanted - set(copied)
    assert set() == {f"!{path}" for path in wanted} - set(sent)
