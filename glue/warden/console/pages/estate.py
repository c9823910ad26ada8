"""The page of the estate: its newest scan, its days, who has to act, and which policy decides where."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from warden.analyse.report.percent import format_percent
from warden.analyse.report.trend.plot import choose_scale_start, draw_sparks, plot
from warden.analyse.trend.summary import DayCompliance, Series, compute_compliance
from warden.base.errors import InputError
from warden.console.estate import Estate, read_estate
from warden.console.gate import Viewer, get_viewer
from warden.console.pages.context import Console, Page
from warden.console.pages.render import respond
from warden.console.policy.policies_seen import check_opas, list_cluster_states, list_revisions
from warden.policy.contract.severities import SEVERITIES

__all__ = ["ESTATE"]

_REPORT: Final = "report.html"
# The report is one file with its script and style in it; whatever it holds runs apart from the console.
_REPORT_POLICY: Final = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class _Pages:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._estates: dict[Viewer, tuple[Any, Estate]] = {}

    def build_routes(self) -> list[web.RouteDef]:
        return [web.get("/estate", self._show), web.get("/estate/report", self._show_report)]

    async def _show(self, request: web.Request) -> web.Response:
        document, estate = await self._console.run(partial(self._build, get_viewer()))
        drawn = {} if estate is None else _draw(estate)
        return respond(request, "estate.html.j2", document, severities=SEVERITIES, percent=format_percent, **drawn)

    async def _show_report(self, _request: web.Request) -> web.StreamResponse:
        """Answer with the report of the newest run, for who sees all."""
        _, estate = await self._console.run(partial(self._build, get_viewer()))
        if estate is None or not get_viewer().sees_all or not _has_report(estate):
            raise web.HTTPNotFound(reason="the newest run has no report.html: scan with --report html")
        return web.FileResponse(
            estate.directory / _REPORT, headers={"Content-Security-Policy": _REPORT_POLICY, "Cache-Control": "no-store"}
        )

    def _build(self, viewer: Viewer) -> tuple[dict[str, Any], Estate | None]:
        console = self._console
        document: dict[str, Any] = {
            "opas": check_opas(console.opa) if viewer.sees_all else [],
            "revisions": list_revisions(console.store) if viewer.sees_all else [],
            "states": list_cluster_states(console.store, viewer),
        }
        directory = console.config.runs
        if directory is None:
            return {
                **document,
                "estate": None,
                "problem": "no runs are named: give runs, the --out of `warden scan`",
            }, None
        try:
            estate = self._read_estate(directory, viewer)
        except InputError as error:
            return {**document, "estate": None, "problem": str(error)}, None
        report = viewer.sees_all and _has_report(estate)
        return {**document, "estate": estate.to_document(), "problem": None, "report": report}, estate

    def _read_estate(self, directory: Path, viewer: Viewer) -> Estate:
        """Read the runs, once for each viewer until there is another run or another day."""
        today = datetime.now(UTC).date()
        files = sorted(directory.glob("*/summary.json"))
        state = (today, [(path, path.stat().st_mtime_ns) for path in files])
        held = self._estates.get(viewer)
        if held is None or held[0] != state:
            held = self._estates[viewer] = state, read_estate(directory, viewer, today)
        return held[1]


def _has_report(estate: Estate) -> bool:
    return (estate.directory / _REPORT).is_file()


def _draw(estate: Estate) -> dict[str, Any]:
    days = [day.day for day in estate.days]
    groups = [
        (title, *_draw_lines(lines, days))
        for title, lines in (("Clusters", estate.clusters), ("Owners", estate.owners))
    ]
    titles = {id: rule.get("title", "") for id, rule in estate.rules.items()}
    return {
        "overall": plot(days, [compute_compliance(day) for day in estate.days]) if len(days) > 1 else None,
        "days": estate.days,
        "share": compute_compliance,
        "groups": [group for group in groups if group[1]],
        "titles": titles,
        "change": _compute_change(estate.days),
    }


def _compute_change(days: Sequence[DayCompliance]) -> float | None:
    shares = [compute_compliance(day) for day in days]
    return None if len(days) < 2 or None in (shares[0], shares[-1]) else round(100 * (shares[-1] - shares[0]), 1) or 0.0  # type: ignore[operator]


def _draw_lines(lines: Sequence[Series], days: Sequence[str]) -> tuple[list[Mapping[str, Any]], str]:
    shares = [[compute_compliance(line.days.get(day)) for day in days] for line in lines]
    low = choose_scale_start(shares)
    drawn: list[Mapping[str, Any]] = [
        {
            "name": line.name,
            "last": format_percent(own[-1]),
            "spark": draw_sparks(own, low),
            "label": ", ".join(f"{day} {format_percent(share)}" for day, share in zip(days, own, strict=True)),
        }
        for line, own in zip(lines, shares, strict=True)
    ]
    return drawn, f"{format_percent(low)} to 100 %"


ESTATE: Final = Page("Estate", "/estate", lambda console: _Pages(console).build_routes())
"""How the estate stands."""
