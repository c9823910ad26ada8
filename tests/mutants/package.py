"""The packages whose modules are changed, and the packages that these and their tests call."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from warden.policy.bundle.catalog import read_data_tree

__all__ = ["POLICIES", "Package", "directories", "lay_out", "read_package_name"]

POLICIES = Path("policies")
_RULES = POLICIES / "kafka" / "rules"
# The engine's packages, with the percent of their mutants that may survive without an excuse: what a sample has found
# to survive. To be lowered as tests get stronger, never to be raised.
_ENGINE = {
    POLICIES / "io" / "k8s" / "federation": 15,
    POLICIES / "kafka" / "audit_parts": 10,
    POLICIES / "kafka" / "changes": 0,
    POLICIES / "kafka" / "client_configs": 10,
    POLICIES / "kafka" / "configs": 15,
    POLICIES / "kafka" / "engine": 1,
    POLICIES / "kafka" / "lists": 8,
    POLICIES / "kafka" / "model" / "topics": 20,
    POLICIES / "system" / "authz": 0,
}
_PACKAGE = re.compile(r"^package ([\w.]+)$", re.MULTILINE)
_TEST = re.compile(r"^(test_\w+)", re.MULTILINE)
_DEFINED = re.compile(r"^(?:default )?(?!test_|package\b|import\b|default\b)(\w+)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_NO_CODE = re.compile(r"^\s*#.*$", re.MULTILINE)
_REFERENCE = re.compile(r"\bdata\.([a-z_]\w*(?:\.[a-z_]\w*)*)")


@dataclass(frozen=True)
class Package:
    """The modules of a package, and of its tests.

    Args:
        directory: Of this checkout, such as ``policies/kafka/rules/naming``.
        name: Such as ``kafka.rules.naming``.
        modules: File name → text.
    """

    directory: Path
    name: str
    modules: dict[str, str]

    @staticmethod
    def read(directory: Path) -> "Package":
        """Read a package of this checkout."""
        modules = {path.name: path.read_text("utf-8") for path in sorted(directory.glob("*.rego"))}
        return Package(directory, _package(next(iter(modules.values()))).removesuffix("_test"), modules)

    @property
    def is_engine(self) -> bool:
        """Whether other packages call it, which no rule is."""
        return self.directory in _ENGINE

    @property
    def tolerated(self) -> int:
        """Percent of its mutants that may survive without an excuse; none of a rule's."""
        return _ENGINE.get(self.directory, 0)

    @property
    def sources(self) -> list[str]:
        """The names of the files that are no tests."""
        return [name for name in self.modules if not name.endswith("_test.rego")]

    def own_tests(self, file: str) -> list[str]:
        """The names of the tests in the file beside the one named; none where it has no tests of its own."""
        return sorted(set(_TEST.findall(self.modules.get(f"{Path(file).stem}_test.rego", ""))))

    @property
    def tests(self) -> list[str]:
        """The names of the files of tests."""
        return [name for name in self.modules if name.endswith("_test.rego")]

    @property
    def tests_elsewhere(self) -> list[Path]:
        """The files of tests of the packages below, and of others that import it."""
        imported = re.compile(rf"^import data\.{re.escape(self.name)}\b", re.MULTILINE)
        found = {
            read_package_name(path)
            for path in POLICIES.rglob("*_test.rego")
            if path.parent != self.directory and POLICIES / "checks" not in path.parents
            if self.directory in path.parents or imported.search(path.read_text("utf-8"))
        }
        return [path for name in sorted(found) for path in _packages()[name]]

    def _tests_of(self, files: Iterable[str]) -> set[str]:
        """The files of some files' own tests, and those of tests that define what these use."""
        defined = {name: set(_DEFINED.findall(self.modules[name])) for name in self.tests}
        needed: set[str] = set()
        left = {f"{Path(file).stem}_test.rego" for file in files}
        while left:
            needed |= left
            words = {word for name in left for word in _WORD.findall(self.modules[name])}
            left = {name for name, names in defined.items() if names & words} - needed
        return needed

    def write(self, home: Path, changed: dict[str, str]) -> None:
        """Write the package with its tests, with other texts in place of some files'."""
        home.mkdir(parents=True)
        for name, module in {**self.modules, **changed}.items():
            (home / name).write_text(module, encoding="utf-8")

    def write_beside(self, home: Path, number: int, changed: dict[str, str], *files: str) -> None:
        """Write it as package ``mutants.m<number>``, of which there can be many.

        Args:
            home: A directory that is not there yet.
            number: Of the copy.
            changed: Other texts in place of some files'.
            files: Those of whose own tests the copy has no others; all tests where none is named or one has none.
        """
        home.mkdir(parents=True)
        tests = self._tests_of(files) if files and all(map(self.own_tests, files)) else self.tests
        kept = {name: self.modules[name] for name in (*self.sources, *tests)}
        last = self.name.rpartition(".")[2]
        inner = "|".join(name.removeprefix(f"{self.name}.") for name in _packages() if name.startswith(f"{self.name}."))
        named = re.compile(rf"\b{re.escape(self.name)}(_test)?\b(?!\.(?:{inner or '$'})\b)")
        for name, module in {**kept, **changed}.items():
            imported = re.sub(
                rf"^import data\.{re.escape(self.name)}$", rf"\g<0> as {last}", module, flags=re.MULTILINE
            )
            (home / name).write_text(named.sub(rf"mutants.m{number}\1", imported), encoding="utf-8")


def read_package_name(path: Path) -> str:
    """Return the package of a module, such as ``kafka.rules.naming_test``."""
    return _package(path.read_text("utf-8"))


def directories() -> list[Path]:
    """The directories of all packages whose modules are changed: rule families first, then those of the engine."""
    return [*sorted(path for path in _RULES.iterdir() if path.is_dir()), *_ENGINE]


def lay_out(package: Package, home: Path, *others: Path) -> None:
    """Write all that a package, its tests and other files call, but not the package itself.

    The catalogues and the settings that ship are written as JSON, which OPA loads in a tenth of the time of YAML.
    """
    texts = [*package.modules.values(), *(path.read_text("utf-8") for path in others)]
    for path in [*_called(texts, {package.name, f"{package.name}_test"}), *others]:
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        (home / path).write_bytes(path.read_bytes())
    catalog = read_data_tree(Path("bundle/catalog"))
    settings = yaml.safe_load(Path("bundle/settings/data.yaml").read_text("utf-8"))
    # What is generated is written as JSON.
    for document, name in ((catalog, "catalog/rules"), (catalog, "catalog/state"), (settings, "settings/compiled")):
        document[name.partition("/")[2]] = json.loads(Path(f"bundle/{name}/data.json").read_text("utf-8"))
    for name, document in {"catalog": catalog, "settings": settings}.items():
        (home / name).mkdir(parents=True)
        (home / name / "data.json").write_text(json.dumps(document), encoding="utf-8")


def _called(texts: Iterable[str], known: set[str]) -> Iterator[Path]:
    """The modules of every package that texts refer to, and that these refer to."""
    packages = _packages()
    left = {name for text in texts for name in _references(text)}
    while left := left - known:
        known |= left
        found = [path for name in sorted(left) for path in packages[name]]
        yield from found
        left = {name for path in found for name in _references(path.read_text("utf-8"))}


@cache
def _packages() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(POLICIES.rglob("*.rego")):
        found.setdefault(_package(path.read_text("utf-8")), []).append(path)
    return found


def _references(text: str) -> set[str]:
    packages = _packages()
    found = set()
    for reference in _REFERENCE.findall(_NO_CODE.sub("", text)):
        parts = reference.split(".")
        longest = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        found |= {name for name in [next((name for name in longest if name in packages), None)] if name}
    return found


def _package(text: str) -> str:
    found = _PACKAGE.search(text)
    assert found
    return found[1]
