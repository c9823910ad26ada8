"""The manifests of ``deploy/kubernetes`` carried out without a kubelet: applied, and their pods run as processes."""

import base64
import itertools
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import requests
import yaml

from tests.fixtures.checkout import CHECKOUT
from tests.fixtures.patience import PATIENCE
from tests.k8s.binaries import find_program
from tests.k8s.control_plane import ControlPlane
from warden.base.process.child_process import Process

__all__ = [
    "KAFKA_PARTS",
    "NAMESPACE",
    "PARTS",
    "Pods",
    "answers",
    "apply",
    "audit_lines",
    "build",
    "render",
    "rights",
    "token",
]

NAMESPACE = "warden"
PARTS = ("opa", "replicator", "webhook", "remediator")
KAFKA_PARTS = ("gateway", "serve")
"""Of the component ``kafka``."""

Document = dict[str, Any]
_POD_INDEX = "metadata.labels['apps.kubernetes.io/pod-index']"


def render(
    directory: Path, bundle: Mapping[str, str], components: Sequence[str] = (), more: Sequence[str] = ()
) -> list[Document]:
    """Return what kustomize makes of the example, as a reader of the page has it.

    Args:
        directory: Where its copy goes, with secrets of its own.
        bundle: What stands in ``bundle.env``.
        components: Of ``deploy/kubernetes``, in place of ``front``: here OPA runs without one (tests/deploy runs it).
        more: Further directories of it that are applied.
    """
    copy = directory / "kubernetes"
    shutil.copytree(CHECKOUT / "deploy/kubernetes", copy, ignore=shutil.ignore_patterns("secrets"))
    lines = [f"{name}={value}\n" for name, value in bundle.items()]
    (copy / "example/bundle.env").write_text("".join(lines), encoding="utf-8")
    site = copy / "example/kustomization.yaml"
    text = site.read_text(encoding="utf-8")
    assert "\ncomponents: [../front] " in text
    named = f"components: [{', '.join(f'../{name}' for name in components)}]"
    site.write_text(text.replace("components: [../front]", named), encoding="utf-8")
    subprocess.run(["sh", "../secrets.sh", "secrets"], cwd=copy / "example", check=True)
    return build(copy / "example") + [one for name in more for one in build(copy / name)]


def build(directory: Path) -> list[Document]:
    """Return what kustomize makes of a directory."""
    command = [str(find_program("kustomize")), "build", str(directory)]
    return list(yaml.safe_load_all(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def apply(control_plane: ControlPlane, document: Document, *, query: str = "") -> requests.Response:
    """Apply a document as ``kubectl apply --server-side`` does, with strict validation, and return the answer."""
    version, metadata = document["apiVersion"], document["metadata"]
    group = f"/apis/{version}" if "/" in version else f"/api/{version}"
    [plural] = [
        entry["name"]
        for entry in control_plane.api("GET", group)["resources"]
        if entry["kind"] == document["kind"] and "/" not in entry["name"]
    ]
    below = f"/namespaces/{metadata['namespace']}" if "namespace" in metadata else ""
    return requests.patch(
        f"{control_plane.url}{group}{below}/{plural}/{metadata['name']}?fieldManager=test&fieldValidation=Strict{query}",
        data=yaml.safe_dump(document),
        headers={
            "Authorization": f"Bearer {control_plane.admin_token}",
            "Content-Type": "application/apply-patch+yaml",
        },
        verify=str(control_plane.authority.certificate),
        timeout=PATIENCE,
    )


def token(control_plane: ControlPlane, account: str) -> str:
    """Return a token of one of Warden's service accounts, which the API server makes for it."""
    path = f"/api/v1/namespaces/{NAMESPACE}/serviceaccounts/{account}/token"
    return str(control_plane.api("POST", path, {"spec": {"expirationSeconds": 3600}})["status"]["token"])


def rights(control_plane: ControlPlane, account: str, namespace: str) -> set[tuple[str, str, str, str]]:
    """Return what the API server says that an account may do in a namespace: verb, group, resource and name.

    What anybody may ask about himself is left out.
    """
    answer = requests.post(
        f"{control_plane.url}/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        json={"spec": {"namespace": namespace}},
        headers={"Authorization": f"Bearer {token(control_plane, account)}"},
        verify=str(control_plane.authority.certificate),
        timeout=PATIENCE,
    )
    status = answer.json()["status"]
    assert not status["incomplete"]
    return {
        right
        for rule in status["resourceRules"]
        for right in itertools.product(
            rule["verbs"], rule["apiGroups"], rule["resources"], rule.get("resourceNames", [""])
        )
        if right[1] not in {"authentication.k8s.io", "authorization.k8s.io"}
    }


def audit_lines(log: Path) -> list[Document]:
    """Return what the API server has logged of Warden's service accounts so far."""
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines(keepends=True) if line[-1] == "\n"]


def answers(probe: Mapping[str, Any], ports: Mapping[object, int]) -> int:
    """Return the status that a kubelet gets for a probe, 0 where nothing answers; it looks at no certificate either."""
    get = probe["httpGet"]
    url = f"{get.get('scheme', 'http').lower()}://127.0.0.1:{ports[get['port']]}{get['path']}"
    try:
        with urllib.request.urlopen(url, timeout=30, context=ssl._create_unverified_context()) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        with refused:
            print(url, refused.code, refused.read().decode())  # shown where the test fails
            return refused.code
    except OSError:
        return 0


class Pods:
    """Runs the pods of rendered manifests as processes on this machine, each with its own service account's token.

    Args:
        control_plane: The API server, which the manifests were applied to.
        documents: The manifests.
        directory: For what is mounted.
        here: What stands in place of texts of the manifests: addresses, and directories of the image.

    Attributes:
        logs: Of each part that was started.
        ports: Where each listens on 127.0.0.1.
    """

    def __init__(
        self, control_plane: ControlPlane, documents: Sequence[Document], directory: Path, here: Mapping[str, str]
    ) -> None:
        self._control_plane, self._directory, self._here = control_plane, directory, dict(here)
        self._objects = {(one["kind"], one["metadata"]["name"]): one for one in documents}
        self._processes: dict[str, Process] = {}
        self.logs: dict[str, Path] = {}
        self.ports: dict[str, int] = {}
        self._inside: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    def workload(self, name: str) -> Document:
        """Return the StatefulSet or Deployment of a part."""
        return self._objects.get(("StatefulSet", name)) or self._objects["Deployment", name]

    def start(self, name: str, opa: Path) -> Process:
        """Start the first pod of a part, and return its process; its log is in `logs`.

        Args:
            name: Of the part.
            opa: The program that the image has as ``opa``.
        """
        spec = self.workload(name)["spec"]["template"]["spec"]
        [container] = spec["containers"]
        root = self._directory / name
        places = {mount["mountPath"]: str(root / mount["mountPath"][1:]) for mount in container["volumeMounts"]}
        volumes = {volume["name"]: volume for volume in spec["volumes"]}
        for mount in container["volumeMounts"]:
            place = Path(places[mount["mountPath"]])
            place.mkdir(parents=True, exist_ok=True)
            for key, content in self._content(volumes.get(mount["name"], {})).items():
                (place / key).write_bytes(content)
        for file in (root / "etc/warden").glob("*.yaml"):
            file.write_text(self._configuration(file, spec, places), encoding="utf-8")
        environment = self._environment(f"{name}-0", container)
        programs = {"opa": [str(opa)], "warden": [sys.executable, "-m", "warden"]}
        command = [*container["command"], *container["args"]]
        arguments = [
            self._local(re.sub(r"\$\((\w+)\)", lambda found: environment[found[1]], argument), places)
            for argument in command[1:]
        ]
        inherited = {key: os.environ[key] for key in ("GOGC", "HOME", "PATH", "PYTHONPATH") if key in os.environ}
        variables = {key: self._local(value, places) for key, value in environment.items()}
        self.logs[name] = root / "log"
        self._inside[name] = {**inherited, **variables}, places
        process = Process([*programs[command[0]], *arguments], {**inherited, **variables}, self.logs[name])
        self._processes[name] = process
        return process

    def execute(self, name: str, command: Sequence[str]) -> int:
        """Return the exit status of a command of Warden's in the container of a part that was started."""
        environment, places = self._inside[name]
        assert command[0] == "warden"
        arguments = [sys.executable, "-m", *(self._local(argument, places) for argument in command)]
        done = subprocess.run(arguments, env=environment, capture_output=True, text=True, check=False)
        print(done.stderr)  # shown where the test fails
        return done.returncode

    def stop(self, *names: str) -> None:
        """End some parts, or all, the last first."""
        for name, process in reversed(self._processes.items()):
            if not names or name in names:
                process.stop()

    def _content(self, volume: Document) -> dict[str, bytes]:
        if "projected" in volume:
            return {k: v for source in volume["projected"]["sources"] for k, v in self._content(source).items()}
        if "configMap" in volume:
            return {k: v.encode() for k, v in self._objects["ConfigMap", volume["configMap"]["name"]]["data"].items()}
        if "secret" not in volume:
            return {}
        secret = volume["secret"]
        data = self._secret(secret.get("secretName") or secret["name"])
        return {item["path"]: data[item["key"]] for item in secret["items"]} if "items" in secret else data

    def _secret(self, name: str) -> dict[str, bytes]:
        return {key: base64.b64decode(value) for key, value in self._objects["Secret", name]["data"].items()}

    def _environment(self, pod: str, container: Document) -> dict[str, str]:
        found = {
            key: value.decode()
            for source in container.get("envFrom", [])
            for key, value in self._secret(source["secretRef"]["name"]).items()
        }
        for entry in container.get("env", []):
            source = entry.get("valueFrom", {})
            if "fieldRef" in source:
                fields = {"metadata.name": pod, _POD_INDEX: pod.rpartition("-")[2]}
                found[entry["name"]] = fields[source["fieldRef"]["fieldPath"]]
            elif source:
                reference = source["secretKeyRef"]
                found[entry["name"]] = self._secret(reference["name"])[reference["key"]].decode()
            else:
                found[entry["name"]] = entry["value"]
        return found

    def _configuration(self, file: Path, spec: Document, places: Mapping[str, str]) -> str:
        """Return a configuration with the account's token in place of the one that a kubelet would mount."""
        document = yaml.safe_load(self._local(file.read_text(encoding="utf-8"), places))
        assert spec["automountServiceAccountToken"] is ("kubernetes" in document)
        if "kubernetes" not in document:
            return yaml.safe_dump(document)
        name = spec["serviceAccountName"]
        login = {"kubeconfig": str(self._control_plane.kubeconfig(name, {"token": token(self._control_plane, name)}))}
        servers = document["kubernetes"]
        policies = [document["policies"]] if "policies" in document else []
        for server in [*(servers if isinstance(servers, list) else [servers]), *policies]:
            server.update(login)
        return yaml.safe_dump(document)

    def _local(self, text: str, places: Mapping[str, str]) -> str:
        here = {**self._here, **places}
        found = sorted(here, key=len, reverse=True)  # /etc/warden/tls before /etc/warden
        return re.sub("|".join(map(re.escape, found)), lambda match: here[match[0]], text)
