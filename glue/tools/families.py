"""``python -m tools.families``: write what evaluates the families of rules of each operation, or check that it is true.

The table of operations names the families (policies/kafka/operations); policies/checks/families makes Rego of it.
"""

from pathlib import Path

import click

from tools.command_line import run, write_texts
from warden.base.resources import find_shipped
from warden.base.toolchain.opa import find_opa
from warden.policy.bundle.opa import evaluate_opa

__all__ = ["command", "render_families"]


def render_families(opa: Path, policies: Path) -> str:
    """Return the text of ``kafka/rules/families.rego``.

    Args:
        opa: The OPA binary.
        policies: Directory of Rego files.

    Raises:
        BundleError: The table does not compile.
    """
    data = [arg for name in ("checks/families", "kafka/operations") for arg in ("--data", str(policies / name))]
    source: str = evaluate_opa(opa, *data, "data.checks.families.source")
    return source


@click.command(name="python -m tools.families", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing, and fail if the file is out of date.")
def command(check: bool) -> int:
    """Write policies/kafka/rules/families.rego from the table of operations."""
    policies = find_shipped("policies")
    texts = {policies / "kafka" / "rules" / "families.rego": render_families(find_opa(), policies)}
    return write_texts(texts, "tools.families", check=check)


if __name__ == "__main__":
    run(command)
