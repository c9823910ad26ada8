"""Where mutants are tried: many in one process of OPA, and what survives there one by one in the package's place."""

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.package import POLICIES, Package, lay_out, read_package_name

__all__ = ["Bench"]

_NAMED = re.compile(r"/m(\d+)/[^/:]+\.rego:\d+: rego_")
_UNDER = re.compile(r"mutants\.m(\d+)_test")
# As many are tried in one process: each is a copy of its package, which OPA compiles and holds.
_AT_ONCE = 40
# No mutant: the package as it stands, which the tests must let pass.
_CONTROL = 0
_DECISIONS = POLICIES / "kafka" / "decision_test.rego"


@dataclass(frozen=True)
class Bench:
    """Where the mutants of one package are tried.

    Args:
        opa: The binary.
        package: The package.
        home: A directory of this package's, as `at` has filled it.
    """

    opa: Path
    package: Package
    home: Path

    @staticmethod
    def at(opa: Path, package: Package, scratch: Path) -> "Bench":
        """Lay out what the package calls in a directory below ``scratch``, which lasts as long as the bench is used."""
        home = scratch / package.name
        lay_out(package, home / "called", *([_DECISIONS, *package.tests_elsewhere] if package.is_engine else []))
        package.write(home / "itself", {})
        for test in (home / "itself").glob("*_test.rego"):
            test.unlink()
        return Bench(opa, package, home)

    def fates(self, mutants: list[tuple[str, str]]) -> list[bool | None]:
        """Try each file's other text in place of what the file has.

        All are tried beside the package as it stands, on the file's own tests. What survives in a family of rules,
        which nothing else calls, is tried on those of the family. What survives in the engine is tried in the
        package's place, where other packages call it too: on the package's tests, on those of the packages below it, on
        those that call it, and on those of decisions.

        Args:
            mutants: The name of a file of the package, and its text after a change.

        Returns:
            For each whether a test fails; None where it does not compile.

        Raises:
            SystemExit: The package's tests fail, or none runs, without any change.
        """
        found: dict[int, bool] = {}
        left = dict(enumerate(mutants, 1))
        for is_own in (True,) if self.package.is_engine else (True, False):
            numbers = sorted(left)
            for start in range(0, len(numbers), _AT_ONCE):
                found |= self._try({number: left[number] for number in numbers[start : start + _AT_ONCE]}, is_own)
            left = {number: left[number] for number in numbers if found.get(number) is False}
        if self.package.is_engine:
            found |= {number: self._is_noticed_in_place(*mutant) for number, mutant in left.items()}
        return [found.get(number) for number in range(1, len(mutants) + 1)]

    def _is_noticed_in_place(self, file: str, text: str) -> bool:
        with TemporaryDirectory(dir=self.home) as name:
            place = Path(name) / "changed"
            self.package.write(place, {file: text})
            elsewhere = {read_package_name(path) for path in (_DECISIONS, *self.package.tests_elsewhere)}
            names = "|".join(map(re.escape, (f"{self.package.name}_test", *sorted(elsewhere))))
            return any(_fails(result) for result in self._in_place(place, rf"^data\.({names})\."))

    def _in_place(self, place: Path, only: str) -> list[dict[str, object]]:
        done = self._run([self.home / "called", place], only)
        if done.returncode not in (0, 2):
            raise SystemExit(f"opa test: {done.stderr.strip()}")
        results: list[dict[str, object]] = json.loads(done.stdout)
        return results

    def _try(self, mutants: dict[int, tuple[str, str]], is_own: bool) -> dict[int, bool]:
        with TemporaryDirectory(dir=self.home) as name:
            place = Path(name)
            files = {file for file, _ in mutants.values()} if is_own else set()
            self.package.write_beside(place / f"m{_CONTROL}", _CONTROL, {}, *files)
            for number, (file, text) in mutants.items():
                self.package.write_beside(place / f"m{number}", number, {file: text}, *([file] if is_own else []))
            only = self._tests({number: file for number, (file, _) in mutants.items()}, is_own)
            ran = self._tested(place, only)
            while isinstance(ran, set):
                for number in ran:
                    shutil.rmtree(place / f"m{number}")
                ran = self._tested(place, only)
        if ran is None:
            return self._halves(mutants, is_own)
        if ran.pop(_CONTROL, None) is not False:
            raise SystemExit(f"{self.package.directory}: its tests fail as it stands: run make test first")
        return ran

    def _tests(self, files: dict[int, str], is_own: bool) -> str:
        """The names of tests: of each mutant its file's own or all of the package, and all of them without a change."""
        own = {number: self.package.own_tests(file) if is_own else [] for number, file in files.items()}
        control = sorted({test for tests in own.values() for test in tests}) if all(own.values()) else []
        named = {**own, _CONTROL: control}
        parts = (rf"m{number}_test\.({'|'.join(tests) or '.*'})" for number, tests in named.items())
        return rf"^data\.mutants\.({'|'.join(parts)})$"

    def _halves(self, mutants: dict[int, tuple[str, str]], is_own: bool) -> dict[int, bool]:
        """Find out by trying fewer which one it is that does not compile; one alone is left out of what is returned."""
        numbers = sorted(mutants)
        if not numbers:
            raise SystemExit(f"{self.package.directory}: it does not compile as it stands: run make lint first")
        if len(numbers) == 1:
            return self._try({}, is_own)
        middle = len(numbers) // 2
        parts = [{number: mutants[number] for number in some} for some in (numbers[:middle], numbers[middle:])]
        return self._try(parts[0], is_own) | self._try(parts[1], is_own)

    def _tested(self, place: Path, only: str) -> dict[int, bool] | set[int] | None:
        """Whether tests fail, by mutant; or which mutants do not compile; None where OPA does not say which."""
        done = self._run([self.home / "called", self.home / "itself", place], only)
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
            failed[number] = failed.get(number, False) or _fails(result)
        return failed

    def _run(self, places: list[Path], only: str) -> subprocess.CompletedProcess[str]:
        """Run some tests; one that does not end fails after a time, as a mutant can make of it."""
        command = [str(self.opa), "test", *map(str, places), "--format", "json", "--run", only]
        limits = ["--max-errors", "0", "--parallel", "1", "--timeout", "60s"]
        return subprocess.run([*command, *limits], capture_output=True, text=True, check=False)


def _fails(result: dict[str, object]) -> bool:
    return bool(result.get("fail") or result.get("error"))
