"""``python -m tests.mutants [FAMILY…]``: change each rule in every small way; name the changes that no test notices."""

import json
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.batch import RULES, Bench, Family
from tests.mutants.mutations import Mutation, mutations
from warden.toolchain.opa import find_opa

EXCUSED = Path(__file__).with_name("excused.txt")


def main(names: list[str]) -> int:
    """Run the mutants of the rule families named, or of all; return 1 when one survives that is not excused.

    An excuse for what a test notices after all, or for what is no longer there, is a failure too.
    """
    names = names or sorted(path.name for path in RULES.iterdir() if path.is_dir())
    tried = 0
    survived: set[str] = set()
    with TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        bench = Bench(find_opa(), Path(scratch))
        bench.lay_out()

        def evaluate(file: tuple[Family, str]) -> list[tuple[str, bool]]:
            family, name = file
            mutants = _mutants(bench.opa, RULES / family.name / name)
            fates = bench.fates(family, name, [mutant.text for mutant in mutants])
            named = zip(_names(mutants), fates, strict=True)
            return [(f"{RULES / family.name / name}: {what}", fate) for what, fate in named if fate is not None]

        files = [(family, name) for family in map(Family.read, names) for name in family.rules]
        for (family, name), found in zip(files, pool.map(evaluate, files), strict=True):
            tried += len(found)
            survived |= {what for what, fate in found if not fate}
            noticed = sum(fate for _, fate in found)
            print(f"{family.name}/{name}: {noticed} of {len(found)} noticed", file=sys.stderr)
    excused = _excused(names)
    for what in sorted(survived - excused):
        print(f"survived: {what}")
    for what in sorted(excused - survived):
        print(f"excused in {EXCUSED.name}, but noticed by a test or no longer there: {what}")
    print(f"{tried} mutants, {len(survived)} survived, {len(survived & excused)} of them excused")
    return 1 if survived != excused or not tried else 0


def _excused(names: list[str]) -> set[str]:
    lines = [line.split("  #")[0].strip() for line in EXCUSED.read_text("utf-8").splitlines()]
    return {line for line in lines if line and Path(line.split(":")[0]).parent.name in names}


def _mutants(opa: Path, path: Path) -> list[Mutation]:
    parsed = subprocess.run(
        [opa, "parse", "--format", "json", "--json-include", "locations", str(path)], capture_output=True, check=True
    )
    return list(dict.fromkeys(mutations(path.read_text("utf-8"), json.loads(parsed.stdout)["rules"])))


def _names(mutants: list[Mutation]) -> list[str]:
    """What each changes, numbered from the second on where a file has the same words several times."""
    seen: Counter[str] = Counter()
    names = []
    for mutant in mutants:
        seen[mutant.what] += 1
        names.append(mutant.what if seen[mutant.what] == 1 else f"{mutant.what} ({seen[mutant.what]})")
    return names


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
