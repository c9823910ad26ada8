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
from warden.bundle.constants import read_catalog
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
            noticed = partial(_noticed, opa, path, _surroundings(path, Path(scratch)))
            if noticed(source) is not False:
                raise SystemExit(f"{path}: its family's tests fail as it stands: run make test first")
            mutants = _mutants(opa, path, source)
            fates = list(pool.map(noticed, [mutant.text for mutant in mutants]))
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


def _surroundings(path: Path, scratch: Path) -> Path:
    """A directory with all that a rule's tests need but the rule itself: its family, what rules call, and the data.

    Other families and the tests of what rules call stay out, and the catalogues are JSON: OPA loads it in a tenth of
    the time, and it loads it for each mutant.
    """
    tree = scratch / f"{path.parent.name}-{path.stem}"

    def left_out(directory: str, names: list[str]) -> list[str]:
        own = Path(directory) == path.parent
        families = names if Path(directory) == RULES else []
        tests = [name for name in names if name.endswith("_test.rego") and not name.startswith("fixtures")]
        return [
            *(name for name in families if name != path.parent.name),
            *(name for name in names if name.endswith(".yaml") or (own and name == path.name)),
            *([] if own else tests),
        ]

    shutil.copytree("policies/kafka", tree / "kafka", ignore=left_out)
    shutil.rmtree(tree / "kafka" / "verdict")
    catalog = json.dumps(read_catalog(Path("bundle/catalog")))
    (tree / "catalog").mkdir()
    (tree / "catalog" / "data.json").write_text(catalog, encoding="utf-8")
    for decision in (tree / "kafka").glob("*.rego"):
        decision.unlink()
    return tree


def _noticed(opa: Path, path: Path, surroundings: Path, text: str) -> bool | None:
    """Whether the family's tests fail on the rule changed to `text`; None where it does not compile."""
    with TemporaryDirectory() as directory:
        rule = Path(directory, path.name)
        rule.write_text(text, encoding="utf-8")
        command = [str(opa), "test", str(surroundings), str(rule), "--run", f"data.kafka.rules.{path.parent.name}_test"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 1 and "rego_" in done.stderr:
        return None
    return done.returncode != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
