"""Many mutants in one process of OPA: each in a package of its own, beside what all of them call."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from warden.bundle.constants import read_catalog

__all__ = ["RULES", "Bench", "Family"]

RULES = Path("policies/kafka/rules")
_NAMED = re.compile(r"/m(\d+)/[^/:]+\.rego:\d+: rego_")
_UNDER = re.compile(r"mutants\.m(\d+)_test")
_TEST = re.compile(r"^(test_\w+)", re.MULTILINE)
_IMPORTED = re.compile(r"^import data\.kafka\.(\w+)", re.MULTILINE)
# No mutant: the rule as it stands, which the tests must let pass.
_CONTROL = 0


@dataclass(frozen=True)
class Family:
    """The modules of one family of rules, and of its tests.

    Args:
        name: Such as ``naming``.
        modules: File name → text.
    """

    name: str
    modules: dict[str, str]

    @staticmethod
    def read(name: str) -> "Family":
        """Read a family of this checkout."""
        return Family(name, {path.name: path.read_text("utf-8") for path in sorted((RULES / name).glob("*.rego"))})

    @property
    def rules(self) -> list[str]:
        """The names of the files that are no tests."""
        return [name for name in self.modules if not name.endswith("_test.rego")]

    def own_tests(self, file: str) -> list[str]:
        """The names of the tests in the file beside the one named; none where it has no tests of its own."""
        return sorted(set(_TEST.findall(self.modules.get(f"{Path(file).stem}_test.rego", ""))))

    def write(self, directory: Path, number: int, file: str, text: str) -> None:
        """Write the family once more as package ``mutants.m<number>``, with another text in place of one file's."""
        home = directory / f"m{number}"
        home.mkdir()
        for name, module in {**self.modules, file: text}.items():
            renamed = re.sub(rf"\bkafka\.rules\.{self.name}(_test)?\b", rf"mutants.m{number}\1", module)
            (home / name).write_text(renamed, encoding="utf-8")


@dataclass(frozen=True)
class Bench:
    """Where mutants are tried.

    Args:
        opa: The binary.
        scratch: A directory that lasts as long as this.
    """

    opa: Path
    scratch: Path

    def lay_out(self) -> None:
        """Copy what rules call, and the catalogues as JSON, which OPA loads in a tenth of the time of YAML."""
        for name in _called():
            ignore = shutil.ignore_patterns("*_test.rego")
            shutil.copytree(RULES.parent / name, self.scratch / "called" / name, ignore=ignore)
        (self.scratch / "called" / "catalog").mkdir(parents=True)
        catalog = json.dumps(read_catalog(Path("bundle/catalog")))
        (self.scratch / "called" / "catalog" / "data.json").write_text(catalog, encoding="utf-8")

    def fates(self, family: Family, file: str, texts: list[str]) -> list[bool | None]:
        """Try each text in place of a file: its own tests first, then on what they let pass those of the whole family.

        Returns:
            For each text whether a test fails; None where it does not compile.

        Raises:
            SystemExit: The family's tests fail, or none runs, without any change.
        """
        found: dict[int, bool] = {}
        left = list(range(1, len(texts) + 1))
        for tests in dict.fromkeys((tuple(family.own_tests(file)), ())):
            if left:
                found |= self._try(family, file, {number: texts[number - 1] for number in left}, tests)
                left = [number for number in left if found.get(number) is False]
        return [found.get(number) for number in range(1, len(texts) + 1)]

    def _try(self, family: Family, file: str, texts: dict[int, str], tests: Iterable[str]) -> dict[int, bool]:
        with TemporaryDirectory(dir=self.scratch) as name:
            home = Path(name)
            for number, text in {**texts, _CONTROL: family.modules[file]}.items():
                family.write(home, number, file, text)
            ran = self._run(home, tests)
            while isinstance(ran, set):
                for number in ran:
                    shutil.rmtree(home / f"m{number}")
                ran = self._run(home, tests)
        if ran is None:
            return self._halves(family, file, texts, tests)
        if ran.pop(_CONTROL, None) is not False:
            raise SystemExit(f"{RULES / family.name / file}: its tests fail as it stands: run make test first")
        return ran

    def _halves(self, family: Family, file: str, texts: dict[int, str], tests: Iterable[str]) -> dict[int, bool]:
        """Find out by trying fewer which one it is that does not compile; one alone is left out of what is returned."""
        numbers = sorted(texts)
        if not numbers:
            raise SystemExit(f"{RULES / family.name / file}: it does not compile as it stands: run make lint first")
        if len(numbers) == 1:
            return self._try(family, file, {}, tests)
        middle = len(numbers) // 2
        parts = [{number: texts[number] for number in some} for some in (numbers[:middle], numbers[middle:])]
        return self._try(family, file, parts[0], tests) | self._try(family, file, parts[1], tests)

    def _run(self, home: Path, tests: Iterable[str]) -> dict[int, bool] | set[int] | None:
        """Whether tests fail, by mutant; or which mutants do not compile; None where OPA does not say which."""
        only = rf"^data\.mutants\.m\d+_test\.({'|'.join(tests) or '.*'})$"
        command = [str(self.opa), "test", str(self.scratch / "called"), str(home), "--format", "json", "--run", only]
        limits = ["--max-errors", "0", "--parallel", "1", "--timeout", "120s"]
        done = subprocess.run([*command, *limits], capture_output=True, text=True, check=False)
        refused = {int(number) for number in _NAMED.findall(done.stderr)}
        if refused - {_CONTROL}:
            return refused - {_CONTROL}
        if "rego_" in done.stderr:
            return None
        if done.returncode not in (0, 2):
            raise SystemExit(f"opa test: {done.stderr.strip()}")
        failed: dict[int, bool] = {}
        for result in json.loads(done.stdout):
            number = int(_UNDER.findall(result["package"])[0])
            failed[number] = failed.get(number, False) or bool(result.get("fail") or result.get("error"))
        return failed


def _called() -> set[str]:
    """The packages beside the rules' that rules import, and those that these import."""
    found: set[str] = set()
    left = {name for path in RULES.glob("*/*.rego") for name in _IMPORTED.findall(path.read_text("utf-8"))}
    while left := left - found - {"rules"}:
        found |= left
        modules = [path for name in left for path in (RULES.parent / name).rglob("*.rego")]
        left = {name for path in modules for name in _IMPORTED.findall(path.read_text("utf-8"))}
    return {name for name in found if (RULES.parent / name).is_dir()}
