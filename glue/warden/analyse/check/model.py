"""Declarations in a file, and faults of a file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from warden.base.errors import WardenError

__all__ = [
    "UNNAMED",
    "Declaration",
    "Fault",
    "FileContents",
    "Found",
    "GranteeReference",
    "NamespaceUser",
    "Remark",
    "SkippedDocument",
    "UnchangedResource",
    "UnusableDeclaration",
    "format_place",
    "read_or_fault",
]

UNNAMED = "unnamed"
"""The cluster of what names none."""


@dataclass(frozen=True)
class NamespaceUser:
    """The user of a namespace of ns4kafka's, which what is granted to the namespace is granted to.

    Args:
        namespace: The namespace.
        name: The user's name.
        has_transactions: Whether who may use a group may use transactions too.
    """

    namespace: str
    name: str
    has_transactions: bool


@dataclass(frozen=True)
class GranteeReference:
    """Whose user a declaration is about, where another document says it.

    Args:
        namespace: The namespace.
        uses_group: Whether it is access to a group, from which access to transactional ids follows.
    """

    namespace: str
    uses_group: bool = False


@dataclass(frozen=True, kw_only=True)
class Declaration:
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
        unlisted_configs: What the tool does with overrides of a topic that the file does not list.
        before: The topic's state as the file knows it, where the file is about a change.
        labels: Those that an altered topic will have; None where nobody says them.
        earlier_labels: Those that the topic has; None where nobody knows them.
        unknown: JSON pointers into the decision input to what is known only once the change is carried out.
        address: The tool's own name for it, such as Terraform's ``module.a.kafka_topic.b``.
        note: What to know besides, empty for nothing.
        untouched: Names of configs that the tool leaves as they are although it takes others away.
        stays: Whether what is declared here stays where the file declares it no more.
        grantee: Whose user it is about, where that stands in another document.
        component: Whose configuration it is, as the catalogue of lists names it, where it is one; such a file has no
            operation unless a broker starts with it.
        node: The mapping that declares it, where one does; None once a file has been read.
        fields: Where `node` has what of the request: paths with blanks between their keys.
        unfixable: Why ``--fix`` leaves its file to people, empty where it does not.
    """

    format: str
    operation: str
    request: Mapping[str, Any]
    file: str
    line: int
    cluster: str | None = None
    lines: Mapping[str, int] = field(default_factory=dict)
    unlisted_configs: Literal["reset", "keep"] = "reset"
    before: Mapping[str, Any] | None = None
    labels: Mapping[str, str] | None = None
    earlier_labels: Mapping[str, str] | None = None
    unknown: tuple[str, ...] = ()
    address: str = ""
    note: str = ""
    untouched: tuple[str, ...] = ()
    stays: bool = False
    grantee: GranteeReference | None = None
    component: str = ""
    node: Any = field(default=None, repr=False, compare=False)
    fields: Mapping[str, str] = field(default_factory=dict)
    unfixable: str = ""

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

    def find_line(self, path: Sequence[str]) -> int:
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
        line: Line, from 1; 0 where the whole is meant, such as a directory or what is not there.
        message: What is wrong and what to write.
    """

    file: str
    line: int
    message: str

    @classmethod
    def of_error(cls, error: WardenError, path: Path) -> "Fault":
        """Take an error apart whose text begins with file and line."""
        line, colon, message = str(error).removeprefix(f"{path}:").partition(": ")
        if colon and line.isdecimal():
            return cls(str(path), int(line), message)
        return cls(str(path), 1, str(error).removeprefix(f"{path}: "))


@dataclass(frozen=True)
class SkippedDocument:
    """A document that declares nothing that there are rules about.

    Args:
        file, line: Where.
        kind: What it is, in its own words.
        unmanaged: The topic, by name and cluster alone, that is declared here and that nobody manages.
        is_known: Whether it has a form that is read, and only this one has nothing to decide.
    """

    file: str
    line: int
    kind: str
    unmanaged: Declaration | None = None
    is_known: bool = False

    @property
    def reason(self) -> str:
        """Why nothing is decided."""
        return "nothing in it is decided" if self.is_known else "there are no rules about it"


@dataclass(frozen=True)
class Remark:
    """What to know of a declaration that is decided all the same: a warning.

    Args:
        file, line: Where.
        message: What is odd and what may be meant.
    """

    file: str
    line: int
    message: str


@dataclass(frozen=True)
class UnchangedResource:
    """A resource that a file names and leaves as it is.

    Args:
        file, line: Where.
    """

    file: str
    line: int


Found = Declaration | Fault | SkippedDocument | Remark | UnchangedResource | NamespaceUser
"""What a reader finds in a file."""


@dataclass(frozen=True)
class FileContents:
    """What is in some files.

    Args:
        declared: What they declare, in order.
        faults: What cannot be evaluated.
        skipped: What there is nothing to decide in.
        remarks: What to know of what is decided.
        unchanged: What stays as it is.
        users: Users that other declarations are about.
        hidden: Files below directories that are not read for a dot before their name, or before one above it.
        empty: Paths in which there is nothing to decide.
    """

    declared: list[Declaration] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    skipped: list[SkippedDocument] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    unchanged: list[UnchangedResource] = field(default_factory=list)
    users: list[NamespaceUser] = field(default_factory=list)
    hidden: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that is decided or could have been."""
        return not (self.declared or self.faults or self.unchanged or any(skip.is_known for skip in self.skipped))

    def add(self, found: Iterable[Found]) -> None:
        """Take up what a reader finds, each to its kind.

        Args:
            found: In order.
        """
        for item in found:
            match item:
                case Declaration():
                    self.declared.append(item)
                case Fault():
                    self.faults.append(item)
                case SkippedDocument():
                    self.skipped.append(item)
                case Remark():
                    self.remarks.append(item)
                case UnchangedResource():
                    self.unchanged.append(item)
                case NamespaceUser():
                    self.users.append(item)


class UnusableDeclaration(Exception):
    """Raised for a part of a document that cannot be evaluated.

    Args:
        line: Its line, from 1.
        message: What is wrong and what to write.
    """

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def format_place(file: str, line: int) -> str:
    """Return ``file:line``, the file alone where the line is 0.

    Args:
        file, line: As a `Fault` has them.
    """
    return f"{file}:{line}" if line else file


def read_or_fault(file: str, read: Callable[..., Declaration], *arguments: Any) -> Declaration | Fault:
    """Return what a part of a document declares, or why that cannot be evaluated; the other parts go on.

    Args:
        file: The document's file.
        read: Reads the part; it may raise `UnusableDeclaration`.
        arguments: What it takes.
    """
    try:
        return read(*arguments)
    except UnusableDeclaration as why:
        return Fault(file, why.line, str(why))
