"""Findings in a configuration file, each with its line, from OPA's ``kafka/lists/check``."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from warden.analysis.lists.documents import Document
from warden.errors import ConfigurationError
from warden.sources.kafka.server_properties import without_secrets

if TYPE_CHECKING:
    from warden.opa.client import OpaClient

__all__ = ["Finding", "check"]


@dataclass(frozen=True)
class Finding:
    """One fault.

    Args:
        file: The file, as it was named.
        line: The line of the key, from 1; None where the file lacks the key.
        name: The configuration.
        level: ``error`` where Kafka refuses the value, ``warning`` where it takes it otherwise than it stands there.
        message: Kafka's own words.
    """

    file: str
    line: int | None
    name: str
    level: Literal["error", "warning"]
    message: str

    def document(self) -> dict[str, Any]:
        """Return the finding as JSON has it."""
        return asdict(self)


def check(opa: "OpaClient", document: Document, component: str, mode: str) -> list[Finding]:
    """Return the faults of one file, in the order of its lines, what is missing first.

    Args:
        opa: Whom to ask.
        document: The file.
        component: Whose file it is, as the catalogue names components, or ``connector``.
        mode: ``parse`` or ``validate``; see docs/reference/contract.md.

    Raises:
        ConfigurationError: There is no such component.
        OpaError: OPA did not answer.
    """
    hidden = without_secrets({name: value for name, value in document.configs.items() if value is not None})
    request = {"component": component, "configs": {**document.configs, **hidden}, "mode": mode}
    answer = opa.evaluate("kafka/lists/check", request)
    # A key that is called `errors` has an object there, as every key has.
    if isinstance(answer.get("errors"), list):
        raise ConfigurationError(f"--component {component}: {'; '.join(answer['errors'])}")
    findings = [finding for name, one in answer.items() for finding in _of(document, name, one)]
    return sorted(findings, key=lambda finding: (finding.line or 0, finding.name, finding.level))


def _of(document: Document, name: str, answer: Mapping[str, Any]) -> Iterator[Finding]:
    line = document.lines.get(name)
    for message in answer["errors"]:
        yield Finding(str(document.file), line, name, "error", message)
    for message in answer["warnings"]:
        yield Finding(str(document.file), line, name, "warning", message)
