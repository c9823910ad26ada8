"""``python -m tests.mutants [FAMILY…]``: change each rule in every small way; name the changes that no test notices."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants.mutations import Mutation, mutations
from warden.toolchain.opa import find_opa

RULES = Path("policies/kafka/rules")
EXCUSED = Path(__file__).with_name("excused.txt")


def main(families: list[str]) -> int:
    """Run the mutants of the rule families named, or of all; return 1 when one survives that is not excused."""
    opa = find_opa()
    files = sorted(path for path in RULES.glob("*/*.rego") if not path.name.endswith("_test.rego"))
    files = [path for path in files if not families or path.parent.name in families]
    excused = {line.split("  #")[0].strip() for line in EXCUSED.read_text("utf-8").splitlines() if line.strip()}
    tried = 0
    survived: list[str] = []
    with TemporaryDirectory() as scratch, ThreadPoolExecutor(os.cpu_count()) as pool:
        for path in files:
            source = path.read_text("utf-8")
            if _noticed(opa, path, source, Path(scratch)) is not False:
                raise SystemExit(f"{path}: its family's tests fail as it stands: run make test first")
            mutants = _mutants(opa, path, source)
            fates = list(pool.map(partial(_noticed, opa, path, scratch=Path(scratch)), [m.text for m in mutants]))
            compiled = [fate for fate in fates if fate is not None]
            tried += len(compiled)
            survived += [f"{path}: {m.what}" for m, fate in zip(mutants, fates, strict=True) if fate is False]
            print(f"{path}: {sum(compiled)} of {len(compiled)} noticed", file=sys.stderr)
    alive = [name for name in survived if name not in excused]
    for name in alive:
        print(f"survived: {name}")
    print(f"{tried} mutants, {len(survived)} survived, {len(survived) - len(alive)} of them excused")
    return 1 if alive or not tried else 0


def _mutants(opa: Path, path: Path, source: str) -> list[Mutation]:
    parsed = subprocess.run(
        [opa, "parse", "--format", "json", "--json-include", "locations", str(path)], capture_output=True, check=True
    )
    return list(dict.fromkeys(mutations(source, json.loads(parsed.stdout)["rules"])))


def _noticed(opa: Path, path: Path, text: str, scratch: Path) -> bool | None:
    """Whether the family's tests fail on the rule changed to `text`; None where it does not compile."""
    with TemporaryDirectory(dir=scratch) as tree:
        copy = Path(tree, "kafka")
        shutil.copytree("policies/kafka", copy, ignore=shutil.ignore_patterns("decision*_test.rego", "*.yaml"))
        copy.parent.joinpath(path.relative_to("policies")).write_text(text, encoding="utf-8")
        run = f"data.kafka.rules.{path.parent.name}_test"
        command = [str(opa), "test", tree, "bundle", "--ignore", "profiles", "--run", run]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 1 and "rego_" in done.stderr:
        return None
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
