"""Generated values for the comparison with Kafka: the edges by hand, the rest drawn from them."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["cases"]

_EDGES: Sequence[Any] = [
    *[
        None,
        "",
        " ",
        "\t\n\r ",
        "\x0b",
        "\u00a0",
        "\x01",
        ",",
        ",,",
        " , ",
        "a",
        "a,",
        ",a",
        "a,,b",
        "a , b",
        "a,b,",
        "A",
    ],
    *[
        "a,a",
        "a, a",
        " a ,\ta ",
        "a,b,a",
        "a a",
        "a\x0b,\x0cb",
        "a\x01,\x01b",
        "\x01a\x1f",
        "a\u00a0,b",
        "\u2003a",
        "ä,ä,ö",
    ],
    *[
        53,
        -7,
        True,
        [],
        [""],
        ["", ""],
        ["a"],
        ["a", "a"],
        ["a", ""],
        ["", "a"],
        [" a", "a"],
        ["a,b"],
        ["a", "b", "a", ""],
    ],
    *[[None], ["a", None], [None, None]],
]
_WORDS = ["a", "b", "", "A", "none", "*"]
_SPACE = ["", "", "", " ", "\t", "  ", "\n", "\x0b", "\x01", "\u00a0"]


def cases(name: str, valid: Sequence[str], count: int) -> Iterator[dict[str, Any]]:
    """Yield ``count`` values and more, each in every mode that takes it, and the key left unset.

    Args:
        name: The configuration: another one has other values.
        valid: Its valid strings; values are made of them where there are any.
        count: Drawn values, besides the edges.
    """
    source = random.Random(name)
    words = [*valid, *valid, *valid, *_WORDS]
    values = [*_EDGES, *[",".join(valid), ", ".join(valid), list(valid)] * bool(valid)]
    for _ in range(count):
        picked = source.choices(words, k=source.randint(1, 5))
        if source.random() < 0.3:
            values.append(picked)
        else:
            values.append(",".join(f"{source.choice(_SPACE)}{word}{source.choice(_SPACE)}" for word in picked))
    for mode in ("parse", "validate"):
        yield {"mode": mode}
        for value in values:
            # Kafka's validate takes strings only.
            if mode == "parse" or isinstance(value, str | None):
                yield {"mode": mode, "value": value}
    for value in values:
        if isinstance(value, list | None):
            yield {"mode": "ensureValid", "value": value}
