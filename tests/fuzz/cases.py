"""What is sent: a request as a recipe, made from a seed or read from the corpus."""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.fuzz.json_text import random_value, render
from tests.fuzz.tokens import Token, random_token

__all__ = ["CUT", "ENCODINGS", "Case", "Surface", "random_case"]

ENCODINGS = (
    "plain",
    "gzip",
    "gzip cut",
    "gzip twice",
    "gzip said",
    "gzip and more",
    "deflate said",
    "gzip bomb",
    "chunked",
    "chunks of nothing",
    "two lengths",
    "length and chunks",
    "length below nothing",
    "short",
    "chunked cut",
)
CUT = frozenset({"short", "chunked cut"})
"""Those whose body never comes to its end."""

_SCHEMES = (
    "Bearer {}",
    "bearer {}",
    "Bearer  {}",
    "Bearer\t{}",
    "Basic {}",
    "{}",
    "Bearer {} {}",
    "Bearer",
    "Bearer {},",
)
_HEADERS = (
    *(
        ("Content-Type", kind)
        for kind in ("application/json", "application/yaml", "text/plain", "a", "x; charset=utf-16")
    ),
    *(("Accept-Encoding", value) for value in ("gzip", "*", "gzip;q=x", "br")),
    *(("Accept", value) for value in ("text/html", "application/vnd.opa.ucast.all+json", "*")),
    *(("Traceparent", value) for value in ("00-" + "1" * 32 + "-" + "1" * 16 + "-01", "x")),
    *(("X-Http-Method-Override", "PUT"), ("Expect", "100-continue"), ("Upgrade", "h2c"), ("Cookie", "a=b; ;=")),
    *(("Range", "bytes=9-1"), ("If-None-Match", "*"), ("X-Forwarded-For", "127.0.0.1"), ("Fuzz", "é" * 2000)),
)
_QUERIES = (
    *("pretty=true", "metrics", "metrics=true&metrics=x", "explain=full", "explain=notes", "instrument=true"),
    *("provenance", "strict-builtin-errors", "input=%7B%7D", "input=%7B", "a=%zz", "%00=%ff", ";;", "a[]=1&a[b]=2"),
    *("partial", "watch", "x=" + "y" * 9000, "&" * 3000, "pretty=1e99999999"),
)
_SEGMENTS = (
    "..",
    ".",
    "",
    "%2F",
    "%2e%2e",
    "%00",
    "%ff",
    "%zz",
    "a;b",
    "é",
    "x" * 8000,
    "*",
    "{a}",
    "0",
    "%25",
    "allow",
)


@dataclass(frozen=True)
class Surface:
    """What can be sent of a program.

    Args:
        paths: With a beginning slash.
        methods: By which these are sent.
        tokens: Bearers, by name.
        documents: Bodies that are good.
        claims: Of a good JSON Web Token.
        headers: That a good request has.
    """

    paths: Sequence[str]
    methods: Sequence[str]
    tokens: Mapping[str, str]
    documents: Sequence[Any]
    claims: Mapping[str, Any]
    headers: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Case:
    """A request.

    Args:
        method: As it is sent.
        target: Path and query, as they are sent.
        token: A recipe, the name of a token of the surface, or None for none.
        scheme: What stands around the token in ``Authorization``.
        headers: Others.
        body: Mostly JSON.
        encoding: How the body is sent, of `ENCODINGS`.
    """

    method: str
    target: str
    token: Token | str | None = None
    scheme: str = "Bearer {}"
    headers: Sequence[tuple[str, str]] = field(default=())
    body: str = ""
    encoding: str = "plain"

    @classmethod
    def parse(cls, line: str) -> "Case":
        """Return the case of a line of the corpus."""
        document = json.loads(line)
        token, headers = document.get("token"), document.get("headers", ())
        recipe = Token(**token) if isinstance(token, dict) else token
        return cls(**{**document, "token": recipe, "headers": tuple(tuple(pair) for pair in headers)})

    def line(self) -> str:
        """Return the line of the corpus."""
        return json.dumps(asdict(self))


def random_case(rng: random.Random, surface: Surface) -> Case:
    """Return a request in which about one thing is odd."""
    odd = rng.choice(("token", "token", "token", "body", "body", "path", "query", "headers", "encoding", "all"))
    is_odd = {name: odd in {name, "all"} for name in ("token", "body", "path", "query", "headers", "encoding")}
    path = _path(rng, rng.choice(surface.paths), is_odd["path"])
    query = "?" + rng.choice(_QUERIES) if is_odd["query"] else ""
    return Case(
        method=rng.choice(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "TRACE", "post", "X")) if odd == "all"
        else rng.choice(surface.methods),
        target=path + query,
        token=_token(rng, surface, is_odd["token"]),
        scheme=rng.choice(_SCHEMES) if is_odd["token"] and rng.random() < 0.1 else "Bearer {}",
        headers=_headers(rng, surface, is_odd["headers"]),
        body=_body(rng, surface, is_odd["body"]),
        encoding=rng.choice(ENCODINGS) if is_odd["encoding"] else "plain",
    )  # fmt: skip


def _token(rng: random.Random, surface: Surface, is_odd: bool) -> Token | str | None:
    if is_odd:
        return random_token(rng, surface.claims)
    return rng.choice((None, *sorted(surface.tokens)))


def _path(rng: random.Random, path: str, is_odd: bool) -> str:
    if not is_odd:
        return path
    segments = path.split("/")
    for _ in range(rng.randrange(1, 3)):
        segments.insert(rng.randrange(1, len(segments) + 1), rng.choice(_SEGMENTS))
    return "/".join(segments) if rng.random() < 0.9 else path.lstrip("/") + "//"


def _headers(rng: random.Random, surface: Surface, is_odd: bool) -> tuple[tuple[str, str], ...]:
    if not is_odd:
        return tuple(surface.headers)
    kept = surface.headers if rng.random() < 0.7 else ()
    return (*kept, *rng.sample(_HEADERS, rng.randrange(1, 5)))


def _body(rng: random.Random, surface: Surface, is_odd: bool) -> str:
    document = rng.choice(surface.documents)
    if not is_odd:
        return json.dumps(document)
    return render(rng, document, rng.choice((0.02, 0.1, 0.3))) if rng.random() < 0.85 else random_value(rng)
