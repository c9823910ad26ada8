"""The result of `warden check`."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from warden.analyse.check.decisions import CheckFinding, DecidedDeclaration
from warden.analyse.check.model import Fault, SkippedDocument
from warden.base.files.redact import redact

__all__ = ["CheckResult", "format_count", "format_finding", "iter_fingerprints"]


@dataclass(frozen=True)
class CheckResult:
    """Everything that came out of some files.

    Args:
        decided: The declarations that were decided on.
        faults: What could not be evaluated.
        skipped: Documents that declare nothing.
        unchanged: How many declarations are in the cluster already.
        remarks: What there is to say besides.
        hidden: How many files were not read for a dot before their name or that of a directory.
    """

    decided: Sequence[DecidedDeclaration]
    faults: Sequence[Fault]
    skipped: Sequence[SkippedDocument]
    unchanged: int = 0
    remarks: Sequence[CheckFinding] = ()
    hidden: int = 0

    def iter_findings(self) -> Iterator[CheckFinding]:
        """Yield faults and findings, by file and line."""
        findings = [
            CheckFinding("error", fault.file, fault.line, "warden", redact(fault.message)) for fault in self.faults
        ]
        findings += [*self.remarks]
        findings += [finding for declaration in self.decided for finding in declaration.list_findings()]
        yield from sorted(findings, key=lambda finding: (finding.file, finding.line))

    @property
    def denied(self) -> int:
        """How many declarations are denied."""
        return sum(declaration.denied for declaration in self.decided)

    @property
    def rules_without_state(self) -> list[str]:
        """The rules that were not evaluated since nothing is known of a cluster."""
        return sorted({rule for declaration in self.decided for rule in declaration.list_rules_without_state()})

    @property
    def status(self) -> Literal[0, 1, 2]:
        """The exit status: 2 where something could not be evaluated, 1 where something is denied."""
        return 2 if self.faults else 1 if self.denied else 0

    @property
    def summary(self) -> str:
        """The counts, in a line."""
        parts = [f"{format_count(len(self.decided), 'declaration')} decided, {self.denied} denied"]
        parts += [f"{self.unchanged} unchanged"] if self.unchanged else []
        parts += [f"{format_count(len(self.faults), 'error')}"] if self.faults else []
        parts += [f"{format_count(len(self.skipped), 'document')} skipped"] if self.skipped else []
        parts += [f"{format_count(self.hidden, 'hidden file')} skipped"] if self.hidden else []
        return ", ".join(parts)


def format_count(number: int, what: str) -> str:
    """Return ``1 error``, ``2 errors``."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def iter_fingerprints(findings: Iterable[CheckFinding]) -> Iterator[tuple[CheckFinding, str]]:
    """Yield each finding with what it is known by from one run to the next, of several with the same parts its number.

    Its line is no such part, as it moves with the text above it.

    Args:
        findings: All that there are, in order: programs take two of one fingerprint for one.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    for finding in findings:
        parts = (finding.rule, finding.cluster, finding.name or finding.file, *finding.path)
        own = (*parts, str(counts[parts])) if counts[parts] else parts
        counts[parts] += 1
        yield finding, hashlib.sha256("\0".join(own).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def format_finding(finding: CheckFinding) -> str:
    """Return a finding in a line: what it is about, what is wrong, what to write."""
    name = f"{finding.name}: " if finding.name else ""
    return f"{name}{finding.message}{f'. Fix: {finding.fix}' if finding.fix else ''}"
