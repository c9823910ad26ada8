"""Choice of the patches to write: each place once, and none where two rules contradict each other. Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from warden.analyse.check.decisions import DecidedDeclaration
from warden.analyse.check.model import Declaration

__all__ = ["Conflict", "PatchOperation", "PatchPlace", "ProposedWrite", "plan_writes"]

PatchOperation = Mapping[str, Any]
"""One of a JSON Patch."""

PatchPlace = tuple[str, str, str, str]
"""File, cluster and name of the declaration, and JSON pointer into its request."""


@dataclass(frozen=True)
class ProposedWrite:
    """A value that a rule proposes for a place.

    Args:
        declared: Where it is declared.
        operation: What is proposed.
        rule: Who proposes it.
    """

    declared: Declaration = field(repr=False)
    operation: PatchOperation
    rule: str

    @property
    def place(self) -> PatchPlace:
        """Where it is written."""
        return self.declared.file, str(self.declared.cluster), self.declared.name, str(self.operation["path"])

    @property
    def effect(self) -> str:
        """What is written, for a person."""
        return "removed" if self.operation["op"] == "remove" else f"is {self.operation['value']}"

    @property
    def sentence(self) -> str:
        """File, name, path and value in a line."""
        return f"{self.declared.file}: {self.declared.name}: {_format_path(self.place)} {self.effect}"

    def overlaps(self, place: PatchPlace) -> bool:
        """Whether a place is this one's, or within it, or around it."""
        (*own, path), (*other, its) = self.place, place
        return own == other and (path == its or path.startswith(f"{its}/") or its.startswith(f"{path}/"))


@dataclass(frozen=True)
class Conflict:
    """Two proposals for one place.

    Args:
        first, second: In the order in which they came.
    """

    first: ProposedWrite
    second: ProposedWrite

    @property
    def sentence(self) -> str:
        """What is kept, and which rules contradict each other, in a line."""
        file, _, name, _ = self.first.place
        asks = [f"{_format_path(write.place)} {write.effect} for {write.rule}" for write in (self.first, self.second)]
        return f"{file}: {name}: two rules contradict each other, so that it is kept: {asks[0]}, {asks[1]}"


def plan_writes(
    decided: Iterable[DecidedDeclaration], earlier: Sequence[ProposedWrite] = (), kept: Collection[PatchPlace] = ()
) -> tuple[list[ProposedWrite], list[Conflict]]:
    """Return what the rules that deny propose to write, and where two of them contradict each other.

    Args:
        decided: What was decided about files as they are.
        earlier: What was written before: a place is not written twice.
        kept: Places that stay as they are.
    """
    writes: list[ProposedWrite] = []
    conflicts: list[Conflict] = []
    for declaration in decided:
        for violation in declaration.decision.get("violations", ()):
            if violation["effect"] != "deny":
                continue
            for operation in violation.get("patch") or ():
                write = ProposedWrite(declaration.declared, operation, violation["rule"])
                if any(write.overlaps(place) for place in kept):
                    continue
                previous = next((proposed for proposed in (*earlier, *writes) if proposed.overlaps(write.place)), None)
                if previous is None:
                    writes.append(write)
                elif previous in earlier or (previous.place, previous.effect) != (write.place, write.effect):
                    conflicts.append(Conflict(previous, write))
    return writes, conflicts


def _format_path(place: PatchPlace) -> str:
    return place[-1].removeprefix("/").replace("~1", "/").replace("~0", "~")
