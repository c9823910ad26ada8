"""``python -m tests.oracle.page``: write docs/reference/kafka-refusals.md from the oracles' table."""

from pathlib import Path

from tests.oracle.compare import Difference, read_differences

__all__ = ["PAGE", "render"]

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "kafka-refusals.md"

_HEAD = Path(__file__).with_suffix(".md")


def render(differences: list[Difference]) -> str:
    """Return the page's text."""
    rows = sorted((row.operation, row.what, row.kafka, row.warden, row.reason) for row in differences)
    return _HEAD.read_text(encoding="utf-8") + "".join(
        f"| `{operation}` | {what} | {_said(kafka)} | {_said(warden, kafka)} | {reason} |\n"
        for operation, what, kafka, warden, reason in rows
    )


def _said(error: str, other: str = "") -> str:
    if error == "NONE":
        return "takes it" if other != error else "makes something else of it"
    return f"`{error}`" if error != other else "the same, in other words"


if __name__ == "__main__":
    PAGE.write_text(render(read_differences()), encoding="utf-8")
