"""The table of Kafka's APIs and what the gateway does with each; `tools.gateway` makes it of Kafka's schemas."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final, Literal

__all__ = ["APIS", "API_VERSIONS", "Api", "read_table"]

API_VERSIONS: Final = 18
"""The API that asks for the versions of the others; its response's header is never flexible (KIP-511)."""


@dataclass(frozen=True, slots=True)
class Api:
    """One API of Kafka's protocol.

    Args:
        key: Its number.
        name: Its name, without ``Request``.
        handling: ``guard``: decided first; ``pass``: not decided; ``refuse``: never reaches a broker.
        versions: The lowest and the highest version that the gateway's schemas have; None where Kafka has removed it.
        flexible_since: The lowest flexible version (KIP-482); None where there is none.
    """

    key: int
    name: str
    handling: Literal["guard", "pass", "refuse"]
    versions: tuple[int, int] | None
    flexible_since: int | None

    def supports_version(self, version: int) -> bool:
        """Return whether requests of a version go through.

        Of what passes as it is, versions below those of today's schemas do too: only heads of such requests are read.
        """
        if self.handling == "refuse" or self.versions is None:
            return False
        low, high = self.advertised
        return low <= version <= high

    @property
    def advertised(self) -> tuple[int, int]:
        """The lowest and the highest version that clients may use, if the broker has them."""
        low, high = self.versions or (0, -1)
        return (0 if self.handling == "pass" and self.name not in _REWRITTEN else low), high

    def is_flexible(self, version: int) -> bool:
        """Return whether a version has compact types and tagged fields."""
        return self.flexible_since is not None and version >= self.flexible_since


# After version 0 of SaslHandshake come bytes that are no frames of the protocol.
_REWRITTEN: Final = {"SaslHandshake": 1}


def read_table(name: str) -> dict[str, Any]:
    """Return the content of a table beside this module."""
    file = resources.files("warden.enforce.gateway.wire") / name
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def _build_api(key: str, row: Mapping[str, Any]) -> Api:
    versions = (
        None
        if row["versions"] is None
        else (max(row["versions"][0], _REWRITTEN.get(row["name"], 0)), row["versions"][1])
    )
    return Api(int(key), row["name"], row["class"], versions, row["flexible"])


APIS: Final[Mapping[int, Api]] = {int(key): _build_api(key, row) for key, row in read_table("apis.json").items()}
"""By number."""
