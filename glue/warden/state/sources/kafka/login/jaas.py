"""``sasl.jaas.config``: one login module with its options, read as Kafka's own clients read it.

Kafka reads it with Java's StreamTokenizer (``org.apache.kafka.common.security.JaasConfig``): comments of Java, both
kinds of quotes with Java's escapes, words that may hold ``-``, ``_`` and ``$``, and numbers, which are no words.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from warden.base.errors import ConfigurationError

__all__ = ["LoginModule", "parse_jaas"]

_FLAGS = ("required", "requisite", "sufficient", "optional")
_TOKEN = re.compile(
    r"""(?P<space>\s+|/\*.*?\*/|/[^\n]*)"""
    r"""|"(?P<double>(?:[^"\\\n]|\\.)*)"|'(?P<single>(?:[^'\\\n]|\\.)*)'"""
    r"""|(?P<word>[A-Za-z_$\u00a0-\uffff][\w.$\u00a0-\uffff-]*)|(?P<sign>.)""",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\([0-3]?[0-7]{1,2}|.)", re.DOTALL)
_CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


@dataclass(frozen=True)
class LoginModule:
    """The entry of ``sasl.jaas.config``.

    Args:
        name: Name of the module's class, without its package.
        options: Its options; of one that is repeated the last value.
    """

    name: str
    options: dict[str, str] = field(repr=False)


def parse_jaas(text: str) -> LoginModule:
    """Read a ``sasl.jaas.config``.

    Raises:
        ConfigurationError: Kafka would refuse it; no option's value is quoted.
    """
    tokens = _iter_tokens(text)
    name = _take_word(tokens, "begins with no class of a login module, such as ScramLoginModule")
    flag = _take_word(tokens, f"has no flag behind {name}: write {name} required")
    if flag.lower() not in _FLAGS:
        raise _build_error(f"has {'{' if flag == '{' else 'another word'} behind {name}: write {name} required")
    options: dict[str, str] = {}
    while (token := next(tokens, ("", ""))) != (";", ""):
        kind, key = token
        if kind != "word":
            raise _build_error("does not end with a semicolon, or has a value that needs quotes: write both")
        if next(tokens, None) != ("=", "") or (value := next(tokens, ("", "")))[0] not in ("word", "quoted"):
            raise _build_error(f'has no value for {key}: write {key}="…", in quotes')
        options[key] = value[1]
    if next(tokens, None) is not None:
        raise _build_error(
            "has more than one login module, or something behind the semicolon: write one, and nothing behind it"
        )
    return LoginModule(name.rpartition(".")[2], options)


def _iter_tokens(text: str) -> Iterator[tuple[str, str]]:
    """(``word`` or ``quoted``, its text), or a sign and nothing."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "word":
            yield "word", match[0]
        elif kind in ("double", "single"):
            yield "quoted", _ESCAPE.sub(_unescape, match[kind])
        elif kind == "sign":
            yield match[0], ""


def _unescape(match: re.Match[str]) -> str:
    escaped = match[1]
    return chr(int(escaped, 8)) if escaped[0] in "01234567" else _CONTROLS.get(escaped, escaped)


def _take_word(tokens: Iterator[tuple[str, str]], problem: str) -> str:
    kind, text = next(tokens, ("", ""))
    if kind not in ("word", "quoted"):
        raise _build_error(problem)
    return text


def _build_error(problem: str) -> ConfigurationError:
    return ConfigurationError(f"sasl.jaas.config {problem}")
