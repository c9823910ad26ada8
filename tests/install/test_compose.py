"""The image and the services of compose.yaml, without a container engine: each step and command as a process here."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.conditions import eventually
from tests.fixtures.image import DOCKERFILE, BuiltImage
from tests.fixtures.patience import PATIENCE
from warden.base.http.ports import list_free_ports
from warden.base.process.child_process import Process
from warden.base.toolchain.java import find_java
from warden.base.toolchain.versions import KAFKA
from warden.demo.class_path import build_class_path

pytestmark = [pytest.mark.install, pytest.mark.kafka, pytest.mark.opa]

COMPOSE = CHECKOUT / "deploy/compose.yaml"
SERVICES: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
SECRETS = {
    name: f"{name.lower()}-of-a-test-0123456789"
    for name in (
        "WARDEN_BUNDLE_KEY",
        "WARDEN_OPA_QUERY_TOKEN",
        "WARDEN_OPA_REPLICATOR_TOKEN",
        "WARDEN_OPA_ADMIN_TOKEN",
        "WARDEN_SERVE_TOKEN",
    )
}


def test_versions_are_the_checkouts():
    """Kafka's image is that of the toolchain, and ours is not root's."""
    assert f"apache/kafka:{KAFKA}" == SERVICES["broker"]["image"]
    assert re.search(r"^USER 10001:10001$", DOCKERFILE, re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in SERVICES if name != "broker"])
def test_services_may_do_little(name):
    """No root, no capabilities, nothing writable but /tmp; what is published is so on this machine alone."""
    service = SERVICES[name]
    assert service["read_only"]
    assert (["ALL"], ["no-new-privileges:true"]) == (service["cap_drop"], service["security_opt"])
    assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
    assert all(volume.endswith(":ro") for volume in service.get("volumes", []))


@pytest.fixture(scope="module")
def image(opa_binary: Path, built_image: BuiltImage) -> Path:
    """The directory of the image's programs, and OPA."""
    shutil.copy(opa_binary, built_image.installed / "bin/opa")
    return built_image.installed / "bin"


class Services:
    """Runs them; each address of the network of containers is one of this machine."""

    def __init__(self, image: Path, directory: Path) -> None:
        names = ("9092", "9093", "8000", "8181", "9102", "9103", "19092", "8649")
        self.ports = dict(zip(names, list_free_ports(len(names)), strict=True))
        self._image, self._directory = image, directory
        configurations = directory / "compose"
        shutil.copytree(CHECKOUT / "deploy/compose", configurations)
        for file in configurations.iterdir():
            file.write_text(self._local(file.read_text(encoding="utf-8")), encoding="utf-8")
        self._processes: list[Process] = []

    def start(self, name: str) -> Path:
        """Start one and return its log."""
        service, own = SERVICES[name], self._directory / name
        own.mkdir()
        environment = {"PATH": f"{self._image}:/usr/bin:/bin", "HOME": str(own), "PYTHONDONTWRITEBYTECODE": "1"}
        environment |= {key: self._local(value, own) for key, value in service["environment"].items()}
        # In a container each has the port 8181 to itself, where `warden opa watch` looks for OPA.
        environment.setdefault("WARDEN_OPA_URL", f"http://127.0.0.1:{self.ports['8181']}")
        log = own / "log"
        if name == "broker":
            arguments = self._broker(own, environment)
        else:
            arguments = [self._local(argument, own) for argument in service["command"]]
        arguments[0] = shutil.which(arguments[0], path=environment["PATH"]) or arguments[0]
        self._processes.append(Process(arguments, environment, log))
        return log

    def stop(self) -> None:
        """End all, the last first."""
        for process in reversed(self._processes):
            process.stop()

    def _broker(self, own: Path, environment: Mapping[str, str]) -> list[str]:
        """Have Kafka's own wrapper make server.properties of the environment, as its image does before it starts."""
        for name, text in (("server.properties", "#"), ("log4j2.yaml", _LOG4J), ("tools-log4j2.yaml", _LOG4J)):
            for directory in ("default", "mounted", "final"):
                (own / directory).mkdir(exist_ok=True)
            (own / "default" / name).write_text(text, encoding="utf-8")
        java = [str(find_java() / "bin/java"), "-Xmx256m", "-cp", build_class_path()]
        options = [f"--{name}-configs-dir={own / name}" for name in ("default", "mounted", "final")]
        wrapper = [*java, "kafka.docker.KafkaDockerWrapper", "setup", *options]
        done = subprocess.run(wrapper, env=dict(environment), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return [*java, "kafka.Kafka", str(own / "final/server.properties")]

    def _local(self, text: str, own: Path | None = None) -> str:
        text = re.sub(r"\$\{(\w+)[^}]*\}", lambda found: SECRETS[found[1]], text).replace("$$", "$")
        text = re.sub(r"\b(bundles|opa|broker):(\d+)", r"127.0.0.1:\2", text.replace("0.0.0.0", "127.0.0.1"))
        text = re.sub(rf"(?<=[:\s])({'|'.join(self.ports)})\b", lambda found: str(self.ports[found[1]]), text)
        places = {"/usr/share/warden": CHECKOUT / "deploy", "/etc/warden": self._directory / "compose"}
        places |= {"/tmp": own, "/var/lib/kafka": own} if own else {}
        found = "|".join(f"(?<![\\w.])({re.escape(place)})" for place in places)
        return re.sub(found, lambda match: str(places[match[0]]), text)


_LOG4J = "Configuration: {Loggers: {Root: {level: INFO}}}\n"


@pytest.fixture(scope="module")
def services(image: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """All of them."""
    running = Services(image, tmp_path_factory.mktemp("services"))
    try:
        logs = {name: running.start(name) for name, service in SERVICES.items() if "profiles" not in service}
        for port, path in (("9102", "/readyz"), ("9103", "/readyz"), ("8649", "/readyz")):
            try:
                eventually(partial(_well, f"http://127.0.0.1:{running.ports[port]}{path}"), f"{port}{path}")
            except AssertionError as error:
                ends = {name: log.read_text(encoding="utf-8")[-1500:] for name, log in logs.items()}
                raise AssertionError(f"{error}: {ends}") from None
        yield running
    finally:
        running.stop()


def _well(url: str) -> bool:
    with suppress(URLError, OSError), urlopen(url, timeout=PATIENCE) as answer:
        return bool(answer.status == 200)
    return False


def test_a_topic_is_decided(services: Services) -> None:
    """A client of the gateway makes a topic with a good name on the broker, and none with a bad one."""
    from kafka.admin import KafkaAdminClient, NewTopic
    from kafka.errors import PolicyViolationError

    admin = KafkaAdminClient(bootstrap_servers=f"127.0.0.1:{services.ports['19092']}", request_timeout_ms=60000)
    try:
        admin.create_topics([NewTopic("shop.orders.created-v1", 3, 1)])
        with pytest.raises(PolicyViolationError, match="KFK-NAM-001"):
            admin.create_topics([NewTopic("Orders", 3, 1)])
        eventually(lambda: "shop.orders.created-v1" in admin.list_topics(), "the broker knows the topic")
    finally:
        admin.close()


def test_a_client_asks_for_its_configs(services: Services) -> None:
    """With the token of one that may ask: none is set."""
    token = SECRETS["WARDEN_SERVE_TOKEN"]
    request = Request(
        f"http://127.0.0.1:{services.ports['8649']}/v1/client-configs/resolve",
        data=b'{"clientId": "ledger"}',
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
    )
    with urlopen(request, timeout=PATIENCE) as answer:
        found = json.load(answer)
    assert {"throttleTimeMs": 0, "errorCode": 0, "errorMessage": None, "values": []} == found
