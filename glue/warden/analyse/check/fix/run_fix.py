"""Fix what rules propose, and decide on what comes of it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from warden.analyse.check.fix.choose_patches import Conflict, PatchPlace, ProposedWrite, plan_writes
from warden.analyse.check.fix.patch_files import fix_files, write_text
from warden.analyse.check.result import CheckResult
from warden.analyse.check.run_check import CheckRequest
from warden.policy.contract.decision_text import escape_line

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["fix_and_decide"]


def fix_and_decide(
    check: CheckRequest, client: "Callable[[], OpaClient]", result: CheckResult, print_status: Callable[[str], None]
) -> CheckResult:
    """Write what rules propose into files, and return what the policy says of them then; a patch may call for another.

    No place is written twice. Where two rules want two things of one, at once or one after the other, all files are put
    back, and it begins again without that place. So it ends: each round writes a place or keeps one.

    Args:
        check: What is decided on.
        client: As in `CheckRequest.decide`.
        result: What the policy says of the files as they are.
        print_status: Takes a line about each value that was written, and about each that could not be.
    """
    kept: dict[PatchPlace, Conflict] = {}
    first = result
    originals: dict[str, str] = {}
    while True:
        try:
            result, written, left, conflicts = _settle(check, client, first, originals, kept)
        except BaseException:  # nothing is left half changed
            _put_back(originals)
            raise
        if not conflicts:
            break
        kept |= {proposed.place: conflict for conflict in conflicts for proposed in (conflict.first, conflict.second)}
        _put_back(originals)
    denied = _list_denials(result)
    for write in written:
        rules = denied.get(write.place[:3], [])
        said = f"changed {write.sentence}; still denied by {', '.join(rules)}" if rules else f"fixed {write.sentence}"
        print_status(escape_line(said))
    for line in dict.fromkeys([*(conflict.sentence for conflict in kept.values()), *left]):
        print_status(escape_line(f"not fixed {line}"))
    return result


def _settle(
    check: CheckRequest,
    client: "Callable[[], OpaClient]",
    result: CheckResult,
    originals: dict[str, str],
    kept: dict[PatchPlace, Conflict],
) -> tuple[CheckResult, list[ProposedWrite], Sequence[str], list[Conflict]]:
    """Write until nothing is proposed, or what is proposed contradicts what was written."""
    written: list[ProposedWrite] = []
    while True:
        writes, conflicts = plan_writes(result.decided, written, kept)
        if conflicts:
            return result, written, [], conflicts
        for file in {write.declared.file for write in writes if not write.declared.unfixable}:
            originals.setdefault(file, Path(file).read_bytes().decode("utf-8"))
        fixes = fix_files(writes)
        written += fixes.written
        if not fixes.written:
            return result, written, fixes.left, []
        result = check.decide(client)


def _put_back(originals: Mapping[str, str]) -> None:
    for file, text in originals.items():
        if Path(file).read_bytes().decode("utf-8") != text:
            write_text(Path(file), text)


def _list_denials(result: CheckResult) -> dict[tuple[str, str, str], list[str]]:
    """The rules that deny each declaration, by file, cluster and name."""
    denials: dict[tuple[str, str, str], list[str]] = {}
    for declaration in result.decided:
        rules = sorted({finding.rule for finding in declaration.list_findings() if finding.level == "error"})
        if rules:
            place = (declaration.declared.file, str(declaration.declared.cluster), declaration.declared.name)
            denials.setdefault(place, []).extend(rules)
    return denials
