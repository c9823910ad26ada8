"""The tables of members on the page about Python modules: what each exports, by the first sentence of its docstring."""

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import FunctionType
from typing import Any

__all__ = ["render_python_members"]

_BEGIN, _END = "<!-- members: written by tools.pages -->\n", "<!-- end of members -->"
_PAGE = Path("docs/reference/python.md")
_METHODS_ELSEWHERE = frozenset(
    {
        "ClientMetrics",
        "Connection",
        "DynamicConsumer",
        "DynamicKafkaConsumer",
        "DynamicKafkaProducer",
        "DynamicProducer",
    }
)  # those of the library for which a class stands in, or none that an application calls
_MADE_ELSEWHERE = frozenset({"Connection"})
_MEMBERS = (FunctionType, classmethod, property, staticmethod)


def render_python_members(checkout: Path) -> str:
    """Return the page with the members of the modules that its first table has.

    Args:
        checkout: Directory that holds ``docs``.
    """
    page = (checkout / _PAGE).read_text(encoding="utf-8")
    before, _, rest = page.partition(_BEGIN)
    modules = re.findall(r"^\| `(warden[\w.]*)` \|", before, re.MULTILINE)
    tables = "".join(f"| members of `{module}` | |\n|---|---|\n{''.join(_iter_rows(module))}\n" for module in modules)
    return f"{before}{_BEGIN}\n{tables}{_END}{rest.partition(_END)[2]}"


def _iter_rows(module: str) -> Iterator[str]:
    exporting = importlib.import_module(module)
    for name in exporting.__all__:
        member = getattr(exporting, name)
        if inspect.isclass(member) and issubclass(member, Exception):
            continue  # errors are in a tree of their own
        if inspect.isclass(member):
            fields = _format_fields(member)
            parameters = "" if fields or name in _MADE_ELSEWHERE else _format_parameters(member)
            yield f"| `{name}{parameters}` | {_extract_first_sentence(inspect.getdoc(member))}{fields} |\n"
            methods = _iter_documented(member) if name not in _METHODS_ELSEWHERE else ()
            yield from (f"| `{name}.{method}` | {_extract_first_sentence(text)} |\n" for method, text in methods)
        elif inspect.isfunction(member):
            text = _extract_first_sentence(inspect.getdoc(member))
            yield f"| `{name}{_format_parameters(member)}` | {text} |\n"
        else:
            yield f"| `{name}` | {_extract_first_sentence(_read_docstring(module, name))} |\n"


def _format_parameters(called: Callable[..., Any]) -> str:
    """Return the parameters with their defaults as the source has them; types would make the table too wide."""
    source = inspect.getsource(called.__init__ if inspect.isclass(called) else called)
    parameters = next(node.args for node in ast.walk(ast.parse(dedent(source))) if isinstance(node, ast.FunctionDef))
    for parameter in ast.walk(parameters):
        if isinstance(parameter, ast.arg):
            parameter.annotation = None
    parameters.args = [each for each in parameters.args if each.arg not in ("self", "cls")]
    return f"({ast.unparse(parameters)})"


def _format_fields(class_: type) -> str:
    """Return the names of the fields, whose meaning is in the class's own docstring."""
    names = getattr(class_, "__dataclass_fields__", getattr(class_, "_fields", ()))
    return f" Fields: {', '.join(f'`{name}`' for name in names)}." if names else ""


def _iter_documented(class_: type) -> Iterator[tuple[str, str]]:
    """Yield the public methods, with parameters, and properties that a class itself defines, with their docstrings."""
    for name, member in vars(class_).items():
        text = inspect.getdoc(member) if isinstance(member, _MEMBERS) else None
        if text is not None and not name.startswith("_"):
            called = getattr(class_, name)
            yield f"{name}{_format_parameters(called) if callable(called) else ''}", text


def _read_docstring(module: str, name: str) -> str | None:
    """Return the text below a constant, in the module that it comes from."""
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    for node in ast.walk(tree):  # also what is imported for types alone
        if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
            return _read_docstring(str(node.module), name)
    for node, below in pairwise(tree.body):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if name in [getattr(target, "id", None) for target in targets]:
            match below:
                case ast.Expr(ast.Constant(str(text))):
                    return text
    return None


def _extract_first_sentence(text: str | None) -> str:
    """Return the first sentence, as a cell of a table."""
    if not text:
        raise ValueError("what the page lists has a docstring")
    sentence = re.split(r"(?<=\.)\s", f"{text.strip()} ")[0]
    return " ".join(sentence.split()).replace("``", "`").replace("|", "\\|").strip()
