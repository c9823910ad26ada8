"""``python -m tools.families``: write what evaluates the families of rules, or check that it is true.

The table of operations names the families (policies/kafka/operations); policies/checks/families makes Rego of it.
"""

import json
from pathlib import Path

import click

from tools.command_line import run, write_texts
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.metadata import read_rule_metadata
from warden.policy.bundle.opa import evaluate_opa

__all__ = ["command", "render_families"]


def render_families(opa: Path, policies: Path) -> dict[Path, str]:
    """Return the text of each file that is written: ``kafka/rules/families.rego``, and the one of single families.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.

    Raises:
        BundleError: The table, or a rule, does not compile.
    """
    data = [arg for name in ("checks/families", "kafka/operations") for arg in ("--data", str(policies / name))]
    document = json.dumps({"rules": read_rule_metadata(opa, policies)})
    sources: dict[str, str] = evaluate_opa(opa, *data, "data.checks.families.sources", stdin=document)
    return {policies / "kafka" / "rules" / name: text for name, text in sources.items()}


@click.command(name="python -m tools.families", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing, and fail if a file is out of date.")
def command(check: bool) -> int:
    """Write families.rego and family_violations.rego of policies/kafka/rules from the table of operations."""
    texts = render_families(find_opa(), find_shipped("policies"))
    return write_texts(texts, "tools.families", check=check)


if __name__ == "__main__":
    run(command)
