"""``python -m tools.plain_data``: write what a bundle has worked out of its sources, so that plain OPA decides too.

`warden bundle build` works these documents out anew and takes none of them from the files.
"""

import json
from pathlib import Path
from typing import Any, Final

import click

from tools.command_line import run, write_texts
from warden.base.errors import SettingsError
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.settings import compile_settings, load_settings
from warden.policy.bundle.state_reads import find_state_reads

__all__ = ["build_plain_data", "command"]

_FILE: Final = "data.json"  # a name that OPA loads with --bundle too; each in a directory of its own


def build_plain_data(opa: Path, policies: Path, bundle: Path) -> dict[Path, str]:
    """Return the text of each file below `bundle`: compiled settings, the rules' METADATA, what rules read of states.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.
        bundle: Directory of the bundle's data.

    Raises:
        BundleError: The policies do not compile.
        SettingsError: The shipped settings cannot be read, or lack a rule.
    """
    shipped = bundle / "settings" / "data.yaml"
    settings, rules = load_settings(shipped), read_rule_metadata(opa, policies)
    if missing := sorted(rules.keys() - settings["rules"].keys()):
        raise SettingsError(f"{shipped}: rules: {', '.join(missing)}: missing: write mode and params")
    listed = {id: {**rule, "mode": settings["rules"][id]["mode"]} for id, rule in rules.items()}
    documents: dict[str, Any] = {
        "catalog/rules": listed,
        "catalog/state": find_state_reads(opa, policies, rules),
        "settings/compiled": compile_settings(opa, policies / "checks", settings),
    }
    return {bundle / path / _FILE: _format_document(document) for path, document in documents.items()}


def _format_document(document: Any) -> str:
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


@click.command(name="python -m tools.plain_data", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing, and fail if a file is out of date.")
def command(check: bool) -> int:
    """Write the documents under bundle/ that plain OPA needs beside the sources."""
    texts = build_plain_data(find_opa(), find_shipped("policies"), find_shipped("bundle"))
    return write_texts(texts, "tools.plain_data", check=check)


if __name__ == "__main__":
    run(command)
