"""Values in Terraform's HCL: what shows in the text, and what files beside say."""

from pathlib import Path
from typing import Any

import pytest

from tests.analyse.check.conftest import Read
from tests.analyse.check.readers.terraform.hcl import topic


def read_value(read: Read, expression: str, beside: str = "") -> Any:
    """The value of a config that is an expression, ``unknown`` where the files do not say it."""
    (one,) = read(f"{topic(config=f'{{ a = {expression} }}')}{beside}", "main.tf").declared
    return "unknown" if one.unknown == ("/request/configs/a",) else one.request["configs"].get("a")


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ('"a"', "a"),
        ("12", "12"),
        ("-1", "-1"),
        ("1.5", "1.5"),
        ("1e3", "1000"),
        ("false", "false"),
        ("null", None),
        ("7 * 24 * 3600 * 1000", "604800000"),
        ("(1 + 2) * 3 - 4 / 2", "7"),
        ('"${6 * 2}"', "12"),
        ('"${1}.${true}-x"', "1.true-x"),
        (r'"a\tb\"$${c}%%{d}"', 'a\tb"${c}%{d}'),
        ('{ b = { c = "d" } }.b.c', "d"),
        ('["a", "b"][1]', "b"),
        ('{ b = "d" }["b"]', "d"),
        ("<<E\n  x\nE\n", "  x\n"),
        ("<<-E\n    x\n      y\n  E\n", "x\n  y\n"),
        ('jsonencode(["a"])', '["a"]'),
        ("jsonencode([var.a])", "unknown"),
        ('upper("a")', "unknown"),
        ("upper()", "unknown"),
        ("var.a ? 1 : 2", "unknown"),
        ("1 == 1", "unknown"),
        ("!true", "unknown"),
        ("1 / 0", "unknown"),
        ('"a" * 2', "unknown"),
        ("9999999999 * 9999999999", "unknown"),
        ("99999999999999999999999999", "unknown"),
        ("[for x in y : x]", "unknown"),
        ("data.x.y.z", "unknown"),
        ("module.m.out[0]", "unknown"),
        ("each.key", "unknown"),
        ('"x${var.none}"', "unknown"),
        ('"%{ if true }a%{ endif }"', "unknown"),
        ("<<E\n${var.a}\nE\n", "unknown"),
        ("local.none", "unknown"),
        ('["a"][2]', "unknown"),
        ('["a"].b', "unknown"),
        ("terraform", "unknown"),
        ("[1].*.a", "unknown"),
        ("merge({a = 1}, 2)", "unknown"),
        ("merge([{a = 1}]...)", "unknown"),
    ],
)
def test_expressions(read: Read, expression: str, value: str | None) -> None:
    """What shows in the text is its value, and nothing else is guessed."""
    assert value == read_value(read, expression)


@pytest.mark.parametrize(
    ("beside", "expression", "value"),
    [
        ('variable "a" { default = 5 }', "var.a", "5"),
        ('variable "a" { type = number }', "var.a", "unknown"),
        ('variable "a" {\n default = 5\n sensitive = true\n}', "var.a", "unknown"),
        ('variable "a" { default = max(1, 2) }', "var.a", "unknown"),
        ('variable "a" { default = 5 }\nvariable "a" { default = 5 }', "var.a", "unknown"),
        ('variable "a" { default = 5 }\nlocals { b = 2 * var.a }', "local.b", "10"),
        ("locals { b = { c = [1, 2] } }", "local.b.c[1]", "2"),
        ("locals {\n b = local.c\n c = local.b\n}", "local.b", "unknown"),
        ("locals { b = each.key }", "local.b", "unknown"),
    ],
)
def test_names(read: Read, beside: str, expression: str, value: str) -> None:
    """Defaults of variables and locals, where they are written once and plainly."""
    assert value == read_value(read, expression, beside)


@pytest.mark.parametrize(
    ("files", "value"),
    [
        ({}, "1"),
        ({"terraform.tfvars": "a = 2"}, "2"),
        ({"terraform.tfvars": "a = 2", "x.auto.tfvars": "a = 3"}, "3"),
        ({"x.auto.tfvars": "a = 3", "y.auto.tfvars": "a = 4"}, "4"),
        ({"prod.tfvars": "a = 5"}, "unknown"),
        ({"prod.tfvars": "b = 5"}, "1"),
        ({"terraform.tfvars": "a = var.b"}, "unknown"),
        ({"terraform.tfvars.json": "{}"}, "unknown"),
        ({"terraform.tfvars": "a = ="}, "unknown"),
        ({"broken.tf": 'variable "c" {'}, "unknown"),
        ({"x_override.tf": 'variable "a" { default = 7 }'}, "unknown"),
        ({"again.tofu": 'variable "a" { default = 1 }'}, "unknown"),
        ({"other.tf": 'provider "kafka" {}'}, "1"),
    ],
)
def test_files_beside(read: Read, files: dict[str, str], value: str) -> None:
    """They say what a variable is, as Terraform reads them; where something else may set it, it is not known."""
    read('variable "a" { default = 1 }\n', "variables.tf")
    for name, text in files.items():
        Path(name).write_text(text)

    assert value == read_value(read, "var.a")


def test_locals_that_double_each_other(read: Read) -> None:
    """Nothing is written out that is larger than any value of Kafka's."""
    doubled = "".join(
        f'  a{i + 1} = "${{local.a{i}}}${{local.a{i}}}"\n  b{i + 1} = [local.b{i}, local.b{i}]\n' for i in range(30)
    )
    beside = f'locals {{\n  a0 = "x"\n  b0 = "x"\n{doubled}}}\n'

    assert ["unknown"] * 2 == [
        read_value(read, expression, beside) for expression in ("local.a30", "jsonencode(local.b30)")
    ]
    assert "xx" == read_value(read, "local.a1", beside)


def test_a_file_beside_that_cannot_be_read(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error, since it may say something else than a default; a mark of byte order is none."""
    Path("terraform.tfvars").write_bytes(b"\xef\xbb\xbfa = 2\n")
    assert "2" == read_value(read, "var.a", 'variable "a" { default = 1 }')

    real = Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path.suffix == ".tfvars":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    (fault,) = read(topic(), "main.tf").faults
    assert "terraform.tfvars beside it cannot be read (Permission denied): permit it" == fault.message
