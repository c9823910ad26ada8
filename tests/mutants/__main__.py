"""``python -m tests.mutants``: change policies in small ways, and name the changes that no test notices.

A share of the changes is tried, chosen by a seed (``WARDEN_SEED``); of the rules of a package that is named all.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.bench import Bench
from tests.mutants.excused import Outcome, homeless, read_excused
from tests.mutants.mutations import Mutation, mutations
from tests.mutants.package import POLICIES, Package, directories
from tests.mutants.sample import SEED, is_chosen
from warden.base.toolchain.opa import find_opa

_SHARE_OF_ENGINE, _SHARE_OF_RULES = 3, 8
"""Percent of the mutants that are tried where no option says another: what a run of CI has room for."""


def main(arguments: list[str]) -> int:
    """Try mutants; return 1 when too many survive, when an excuse has no survivor, or none was tried."""
    options = _options(arguments)
    chosen = [path for path in directories() if not options.packages or path.as_posix().endswith(options.packages)]
    if not chosen:
        known = ", ".join(path.relative_to(POLICIES).as_posix() for path in directories())
        print(f"no package that is changed ends with {' or '.join(options.packages)}: name some of {known}")
        return 1
    excused, outcomes, left = read_excused(), [], []
    if options.until is not None:
        random.Random(options.seed).shuffle(chosen)
    print(f"WARDEN_SEED={options.seed}", file=sys.stderr)
    with TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        benches = [Bench.at(find_opa(), Package.read(directory), Path(scratch)) for directory in chosen]
        running = [(bench.package, pool.submit(_try, options, bench, bench is benches[0])) for bench in benches]
        for package, future in running:
            if (result := future.result()) is None:
                left.append(package.name)
                continue
            every, tried, survived = result
            print(f"{package.name}: {len(tried) - len(survived)} of {len(tried)} noticed", file=sys.stderr)
            for name in sorted(set(survived) - excused):
                print(f"survived: {name}", flush=True)
            outcomes.append(Outcome(package.name, package.tolerated, every, tried, survived))
    wrong = [sentence for outcome in outcomes for sentence in outcome.complaints(excused)] + homeless(excused)
    for sentence in wrong:
        print(sentence)
    there, changed = (sum(len(getattr(outcome, part)) for outcome in outcomes) for part in ("every", "tried"))
    survivors = {name for outcome in outcomes for name in outcome.survived}
    print(f"{changed} mutants of {there}, {len(survivors)} survived, {len(survivors & excused)} of them excused")
    if left:
        print(f"not tried, as no time was left: {', '.join(sorted(left))}")
    return 1 if wrong or not changed else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("packages", nargs="*", help="the end of a path, such as naming or kafka/lists")
    shares = f"{_SHARE_OF_ENGINE} of the engine's, {_SHARE_OF_RULES} of rules, 100 of rules that are named"
    parser.add_argument("--share", type=int, metavar="PERCENT", help=f"of the mutants; default: {shares}")
    parser.add_argument("--seed", type=int, default=SEED, help="which of the mutants; default: %(default)s")
    parser.add_argument(
        "--until",
        type=float,
        metavar="SECONDS",
        help="begin no package after so many seconds since 1970, and take them in an order of the seed",
    )
    options = parser.parse_args(arguments)
    options.packages = tuple(f"/{name.strip('/')}" for name in options.packages)
    return options


def _try(options: argparse.Namespace, bench: Bench, is_first: bool) -> tuple[list[str], list[str], list[str]] | None:
    """The names of all mutants of a package, of those that were tried, and of those that survived.

    None where there is no time left for it; for the first there always is.
    """
    if options.until is not None and time.time() >= options.until and not is_first:
        return None
    every: dict[str, tuple[str, str]] = {}
    for file in bench.package.sources:
        path = bench.package.directory / file
        mutants = _mutants(bench.opa, path)
        names = (f"{path}: {what}" for what in _names(mutants))
        every |= {name: (file, mutant.text) for name, mutant in zip(names, mutants, strict=True)}
    chosen = [name for name in every if is_chosen(name, _share(options, bench.package), options.seed)]
    fates = dict(zip(chosen, bench.fates([every[name] for name in chosen]), strict=True))
    tried = [name for name, fate in fates.items() if fate is not None]
    return list(every), tried, [name for name in tried if not fates[name]]


def _share(options: argparse.Namespace, package: Package) -> int:
    """Percent of a package's mutants that are tried."""
    if options.share is not None:
        return int(options.share)
    if package.is_engine:
        return _SHARE_OF_ENGINE
    return 100 if options.packages else _SHARE_OF_RULES


def _mutants(opa: Path, path: Path) -> list[Mutation]:
    parsed = subprocess.run(
        [opa, "parse", "--format", "json", "--json-include", "locations", str(path)], capture_output=True, check=True
    )
    return list(dict.fromkeys(mutations(path.read_text("utf-8"), json.loads(parsed.stdout).get("rules", []))))


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
