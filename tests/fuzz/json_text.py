"""JSON as text: values that parsers differ about, and documents in which some places are changed."""

import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["random_value", "render"]

_SCALARS = (
    *("null", "true", "false", "0", "-0", "1", "-1", "1.5", "1e3", "0.0", "-0.0e-0", "4102444800"),
    *("9223372036854775808", "123456789012345678901234567890", "1e400", "1e30000", "-1e30000", "1e-30000"),
    *("1e99999999", "-1e99999999", "1e-99999999", "1e999999999999999999999", "NaN", "Infinity", "01", "+1", "0x10"),
    *('""', '"a"', '"JWT"', '"jwt"', '"none"', '"../.."', '"/request/topic"', '"a/b.c[0]"', '"$ref"', '"~1~0"'),
    *(r'"\u0000"', r'"\ud800"', r'"\uFFFE"', '"\u202e"', '"é\u0301"', '"𝄞"', '"\t"', r'"\q"', '"', '"1e99999999"'),
    *('"2020-01-01T00:00:00Z"', '"9999999-01-01T00:00:00Z"', '"%00"', '"(a+)+$"', '"*"', '"[a-"', '"10.0.0.0/33"'),
)
_NAMES = (
    "a",
    "",
    "input",
    "cty",
    "iss",
    "now",
    "items",
    "common",
    "__proto__",
    "a/b",
    "$ref",
    "data",
    "secret",
    "value",
)


def random_value(rng: random.Random, depth: int = 3) -> str:
    """Return the text of a JSON value, or of what is nearly one."""
    kind = rng.random()
    if depth == 0 or kind < 0.6:
        return rng.choice(_SCALARS)
    if kind < 0.75:
        return f"[{', '.join(random_value(rng, depth - 1) for _ in range(rng.randrange(4)))}]"
    if kind < 0.93:
        return f"{{{', '.join(_member(rng, depth) for _ in range(rng.randrange(4)))}}}"
    if kind < 0.96:
        return '"' + rng.choice("a.[é/") * rng.choice((100, 5000, 30000)) + '"'
    deep = rng.choice((40, 900, 9990, 10001))
    return rng.choice(("[" * deep + "]" * deep, '{"a":' * deep + "1" + "}" * deep, "[" * deep))


def _member(rng: random.Random, depth: int) -> str:
    return f"{json.dumps(rng.choice(_NAMES))}: {random_value(rng, depth - 1)}"


def render(rng: random.Random, value: Any, rate: float) -> str:
    """Return a document's JSON, in which each place is another value, missing, or there twice at a rate."""
    if rng.random() < rate:
        return random_value(rng)
    if isinstance(value, Mapping):
        members = [(f"{json.dumps(name)}: ", inner) for name, inner in value.items()]
        added = [_member(rng, 2)] if rng.random() < rate else []
        return f"{{{', '.join(_parts(rng, members, rate) + added)}}}"
    if isinstance(value, list):
        return f"[{', '.join(_parts(rng, [('', inner) for inner in value], rate))}]"
    return json.dumps(value)


def _parts(rng: random.Random, members: Sequence[tuple[str, Any]], rate: float) -> list[str]:
    times: Callable[[], int] = lambda: rng.choice((0, 2)) if rng.random() < rate else 1  # noqa: E731
    return [name + render(rng, inner, rate) for name, inner in members for _ in range(times())]
