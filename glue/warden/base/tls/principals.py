"""Principals of certificates by the brokers' ``ssl.principal.mapping.rules`` (KIP-371). No input or output.

Patterns are Java's there and Python's here: taken are those alone that mean the same to both, and a principal that
could come out otherwise is never guessed.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

__all__ = ["NoPrincipal", "PrincipalMapper", "UnusableRules"]

_RULE = re.compile(r"RULE:((?:\\.|[^\\/])*)/((?:\\.|[^\\/])*)/([LU]?)")
_SEPARATOR = re.compile(r"\s*(?:,\s*|$)", re.ASCII)
_LINE_ENDS: Final = re.compile("[\n\r\x85\u2028\u2029]")  # Java's `.` and `$` know more of them than Python's

# A pattern that both read the same way: no classes within classes, no groups but plain ones, no properties or flags.
_ESCAPE = r"\\(?:[dDwWsS]|[^A-Za-z0-9\s])"
_CLASS = rf"\[\^?(?:{_ESCAPE}|[^\\\[\]&])+\]"
_SHARED: Final = re.compile(
    rf"(?:(?:{_ESCAPE}|{_CLASS}|\((?!\?)|\(\?:|[^\\\[\](){{}}*+?])(?:(?:[*+?]|\{{\d{{1,4}}(?:,\d{{0,4}})?\}})\??)?|\)"
    r"(?:(?:[*+?]|\{\d{1,4}(?:,\d{0,4})?\})\??)?)*"
)
_REFERENCE = re.compile(r"\$([0-9]+)")

_Replace = Callable[[re.Match[str]], str]


class UnusableRules(ValueError):
    """Raised for rules that are none, or whose patterns Java and Python may read differently."""


class NoPrincipal(ValueError):
    """Raised for a name that no rule applies to; a broker refuses such a client as well."""


@dataclass(frozen=True, slots=True)
class _Rule:
    pattern: re.Pattern[str]
    replace: _Replace
    case: str

    def apply(self, name: str) -> str | None:
        if self.pattern.fullmatch(name) is None:
            return None
        return {"L": str.lower, "U": str.upper}.get(self.case, str)(self._replace_all(name))

    def _replace_all(self, name: str) -> str:
        """Replace each match. Java goes on behind an empty one, where Python's ``sub`` looks for a longer one first."""
        pieces, done, at = [], 0, 0
        while at <= len(name) and (match := self.pattern.search(name, at)) is not None:
            pieces += [name[done : match.start()], self.replace(match)]
            done = match.end()
            at = done + (match.start() == done)
        return "".join((*pieces, name[done:]))


class PrincipalMapper:
    """The rules of a listener.

    Args:
        rules: As brokers have them: ``RULE:pattern/replacement/[LU]`` and ``DEFAULT``, with commas between.

    Raises:
        UnusableRules: With the rule.
    """

    def __init__(self, rules: str = "DEFAULT") -> None:
        self._rules = list(_parse_rules(rules.strip()))

    def map_subject(self, name: str) -> str:
        """Return the principal's name for a certificate's subject.

        Raises:
            NoPrincipal: No rule applies to it, or what comes out is empty.
        """
        if _LINE_ENDS.search(name):
            raise NoPrincipal("the certificate's subject has a line end in it")
        for rule in self._rules:
            result = name if rule is None else rule.apply(name)
            if result == "":
                break
            if result is not None:
                return result
        raise NoPrincipal(
            f"no rule of principalMappingRules applies to the subject {name}: add one, or DEFAULT as the last"
        )


def _parse_rules(rules: str) -> list[_Rule | None]:
    """Return the rules in their order; None is DEFAULT. What is empty is passed over, as brokers do."""
    parsed: list[_Rule | None] = []
    at = 0
    while at < len(rules):
        match = _RULE.match(rules, at)
        if match is not None:
            end = match.end()
            parsed.append(_compile_rule(*match.groups()))
        elif rules.startswith("DEFAULT", at):
            end = at + len("DEFAULT")
            parsed.append(None)
        else:
            end = at
        separator = _SEPARATOR.match(rules, end)
        if separator is None:
            raise UnusableRules(f"{rules[at:]!r} is not a rule: write RULE:pattern/replacement/ or DEFAULT")
        at = separator.end()
    return parsed


def _compile_rule(pattern: str, replacement: str, case: str) -> _Rule:
    if not _SHARED.fullmatch(pattern):
        raise UnusableRules(
            f"the pattern {pattern!r} may mean something else in Java: write it with literals, classes such as [^,], "
            r"\d \w \s, plain or (?:) groups and quantifiers alone"
        )
    try:
        compiled = re.compile(pattern, re.ASCII)
    except re.error as error:
        raise UnusableRules(f"the pattern {pattern!r} is not a regular expression: {error}") from None
    return _Rule(compiled, _compile_replacement(_with_literals(replacement, compiled.groups), compiled.groups), case)


def _with_literals(replacement: str, groups: int) -> str:
    """Put a backslash before references to groups that are not there, where brokers do.

    They count from the text as it was before the first of these backslashes, so that a second stands too far left.
    """
    text = replacement
    for reference in _REFERENCE.finditer(replacement) if groups else ():
        number = int(reference[1])
        while number > groups and number >= 10:
            number //= 10
        if number > groups and not reference[1].startswith("0"):
            text = f"{text[: reference.start()]}\\{text[reference.start() :]}"
    return text


def _compile_replacement(text: str, groups: int) -> _Replace:
    r"""Return what makes a replacement: ``$N`` is a group, of as many digits as there are groups, ``\x`` is x."""
    pieces: list[str | int] = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            pieces.append(text[at + 1])
            at += 2
        elif text[at] in "\\$":
            number, at = _parse_group(text, at + 1, groups)
            pieces.append(number)
        else:
            pieces.append(text[at])
            at += 1
    return lambda match: "".join(piece if isinstance(piece, str) else match[piece] or "" for piece in pieces)


def _parse_group(text: str, at: int, groups: int) -> tuple[int, int]:
    digits = _REFERENCE.match(text, at - 1)
    if digits is None or int(digits[1][0]) > groups:
        raise UnusableRules(
            f"the replacement {text!r} refers to no group of its pattern, which has {groups}: write $0, or one of these"
        )
    number, at = int(text[at]), at + 1
    while at < digits.end() and number * 10 + int(text[at]) <= groups:
        number, at = number * 10 + int(text[at]), at + 1
    return number, at
