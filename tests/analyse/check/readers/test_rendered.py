"""Charts and kustomize directories: rendered by their own programs, and never passed over.

The programs are scripts that stand in for ``helm``, ``kustomize`` and ``kubectl``, since hardly a machine has all of
them: what they print is what Helm 3.19 and kustomize 5.5 print.
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.analyse.check.conftest import Check, Read
from warden.analyse.check.files import read_paths
from warden.analyse.check.model import FileContents

_TOPIC = """\
---
# Source: orders/{file}
apiVersion: kafka.strimzi.io/v1
kind: KafkaTopic
metadata: {{name: {name}}}
spec: {{partitions: 3, replicas: 3}}
"""
_RENDERED = _TOPIC.format(file="templates/a.yaml", name="shop.a") + _TOPIC.format(
    file="charts/sub/templates/b.yaml", name="shop.b"
)
Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a program onto PATH, beside nothing but a shell: it notes its arguments, prints a text and ends."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("cat", "sh"):
        (programs / name).symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", str(programs))

    def write(name: str, out: str = _RENDERED, err: str = "", status: int = 0) -> Path:
        for stream, text in (("out", out), ("err", err)):
            (programs / f"{name}.{stream}").write_text(text)
        script = f'#!/bin/sh\necho "$@" >{programs}/{name}.given\ncat {programs}/{name}.out\n'
        (programs / name).write_text(f"{script}cat {programs}/{name}.err >&2\nexit {status}\n")
        (programs / name).chmod(0o755)
        return programs / f"{name}.given"

    return write


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., FileContents]:
    """Writes files with a template's text below a directory and reads it."""
    monkeypatch.chdir(tmp_path)

    def write_and_read(*names: str) -> FileContents:
        for name in names:
            Path("d", name).parent.mkdir(parents=True, exist_ok=True)
            Path("d", name).write_text("a: {{ .Values.a }}\n")
        return read_paths([Path("d")])

    return write_and_read


def places(contents: FileContents) -> list[tuple[str, str, int]]:
    """Name, file and line of what is declared."""
    return [(one.name, one.file, one.line) for one in contents.declared]


@pytest.mark.process
def test_a_chart(install: Install, make: Callable[..., FileContents]) -> None:
    """Documents are placed at their templates, those of charts within too; nothing below is read as it is."""
    given = install("helm")
    contents = make("orders/Chart.yaml", "orders/templates/a.yaml", "orders/charts/sub/Chart.yaml")

    assert [
        ("shop.a", "d/orders/templates/a.yaml", 1),
        ("shop.b", "d/orders/charts/sub/templates/b.yaml", 1),
    ] == places(contents)
    assert [] == contents.faults
    assert f"template {Path('d/orders').absolute()}\n" == given.read_text()


@pytest.mark.process
@pytest.mark.parametrize("mark", ["kustomization.yaml", "kustomization.yml", "Kustomization"])
@pytest.mark.parametrize(("program", "said"), [("kustomize", "build"), ("kubectl", "kustomize")])
def test_an_overlay(install: Install, make: Callable[..., FileContents], mark: str, program: str, said: str) -> None:
    """By whichever of the two programs is there; a document that does not say where it is from is the overlay's."""
    given = install(program, _TOPIC.format(file="x", name="shop.a").replace("# Source: orders/x\n", ""))

    assert [("shop.a", f"d/{mark}", 1)] == places(make(mark, "base/broken.yaml"))
    assert f"{said} {Path('d').absolute()}\n" == given.read_text()


@pytest.mark.process
@pytest.mark.parametrize(
    ("mark", "program", "said"),
    [
        ("Chart.yaml", "helm", "helm is not on PATH: install Helm, or write helm template CHART | warden"),
        (
            "kustomization.yaml",
            "kustomize",
            "kustomize or kubectl is not on PATH: install kustomize, or write kustomize build DIRECTORY | warden",
        ),
    ],
)
def test_programs_that_fail(
    install: Install, make: Callable[..., FileContents], mark: str, program: str, said: str
) -> None:
    """One that is not there, that cannot start, and that ends with an error: each an error that says so."""
    fault = make(mark).faults[0]
    assert (f"d/{mark}", 1, f"this is to be rendered, and {said}") == (
        fault.file,
        fault.line,
        fault.message.removesuffix(" check -"),
    )

    install(program, "", "Error: template: a:1\n  nil pointer\n", 1)
    assert ": Error: template: a:1 nil pointer" in make(mark).faults[0].message
    install(program, "", "", 3)
    assert ": ended with status 3" in make(mark).faults[0].message
    Path(os.environ["PATH"], program).write_bytes(b"\x7fELF")
    assert "cannot be rendered (Exec format error): install" in make(mark).faults[0].message


@pytest.mark.process
def test_faults_in_what_is_rendered(install: Install, make: Callable[..., FileContents]) -> None:
    """At the template that they are from."""
    broken = _RENDERED.replace("name: shop.b", "names: shop.b").replace("replicas: 3}\n", "replicas: 3, rack: 3}\n", 1)
    install("helm", f"{broken}---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: n}}\nspec: {{kafkaUser: u}}\n")
    contents = make("Chart.yaml")

    assert [("d/charts/sub/templates/b.yaml", 1)] == [(each.file, each.line) for each in contents.faults]
    assert [("d/templates/a.yaml", 1)] == [(each.file, each.line) for each in contents.remarks]
    assert ["u"] == [each.name for each in contents.users]


@pytest.mark.process
def test_a_name_is_no_option(
    install: Install, make: Callable[..., FileContents], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A directory called as an option of Helm's, of which some start programs, is a directory."""
    given = install("helm")
    make("--post-renderer=x/Chart.yaml")
    monkeypatch.chdir("d")
    read_paths([Path()])

    assert f"template {Path('--post-renderer=x').absolute()}\n" == given.read_text()


@pytest.mark.opa
def test_decisions(check: Check, install: Install) -> None:
    """The status is as that of other files, and ``--fix`` leaves templates alone."""
    Path("chart").mkdir()
    Path("chart", "Chart.yaml").write_text("name: orders\n")
    assert 2 == check("chart").return_value

    install("helm", _RENDERED.replace("partitions: 3", "partitions: 3, config: {retention.ms: 10}", 1))
    result = check("chart", "--fix")
    assert "chart/templates/a.yaml:1  deny   KFK-RET-001  shop.a: retention.ms 10 is below" in result.output
    said = "not fixed chart/templates/a.yaml: shop.a: configs/retention.ms is 1000: it is rendered, and its"
    assert (1, True) == (result.return_value, said in result.output)


@pytest.mark.process
@pytest.mark.skipif(shutil.which("helm") is None, reason="helm is not on PATH")
def test_real_helm(read: Read) -> None:
    """A chart of two documents, with a value."""
    Path("c", "templates").mkdir(parents=True)
    Path("c", "Chart.yaml").write_text("apiVersion: v2\nname: orders\nversion: 1.0.0\n")
    read("name: shop\n", "c/values.yaml")
    template = _TOPIC.format(file="-", name="SHOP.a").replace("SHOP", "{{ .Values.name }}")
    read(template.replace("# Source: orders/-\n", ""), "c/templates/a.yaml")

    assert [("shop.a", "c/templates/a.yaml", 1)] == places(read_paths([Path("c")]))


@pytest.mark.process
@pytest.mark.skipif(not {shutil.which("kustomize"), shutil.which("kubectl")} - {None}, reason="neither is on PATH")
def test_real_kustomize(read: Read) -> None:
    """An overlay with a prefix."""
    Path("o").mkdir()
    read("resources: [a.yaml]\nnamePrefix: shop.\n", "o/kustomization.yaml")
    read(_TOPIC.format(file="-", name="a"), "o/a.yaml")

    assert [("shop.a", "o/kustomization.yaml", 1)] == places(read_paths([Path("o")]))
