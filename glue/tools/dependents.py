"""Dependencies between files of the checkout: imports, texts that name them, fixtures, and commands that are run."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

__all__ = ["map_dependents", "map_python_uses", "map_rego_uses"]

_Nodes = list[ast.AST]
_SHARED = "tests/fixtures/"
_OF_ALL = "tests/conftest.py"
_ROOTS = {"glue": "", "spark_jobs": "spark_jobs", "tests": "tests"}  # directory → the name that its modules begin with


def map_python_uses(checkout: Path, commands: Mapping[str, str]) -> dict[str, set[str]]:
    """Return, for each Python file, the files that it uses, by their paths in the checkout.

    A file uses a module that it imports or names in a text, a file that it names in a text, the fixtures that its
    functions take, the ``conftest.py`` above it, and the module of a command that it runs by its name. What the shared
    fixtures are made of is not followed: nearly everything has an OPA, and that of Warden's bundle.

    Args:
        checkout: The checkout.
        commands: The module of each command of the command line, by the command's name.
    """
    trees = dict(_iter_trees(checkout))
    modules = {_name_module(path): path for path in trees}
    fixtures = defaultdict(set)
    for path, tree in trees.items():
        for name in _iter_fixtures(tree):
            fixtures[name].add(path)
    others = {path.name: path.relative_to(checkout).as_posix() for path in _iter_other_files(checkout)}
    graph: dict[str, set[str]] = {}
    for path, tree in trees.items():
        texts = set(_iter_texts(tree)) if path.startswith("tests/") else set[str]()  # in the product they are messages
        named = {*_iter_imports(tree), *(text for text in texts if "." in text)}
        named |= {commands[command] for command in _iter_command_names(tree, commands)} if texts else set()
        uses = {modules[module] for name in named if (module := _find_module(name, modules)) is not None}
        uses |= {others[name] for text in texts if (name := text.rpartition("/")[2]) in others}
        uses |= {text for text in texts if text.endswith(".py") and text in trees}
        uses |= {place for name in _list_parameters(tree) for place in fixtures[name] if _can_reach(place, path)}
        uses |= {place for parent in Path(path).parents if (place := f"{parent.as_posix()}/conftest.py") in trees}
        if path.startswith(_SHARED):
            uses = {used for used in uses if used.startswith(_SHARED)}
        graph[path] = uses - {path, _OF_ALL}
    return graph


def map_rego_uses(policies: Path) -> dict[str, set[str]]:
    """Return, for each package, itself and the packages that it names; a test belongs to the package that it tests."""
    texts: dict[str, str] = defaultdict(str)
    for path in policies.rglob("*.rego"):
        text = re.sub(r"^\s*#.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        texts[re.findall(r"^package (\S+)", text, re.MULTILINE)[0].removesuffix("_test")] += text
    references = {name: set(re.findall(r"\bdata\.([\w.]+)", text)) for name, text in texts.items()}
    return {
        name: {name}
        | {
            package
            for package in texts
            for reference in named
            if f"{reference}.".startswith(f"{package}.") or f"{package}.".startswith(f"{reference}.")
        }
        for name, named in references.items()
    }


def map_dependents(uses: Mapping[str, Iterable[str]], changed: Iterable[str]) -> dict[str, int]:
    """Return what uses something that changed, over how few steps; what changed itself, over none."""
    users = defaultdict(set)
    for user, used in uses.items():
        for item in used:
            users[item].add(user)
    steps, reached = dict.fromkeys(changed, 0), list(changed)
    for item in reached:
        nearest = sorted(users[item] - steps.keys())
        steps |= dict.fromkeys(nearest, steps[item] + 1)
        reached += nearest
    return steps


def _iter_trees(checkout: Path) -> Iterator[tuple[str, _Nodes]]:
    for root in _ROOTS:
        for path in sorted((checkout / root).rglob("*.py")):
            yield path.relative_to(checkout).as_posix(), list(ast.walk(ast.parse(path.read_bytes())))


def _iter_other_files(checkout: Path) -> Iterator[Path]:
    for root in ("bundle", "deploy", "docs", "glue/broker_plugin", "schemas", "tests"):
        yield from (path for path in (checkout / root).rglob("*.*") if path.suffix not in (".py", ".pyc"))


def _name_module(path: str) -> str:
    parts = Path(path).with_suffix("").parts
    return ".".join(parts[1:] if parts[0] == "glue" else parts).removesuffix(".__init__")


def _find_module(name: str, modules: Mapping[str, str]) -> str | None:
    """The module that a dotted name is, or is in."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return name or None


def _iter_imports(tree: _Nodes) -> Iterator[str]:
    for node in tree:
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def _iter_texts(tree: _Nodes) -> Iterator[str]:
    return (node.value for node in tree if isinstance(node, ast.Constant) and isinstance(node.value, str))


def _iter_functions(tree: _Nodes) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in tree if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def _iter_fixtures(tree: _Nodes) -> Iterator[str]:
    return (
        function.name
        for function in _iter_functions(tree)
        if any("fixture" in ast.unparse(made) for made in function.decorator_list)
    )


def _list_parameters(tree: _Nodes) -> set[str]:
    return {argument.arg for function in _iter_functions(tree) for argument in function.args.args}


def _can_reach(fixture: str, user: str) -> bool:
    """Whether a file can have a fixture of another: those of a conftest.py are its directory's."""
    place = Path(fixture)
    if place.name == "conftest.py":
        return Path(user).is_relative_to(place.parent)
    return user == fixture or "fixtures" in place.parts


def _iter_command_names(tree: _Nodes, commands: Mapping[str, str]) -> Iterator[str]:
    """Names of commands that begin a list of arguments, or stand behind ``warden`` in it or in a text."""
    for node in tree:
        if isinstance(node, ast.List | ast.Tuple):
            texts = [element.value if isinstance(element, ast.Constant) else None for element in node.elts]
            pairs = zip(["warden", *texts], texts, strict=False)
            yield from (str(name) for before, name in pairs if before == "warden" and name in commands)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from (name for name in re.findall(r"\bwarden ([\w-]+)", node.value) if name in commands)
