"""The OpenAPI document as a page for people, which loads nothing from anywhere else."""

import hashlib
import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from aiohttp import web

from warden.enforce.service.openapi import build_openapi
from warden.enforce.service.wire_schemas import Schema

__all__ = ["render_openapi_page", "show_openapi_page"]

_FIELDS = 40  # of a schema; what has more is shown as JSON alone


@cache
def render_openapi_page() -> str:
    """Return the page."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("warden.enforce.service")
    jinja = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    document = build_openapi()
    style = (files("warden.enforce.service") / "templates" / "openapi.css").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    operations = [(path, method, content) for path, by in document["paths"].items() for method, content in by.items()]
    return jinja.get_template("openapi.html.j2").render(
        document=document,
        operations=operations,
        media=_get_media_schema,
        rows=_list_rows,
        curl=_format_curl,
        json=_format_json,
        style=style,
        policy=f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'",
    )


async def show_openapi_page(_request: web.Request) -> web.Response:
    """Answer with the page; anybody may read it, and it can run and load nothing."""
    return web.Response(
        text=render_openapi_page(), content_type="text/html", headers={"X-Content-Type-Options": "nosniff"}
    )


def _get_media_schema(content: Mapping[str, Any]) -> Schema:
    """The schema of a request's or response's JSON."""
    schema: Schema = content["content"]["application/json"]["schema"]
    return schema


def _format_curl(path: str, content: Mapping[str, Any]) -> str:
    """A command line that sends the example; URL and token are the reader's."""
    body = json.dumps(content["content"]["application/json"]["example"])
    return f'curl --silent "$URL{path}" --header "Authorization: Bearer $TOKEN" \\\n  --json \'{body}\''


def _list_rows(schema: Schema) -> list[tuple[str, str, bool, str]]:
    """Each field of a schema, at every depth: its place, type, whether it has to be there, and what it is."""
    rows = list(_iter_fields(schema, ""))
    return rows if len(rows) <= _FIELDS else [row for row in rows if "." not in row[0] and "[" not in row[0]]


def _iter_fields(schema: Schema, place: str) -> Iterator[tuple[str, str, bool, str]]:
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        where = f"{place}.{name}" if place else name
        yield where, _describe_type(field), name in required, field.get("description", "")
        for variant in (field, *field.get("anyOf", ())):
            yield from _iter_fields(variant, where)
        if isinstance(field.get("items"), Mapping):
            yield from _iter_fields(field["items"], f"{where}[]")


def _describe_type(schema: Schema) -> str:
    if "anyOf" in schema:
        return " or ".join(map(_describe_type, schema["anyOf"]))
    if "const" in schema or "enum" in schema:
        return " or ".join(map(json.dumps, schema.get("enum", [schema.get("const")])))
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        return f"list of {_describe_type(schema.get('items', {}))}"
    return str(kind)


def _format_json(document: Any) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False)
