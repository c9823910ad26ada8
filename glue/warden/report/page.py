"""The HTML report: one file that needs nothing else, neither network nor server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from warden.report.summary import SEVERITIES, Summary

__all__ = ["EMBEDDED", "page_data", "write_page"]

# Most findings in the page: about 15 MB. The page says how many are left out, and where they all are.
EMBEDDED = 100_000


def write_page(path: Path, summary: Summary, findings: Path) -> None:
    """Write the report of a run.

    Args:
        path: Where to write it.
        summary: The figures.
        findings: The findings as JSON lines, gravest first.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader("warden.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["count"] = "{:,}".format
    templates.filters["percent"] = _percent
    with findings.open(encoding="utf-8") as lines:
        data = page_data(json.loads(line) for line in lines)
    text = templates.get_template("report.html.j2").render(
        s=summary,
        severities=SEVERITIES,
        total=sum(summary.findings.values()),
        embedded=len(data["rows"]),
        data=script_json(data),
    )
    path.write_text(text, encoding="utf-8")


def page_data(findings: Iterator[dict[str, Any]]) -> dict[str, Any]:
    """Return the findings in the page's compact form: each text once, in ``texts``, and rows of indices into it.

    A row is [severity, rule, mode, cluster, topic, owner, message, fix]; owner and fix are -1 where there is none.
    """
    texts: dict[str, int] = {}

    def index(text: str | None) -> int:
        return -1 if text is None else texts.setdefault(text, len(texts))

    rows: list[list[int]] = []
    for found in findings:
        if len(rows) == EMBEDDED:
            break
        mode = "waived" if found.get("waiver") else found["mode"]
        fields = (found["severity"], found["rule"], mode, found["cluster"], found["topic"])
        rows.append([index(field) for field in (*fields, found.get("owner"), found["message"], found.get("fix"))])
    return {"texts": list(texts), "rows": rows}


def script_json(value: Any) -> str:
    """Return JSON that may stand in a script element: no ``<``, so that no text can end the element."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _percent(part: int, whole: int) -> str:
    """12 of 100 → 12 %; never rounded to none or all."""
    share = 100 * part / whole if whole else 0.0
    if 0 < share < 0.1:
        return "<0.1"
    return f"{min(share, 99.9):.1f}" if 0 < share < 100 else f"{share:.0f}"
