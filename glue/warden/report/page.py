"""The HTML report: one file that needs nothing else, neither network nor server, and holds every finding."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warden.contract.effect import EFFECTS
from warden.contract.severities import SEVERITIES
from warden.report.embed import NOT_EVALUATED, columns_of, packed
from warden.report.finished_run import Run
from warden.report.summary import RuleCount
from warden.report.waivers import SOON_DAYS, Waivers

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

__all__ = ["environment", "page_pieces"]


def page_pieces(run: Run) -> Iterator[str]:
    """Yield the text of a run's page.

    Raises:
        InputError: The run's files are missing or damaged.
    """
    waivers = Waivers()
    data = columns_of(waivers.watching(run.findings()), run.not_evaluated())
    counts = run.summary.rules
    template = environment().get_template("report.html.j2")
    yield from template.generate(
        s=run.summary,
        severities=SEVERITIES,
        effects=EFFECTS,
        not_evaluated=NOT_EVALUATED,
        total=sum(run.summary.findings.values()),
        owners=sorted({group.name for group in run.summary.owners if group.name is not None}),
        clusters=sorted(group.name or "" for group in run.summary.clusters),
        ids=sorted({count.rule for count in counts}),
        waivers=waivers.by_expiry(date.fromisoformat(run.summary.evaluated_at[:10])),
        soon=SOON_DAYS,
        pages=[_rule_page(id, counts, run.rules.get(id, {})) for id in sorted({c.rule for c in counts} | {*run.rules})],
        evidence=list(_evidence(run)),
        digest=_digest(run.findings_path),
        data=packed(data),
    )


@cache
def environment() -> "Environment":
    """Return the templates' environment: everything is escaped, and a name that is not there is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    jinja = Environment(
        loader=PackageLoader("warden.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    jinja.filters["count"] = "{:,}".format
    jinja.filters["percent"] = _percent
    jinja.filters["breaking"] = _breaking
    return jinja


def _breaking(name: str | None) -> "Markup":
    """A name as HTML that may break behind its dots, hyphens and underscores, so that words of it stay whole."""
    from markupsafe import Markup, escape

    return Markup("<wbr>").join(escape(part) for part in re.split(r"(?<=[._-])", name or ""))


def _rule_page(id: str, counts: list[RuleCount], metadata: Mapping[str, Any]) -> dict[str, Any]:
    own = [count for count in counts if count.rule == id]
    first = own[0] if own else None
    return {
        "id": id,
        "title": metadata.get("title") or (first.title if first else ""),
        "severity": metadata.get("severity") or (first.severity if first else ""),
        "mode": metadata.get("mode", ""),
        "description": metadata.get("description", "").strip(),
        "message": metadata.get("message", ""),
        "fix": metadata.get("fix", ""),
        "operations": metadata.get("operations", []),
        "params": metadata.get("params", {}),
        "references": metadata.get("references", []),
        "findings": sum(count.findings for count in own),
    }


def _evidence(run: Run) -> Iterator[dict[str, Any]]:
    titles = {count.rule: count.title for count in run.summary.rules}
    for id, passes in run.passes().items():
        yield {"id": id, "title": run.rules.get(id, {}).get("title") or titles.get(id, ""), **passes._asdict()}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _percent(part: int, whole: int) -> str:
    """12 of 100 → 12 %; never rounded to none or all."""
    share = 100 * part / whole if whole else 0.0
    if 0 < share < 0.1:
        return "<0.1"
    return f"{min(share, 99.9):.1f}" if 0 < share < 100 else f"{share:.0f}"
