"""What a file declares, and what is wrong with a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["Contents", "Declared", "Fault", "Refused", "Skipped", "attempted"]


@dataclass(frozen=True, kw_only=True)
class Declared:
    """One decision input, as far as a file knows it.

    Args:
        format: Id of the format, such as ``strimzi``.
        operation: As in the contract. ``CreateTopic`` of a file that says how a topic should be becomes ``AlterTopic``
            where the topic is there.
        request: As in the contract for that operation.
        file: The file as it was named.
        line: Line of the declaration, from 1.
        cluster: The cluster's name as the file has it; None where it names none.
        lines: Line of each value by its path in the request, joined by ``/``: ``configs/retention.ms``.
        left_out: What the tool does with overrides of a topic that the file does not list.
        before: The topic's state as the file knows it, where the file is about a change.
        unknown: JSON pointers into the decision input to what is known only once the change is carried out.
        address: The tool's own name for it, such as Terraform's ``module.a.kafka_topic.b``.
        note: What to know besides, empty for nothing.
        component: Whose configuration it is, as the catalogue of lists names it, where it is one; such a file has no
            operation unless a broker starts with it.
        node: The mapping that declares it, where one does; None once a file has been read.
        fields: Where `node` has what of the request: paths with blanks between their keys.
    """

    format: str
    operation: str
    request: Mapping[str, Any]
    file: str
    line: int
    cluster: str | None = None
    lines: Mapping[str, int] = field(default_factory=dict)
    left_out: Literal["reset", "keep"] = "reset"
    before: Mapping[str, Any] | None = None
    unknown: tuple[str, ...] = ()
    address: str = ""
    note: str = ""
    component: str = ""
    node: Any = field(default=None, repr=False, compare=False)
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What it is about, for a person."""
        request = self.request
        if self.component:
            return f"{self.component} {request.get('broker', '')}".rstrip()
        if "topic" in request:
            return str(request["topic"])
        if "acl" in request:
            acl = request["acl"]
            return f"{acl['principal']} {acl['operation']} {acl['resourceType']} {acl['resourceName']}"
        if "entity" in request:
            parts = [f"{key}={value or '<default>'}" for key, value in request["entity"].items()]
            return f"quota {','.join(parts)}"
        return str(request.get("user") or self.operation)

    def line_of(self, path: Sequence[str]) -> int:
        """Return the line of the deepest value on the way to a path of the request."""
        for length in range(len(path), 0, -1):
            if line := self.lines.get("/".join(map(str, path[:length]))):
                return line
        return self.line


@dataclass(frozen=True, order=True)
class Fault:
    """Why a file, or a part of it, is not evaluated: an error.

    Args:
        file: The file.
        line: Line, from 1.
        message: What is wrong and what to write.
    """

    file: str
    line: int
    message: str


@dataclass(frozen=True)
class Skipped:
    """A document that declares nothing that there are rules about.

    Args:
        file, line: Where.
        kind: What it is, in its own words.
        unmanaged: The topic, by name and cluster alone, that is declared here and that nobody manages.
    """

    file: str
    line: int
    kind: str
    unmanaged: Declared | None = None


@dataclass(frozen=True)
class Contents:
    """What is in some files.

    Args:
        declared: What they declare, in order.
        faults: What cannot be evaluated.
        skipped: What there is nothing to decide in.
    """

    declared: list[Declared] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    def add(self, found: Iterable[Declared | Fault | Skipped]) -> None:
        """Take up what a reader finds, each to its kind.

        Args:
            found: In order.
        """
        for each in found:
            match each:
                case Declared():
                    self.declared.append(each)
                case Fault():
                    self.faults.append(each)
                case Skipped():
                    self.skipped.append(each)


class Refused(Exception):
    """Raised for a part of a document that cannot be evaluated.

    Args:
        line: Its line, from 1.
        message: What is wrong and what to write.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def attempted(file: str, read: Callable[..., Declared], *arguments: Any) -> Declared | Fault:
    """Return what a part of a document declares, or why that cannot be evaluated; the other parts go on.

    Args:
        file: The document's file.
        read: Reads the part; it may raise `Refused`.
        arguments: What it takes.
    """
    try:
        return read(*arguments)
    except Refused as why:
        return Fault(file, why.line, str(why))
