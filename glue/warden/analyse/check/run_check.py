"""A whole check: read files or two revisions of them, and decide on what they declare."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warden.analyse.check.decisions import CheckFinding, decide_declarations
from warden.analyse.check.files import read_paths
from warden.analyse.check.known_state import KnownState
from warden.analyse.check.model import Fault, FileContents
from warden.analyse.check.readers.config_files import ConfigReading
from warden.analyse.check.readers.ns4kafka import assign_users
from warden.analyse.check.result import CheckResult
from warden.analyse.check.revisions.changes import assign_clusters, select_changes
from warden.analyse.check.revisions.commits import Revisions, read_revisions

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["CheckRequest"]

_EMPTY = "nothing was found to decide here: name files that declare Kafka's resources, or give --allow-empty"


@dataclass(frozen=True, kw_only=True)
class CheckRequest:
    """What is decided on, and against what.

    Args:
        paths: Files and directories; ``-`` is standard input.
        reading: How configuration files are read.
        known: What is known of clusters.
        common: Returns what all decision inputs have in common, for a client: enforcement point, principal.
        diff: Two revisions of git as ``BASE..HEAD``: what is declared the same in both is not decided; None: all is.
        denies_unknown: Whether a rule that reads what is known only after apply denies.
        allows_empty: Whether a path may have nothing to decide in it.
    """

    paths: Sequence[Path]
    reading: ConfigReading
    known: KnownState
    common: "Callable[[OpaClient], Mapping[str, Any]]"
    diff: str | None = None
    denies_unknown: bool = False
    allows_empty: bool = False

    def decide(self, client: "Callable[[], OpaClient]") -> CheckResult:
        """Read the files and return what the policy says about them.

        Args:
            client: Returns the client of the OPA that decides; called once the files are read.
        """
        contents, remarks = self._read()
        clusters = {cluster.name: cluster for cluster in self.known.iter_clusters(contents.declared)}
        opa = client()
        decided, faults, unchanged = decide_declarations(
            opa, contents.declared, clusters, self.common(opa), denies_unknown=self.denies_unknown
        )
        remarks += [
            CheckFinding("warning", remark.file, remark.line, "warden", remark.message) for remark in contents.remarks
        ]
        looked_for = [] if self.allows_empty else contents.empty
        empty = [Fault(path, 0 if Path(path).is_dir() else 1, _EMPTY) for path in looked_for]
        faults = sorted([*contents.faults, *faults, *empty])
        unchanged += len(contents.unchanged)
        return CheckResult(decided, faults, contents.skipped, unchanged, remarks, len(contents.hidden))

    def _read(self) -> tuple[FileContents, list[CheckFinding]]:
        if self.diff is None:
            return assign_clusters(read_paths(self.paths, self.reading), self.known.assign_cluster), []
        seen = read_revisions(self.diff, self.paths, self.reading)
        same, base, head = (
            assign_clusters(assign_users(contents, [*seen.same.users, *changed.users]), self.known.assign_cluster)
            for contents, changed in ((seen.same, seen.head), (seen.base, seen.base), (seen.head, seen.head))
        )
        reason = "could not be read before the change, so what it declared is taken for nothing"
        remarks = [
            CheckFinding("warning", fault.file, 1, "warden", f"{reason} ({fault.message})") for fault in base.faults
        ]
        revisions = Revisions(same, base, head, seen.files)
        contents = select_changes(revisions, cluster_is_known=bool(self.known.states))
        if all(side.is_empty for side in (same, base, head)):
            contents.empty.extend(map(str, self.paths))
        return contents, remarks
