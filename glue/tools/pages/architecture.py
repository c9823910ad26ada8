"""The tables of what there is: rooms of Python by the packages' docstrings, packages of Rego by their METADATA."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

from tools.lint.layers import GROUPS, POLICIES, ROOTS, USES, USES_OF_ROOMS

__all__ = ["render_architecture", "render_policies"]

_ROOMS = "<!-- rooms: written by tools.pages -->\n", "<!-- end of rooms -->"
_PAGE = Path("docs/explain/architecture.md")
_POLICIES = """# The rules

A directory is a package, and has its tests beside it.
One refers to those before it in these tables, to which `tests/test_layers.py` holds it.
What stands right below `kafka` is for callers and a site's own rules ([contract](../docs/reference/contract.md)).
The groups hold the rest: `base`, `model` (what Kafka makes of a request), `rules` (what is allowed), `engine`.
The packages under `checks` are in no bundle that decides.

"""


def render_architecture(checkout: Path) -> str:
    """Return the page about the architecture, with its tables of today.

    Args:
        checkout: Directory that holds ``glue``, ``spark_jobs`` and ``docs``.
    """
    begin, end = _ROOMS
    before, _, rest = (checkout / _PAGE).read_text(encoding="utf-8").partition(begin)
    return f"{before}{begin}\n{''.join(_iter_tables(checkout))}{end}{rest.partition(end)[2]}"


def render_policies(checkout: Path) -> str:
    """Return the page about the directory ``policies``.

    Args:
        checkout: Directory that holds it.
    """
    files = sorted((checkout / "policies/kafka").glob("*.rego"))
    entries = "".join(f"| `kafka/{file.stem}` | {title} |\n" for file in files if (title := _read_title(file)))
    packages = "".join(_iter_packages(checkout)).rstrip()
    return f"{_POLICIES}| What callers may request | |\n|---|---|\n{entries}\n{packages}\n"


def _read_title(file: Path) -> str:
    """Return the title of a file with an entry point, "" of any other."""
    text = file.read_text(encoding="utf-8")
    match = re.search(r"^# title: (.+)$", text, re.MULTILINE)
    return match[1] if match and "# entrypoint: true" in text else ""


def _iter_packages(checkout: Path) -> Iterator[str]:
    for purpose, packages in POLICIES.items():
        rows = "".join(f"| `{name}` | {_read_description(checkout / 'policies', name)} |\n" for name in packages)
        yield f"| {purpose} | |\n|---|---|\n{rows}\n"


def _read_description(policies: Path, package: str) -> str:
    """Return the first sentence of what the METADATA of a package says."""
    head = f"\npackage {package}\n"
    files = sorted(policies.joinpath(*package.split(".")).glob("*.rego"))
    for text in (file.read_text(encoding="utf-8") for file in files):
        if text.startswith("# METADATA\n") and head in text:
            metadata = yaml.safe_load(
                re.sub(r"^# ?", "", text.partition(head)[0], flags=re.MULTILINE).partition("\n")[2]
            )
            sentence = re.split(r"(?<=\.)\s", f"{metadata['description'].strip()} ")[0]
            return " ".join(sentence.split()).replace("|", "\\|")
    raise LookupError(f"{package}: no METADATA of the package with a description")


def _iter_tables(checkout: Path) -> Iterator[str]:
    for group in (name for name in USES if name not in ("warden", "warden.__main__", "tools")):
        package, *rest = group.split(".")
        directory = (checkout / ROOTS[package] / package).joinpath(*rest)
        uses = _list_uses(name for name in USES[group] if name != "warden")
        uses += "".join(
            f"; `{room}` alone also {_list_uses(more)}"
            for room in GROUPS.get(group, ())
            if (more := USES_OF_ROOMS.get(f"{group}.{room}"))
        )
        yield f"### `{group.removeprefix('warden.')}`\n\n{_read_summary(directory)}\n\n"
        yield f"Uses {uses}.\n\n" if uses else ""
        rooms = GROUPS.get(group)
        if rooms:
            rows = "".join(f"| `{room}` | {_read_summary(directory / room)} |\n" for room in rooms)
            yield f"| room | what it holds |\n|---|---|\n{rows}\n"


def _list_uses(groups: Iterable[str]) -> str:
    return ", ".join(f"`{name.removeprefix('warden.')}`" for name in groups)


def _read_summary(place: Path) -> str:
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n\n")[0].replace("\n", " ").replace("``", "`")
