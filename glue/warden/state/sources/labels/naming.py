"""Labels that are in a topic's name: the named groups of a regular expression."""

import re

__all__ = ["NamingRule"]


class NamingRule:
    r"""Takes labels from names.

    Args:
        pattern: A regular expression for a whole name, with named groups: ``(?P<owner>[a-z]+)\..*``.
    """

    problem: str | None = None

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    @property
    def pattern(self) -> str:
        """The regular expression."""
        return self._pattern.pattern

    def refresh(self) -> bool:
        """Return False: a rule does not change."""
        return False

    def get(self, topic: str) -> dict[str, str]:
        """Return the labels of a topic; none where its name does not match."""
        match = self._pattern.fullmatch(topic)
        return {name: value for name, value in match.groupdict().items() if value} if match else {}

    def close(self) -> None:
        """Nothing is held."""
