"""The table of groups and rooms on the page about the architecture: from the packages' own docstrings."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tools.layers import GROUPS, ROOTS, USES

__all__ = ["render_architecture"]

_BEGIN, _END = "<!-- rooms: written by tools.pages -->\n", "<!-- end of rooms -->"
_PAGE = Path("docs/explain/architecture.md")


def render_architecture(checkout: Path) -> str:
    """Return the page with its table of today.

    Args:
        checkout: Directory that holds ``glue`` and ``docs``.
    """
    before, _, rest = (checkout / _PAGE).read_text(encoding="utf-8").partition(_BEGIN)
    return f"{before}{_BEGIN}\n{''.join(_iter_tables(checkout))}{_END}{rest.partition(_END)[2]}"


def _iter_tables(checkout: Path) -> Iterator[str]:
    for group in (name for name in USES if name not in ("warden", "warden.__main__", "tools")):
        package, *rest = group.split(".")
        directory = (checkout / ROOTS[package] / package).joinpath(*rest)
        uses = ", ".join(f"`{name.removeprefix('warden.')}`" for name in USES[group] if name != "warden")
        yield f"### `{group.removeprefix('warden.')}`\n\n{_read_summary(directory)}\n\n"
        yield f"Uses {uses}.\n\n" if uses else ""
        rooms = GROUPS.get(group)
        if rooms:
            rows = "".join(f"| `{room}` | {_read_summary(directory / room)} |\n" for room in rooms)
            yield f"| room | what it holds |\n|---|---|\n{rows}\n"


def _read_summary(place: Path) -> str:
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return docstring.partition("\n\n")[0].replace("\n", " ").replace("``", "`")
