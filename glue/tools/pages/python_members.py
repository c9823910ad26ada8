"""The tables of members on the page about Python modules: what each exports, by the first sentence of its docstring."""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["render_python_members"]

_BEGIN, _END = "<!-- members: written by tools.pages -->\n", "<!-- end of members -->"
_PAGE = Path("docs/reference/python.md")
_IN_A_TREE = "warden.base.errors"


def render_python_members(checkout: Path) -> str:
    """Return the page with the members of the modules that its first table has.

    Args:
        checkout: Directory that holds ``docs``.
    """
    page = (checkout / _PAGE).read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    modules = [name for name in re.findall(r"^\| `(warden[\w.]*)` \|", before, re.MULTILINE) if name != _IN_A_TREE]
    tables = "".join(f"| members of `{module}` | |\n|---|---|\n{''.join(_iter_rows(module))}\n" for module in modules)
    return f"{before}{_BEGIN}\n{tables}{_END}{rest.partition(_END)[2]}"


def _iter_rows(module: str) -> Iterator[str]:
    exporting = importlib.import_module(module)
    for name in exporting.__all__:
        member = getattr(exporting, name)
        text = inspect.getdoc(member) if inspect.isclass(member) or inspect.isfunction(member) else None
        yield f"| `{name}` | {_take_sentence(text or 'A constant.')} |\n"


def _take_sentence(text: str) -> str:
    """Return the first sentence, as a cell of a table."""
    sentence = re.split(r"(?<=\.)\s", f"{text.strip()} ")[0]
    return " ".join(sentence.split()).replace("``", "`").replace("|", "\\|").strip()
