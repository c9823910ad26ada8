"""Answers of the console: a document as JSON, or as a page of a template, by what the browser wants."""

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from warden.analyse.report.page import build_environment
from warden.console.gate import get_viewer
from warden.console.pages.context import NAVIGATION

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["CONTENT_SECURITY_POLICY", "render_rows", "respond", "show_asset", "wants_json"]

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""The content security policy of every page: nothing of elsewhere, and no script or style inside a page."""

_TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def wants_json(request: web.Request) -> bool:
    """Whether a request is for the data: ``?format=json``, or an ``Accept`` with JSON and without HTML."""
    accepted = request.headers.get("Accept", "")
    return request.query.get("format") == "json" or ("application/json" in accepted and "text/html" not in accepted)


def respond(
    request: web.Request, template: str, document: Mapping[str, Any], *, status: int = 200, **extra: Any
) -> web.Response:
    """Answer with a document, or with the page that shows it.

    Args:
        request: What is answered.
        template: File in ``templates``; it has the document as ``page``.
        document: JSON-ready values: all that the page says.
        status: The status.
        extra: What the template needs beside that.
    """
    if wants_json(request):
        return web.json_response(document, status=status)
    text = (
        _build_environment()
        .get_template(template)
        .render(
            page=document,
            navigation=request.app[NAVIGATION],
            path=request.path,
            query=request.query,
            viewer=get_viewer(),
            has_rules=any(entry.path == "/rules" for entry in request.app[NAVIGATION]),
            **extra,
        )
    )
    return web.Response(text=text, content_type="text/html", status=status)


def render_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return decisions as rows of the table of decisions: HTML."""
    module: Any = _build_environment().get_template("rows.html.j2").module
    return str(module.rows(rows))


@cache
def _build_environment() -> "Environment":
    """The environment of reports, whose macros pages share, with the console's own templates."""
    from jinja2 import ChainableUndefined, ChoiceLoader, PackageLoader

    shared = build_environment()
    loaders = [PackageLoader("warden.console"), PackageLoader("warden.analyse.report")]
    # What a log has, another version may have written: what is not there is empty.
    return shared.overlay(loader=ChoiceLoader(loaders), undefined=ChainableUndefined)


@cache
def _read_asset(name: str) -> tuple[bytes, str]:
    """The content of a stylesheet or script, and its tag; that of reports is shared."""
    place = files("warden.analyse.report") / "templates" if name == "page.css" else files("warden.console") / "static"
    asset = next((entry for entry in place.iterdir() if entry.name == name and entry.is_file()), None)
    if asset is None:
        raise web.HTTPNotFound(reason="there is no such file")
    content = asset.read_bytes()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


async def show_asset(request: web.Request) -> web.Response:
    """Answer with a stylesheet or script; anybody may read them."""
    name = request.match_info["name"]
    content, tag = _read_asset(name)
    headers = {"ETag": tag, "Cache-Control": "no-cache"}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    kind = _TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return web.Response(body=content, content_type=kind, charset="utf-8", headers=headers)
