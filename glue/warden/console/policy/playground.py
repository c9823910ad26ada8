"""The playground: what the policy says to something that is pasted, and to the same with other settings.

What is pasted is read and decided by what `warden check`, `decide`, `explain` and `impact` use. Nothing is carried out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from warden.analyse.check.decisions import ClusterContext, DecidedDeclaration, build_decision_input, decide_declarations
from warden.analyse.check.explanation import explain_decision, iter_explanation_lines
from warden.analyse.check.files import iter_content_declarations
from warden.analyse.check.known_state import KnownState
from warden.analyse.check.model import UNNAMED, FileContents
from warden.analyse.check.readers.ns4kafka import assign_users
from warden.analyse.check.resolve import list_state_pointers
from warden.analyse.check.revisions.changes import assign_clusters
from warden.base.did_you_mean import describe_unknown
from warden.base.errors import InputError
from warden.console.policy.pastes import KafkaRequest, Paste, read_paste
from warden.console.policy.policy_trials import PolicyTrials, ServedPolicy
from warden.console.policy.sample import SampledSnapshot, replay_sample
from warden.console.policy.view_scope import ViewScope
from warden.enforce.sdk.evaluate import evaluate_request
from warden.enforce.sdk.warden import Warden
from warden.policy.adapter import Result, parse_request
from warden.policy.contract.decision import Document

if TYPE_CHECKING:
    from warden.policy.opa.client import OpaClient

__all__ = ["MAX_RESOURCES", "Playground"]

MAX_RESOURCES: Final = 50
"""Resources of one paste that are decided."""

_EXPLAINED: Final = 20  # of them, each with its rules


@dataclass(frozen=True)
class _Decided:
    """One resource that was decided: its decision input, the decision, and what only a file or a request knows."""

    place: str
    name: str
    document: Document
    decision: Document
    declared: DecidedDeclaration | None = None
    result: Result | None = None

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is known by in another policy's answer: of a topic that changes its labels are decided too."""
        return self.place, self.name, str(self.document.get("operation"))


class Playground:
    """Decides what is pasted.

    Args:
        policies: The policy in force, and what is tried over it.
        snapshot: What is known of clusters; None for nothing.
    """

    def __init__(self, policies: PolicyTrials, snapshot: SampledSnapshot | None = None) -> None:
        self._policies, self._snapshot = policies, snapshot

    def decide(self, paste: Paste, scope: ViewScope = ViewScope()) -> dict[str, Any]:
        """Return what the policy says to a paste, as JSON-ready values.

        Args:
            paste: What was pasted, and how it is to be taken.
            scope: What of the estate the caller may see.

        Returns:
            ``decided`` (a row for each resource), ``problems`` (what of the paste is not decided, and why),
            ``revision``, ``tried`` (the revision with the settings that were given, else None), ``changes`` (the
            settings that differ, in words) and ``impact`` (of the sample; None where none was wanted).

        Raises:
            InputError, ConfigurationError, SettingsError: Something is wrong with what was given.
            OpaError: Nothing was decided.
            Busy: Others are being answered.
        """
        paste.check()
        read = read_paste(paste)
        with self._policies.take_turn():
            below = self._policies.read_in_force()
            above = self._policies.try_settings(paste.settings) if paste.settings.strip() else below
            problems: list[str] = []
            rows = self._decide(above, paste, read, scope, problems)
            if not rows and not problems:
                problems.append("nothing was found to decide here: paste something that is about Kafka's resources")
            before = self._decide(below, paste, read, scope, []) if above is not below else None
            return {
                "decided": list(_iter_rows(above, rows, before)),
                "problems": list(dict.fromkeys(problems)),
                "revision": below.revision,
                "tried": above.revision if above is not below else None,
                **self._compare(paste, rows, below, above, scope),
            }

    def _compare(
        self, paste: Paste, rows: Sequence[_Decided], below: ServedPolicy, above: ServedPolicy, scope: ViewScope
    ) -> dict[str, Any]:
        if above is below:
            return {"changes": [], "impact": None}
        from warden.analyse.impact.settings import compare_settings

        changes = [change.words for change in compare_settings(below.layers.merged, above.layers.merged)]
        if not paste.sample:
            return {"changes": changes, "impact": None}
        if self._snapshot is None:
            raise InputError(
                "there is no snapshot to take a sample of: leave the sample out, or give the console one (snapshot:)"
            )
        held = list(filter(scope.sees_cluster, self._snapshot.list_clusters()))
        decided = [row.document["cluster"] for row in rows if row.document.get("cluster") in held]
        cluster = paste.cluster or next(iter(decided or held), "")
        scope.check_cluster(cluster)
        state = self._snapshot.read_state(cluster)
        if state is None:
            raise InputError(describe_unknown("cluster", cluster, held))
        return {"changes": changes, "impact": replay_sample(cluster, state, below, above, scope.sees_owner)}

    def _decide(
        self,
        policy: ServedPolicy,
        paste: Paste,
        read: bytes | KafkaRequest | Document,
        scope: ViewScope,
        problems: list[str],
    ) -> list[_Decided]:
        with policy.build_client() as client:
            points = {"enforcementPoints": [paste.point]} if paste.point else {"enforcementPoints": []}
            problems += client.evaluate("kafka/unknown_enforcement_points", points).values()
            if isinstance(read, bytes):
                return self._decide_file(client, paste, read, scope, problems)
            warden = _open_warden(client, paste, paste.cluster or UNNAMED)
            common = warden.build_shared_input()
            if isinstance(read, KafkaRequest):
                return self._decide_request(warden, read, scope, problems)
            chosen = {"cluster": paste.cluster, "enforcementPoint": paste.point, "principal": paste.principal}
            document: Document = {**common, **read, **{name: common[name] for name, value in chosen.items() if value}}
            cluster = document["cluster"]
            if isinstance(cluster, str):
                scope.check_cluster(cluster)
            document = self._add_state(document, scope) if isinstance(cluster, str) else document
            return [_Decided("your paste", "", document, client.decide(document))]

    def _decide_file(
        self, client: "OpaClient", paste: Paste, content: bytes, scope: ViewScope, problems: list[str]
    ) -> list[_Decided]:
        contents = FileContents()
        contents.add(iter_content_declarations(content, Path(paste.file_name), siblings=lambda _directory: {}))
        contents = assign_users(contents, contents.users)
        contents = assign_clusters(contents, KnownState(cluster=paste.cluster or None).assign_cluster)
        if len(contents.declared) > MAX_RESOURCES:
            raise InputError(f"{len(contents.declared)} resources are declared: paste {MAX_RESOURCES} at most")
        clusters = {}
        for name in dict.fromkeys(str(declaration.cluster) for declaration in contents.declared):
            scope.check_cluster(name)
            clusters[name] = ClusterContext(name, self._read_state(name, scope))
        common = _open_warden(client, paste, UNNAMED).build_shared_input()
        decided, faults, unchanged = decide_declarations(client, contents.declared, clusters, common)
        problems += [f"line {fault.line}: {fault.message}" for fault in sorted([*contents.faults, *faults])]
        problems += [f"line {remark.line}: {remark.message}" for remark in contents.remarks]
        problems += [f"line {resource.line}: {resource.kind}: {resource.reason}" for resource in contents.skipped]
        if unchanged + len(contents.unchanged):
            problems.append(f"{unchanged + len(contents.unchanged)} are in the cluster as they are declared")
        deleted = sum(declaration.declared.operation == "DeleteTopic" for declaration in decided)
        return [
            _Decided(
                f"line {declaration.declared.line}",
                declaration.declared.name,
                {**common, "cluster": declaration.cluster, "clusterState": {}}
                | build_decision_input(declaration.declared, clusters[declaration.cluster], deleted),
                declaration.decision,
                declaration,
            )
            for declaration in decided
        ]

    def _decide_request(
        self, warden: Warden, read: KafkaRequest, scope: ViewScope, problems: list[str]
    ) -> list[_Decided]:
        scope.check_cluster(warden.cluster)
        parsed = parse_request(read.api, read.request, version=read.version)
        if parsed.refusal is not None:
            raise InputError(str(parsed.refusal.error_message))
        if len(parsed.items) > MAX_RESOURCES:
            raise InputError(f"the request is about {len(parsed.items)} resources: paste {MAX_RESOURCES} at most")
        state = self._read_state(warden.cluster, scope)
        if state is None:
            unknown = {"unknown": list_state_pointers()}
            items = parsed.items.items()
            added = {key: replace(item, input={**item.input, **unknown}) if item.input else item for key, item in items}
            parsed = replace(parsed, items=added)
        answer = evaluate_request(warden, parsed, state=state or {})
        for key, item in parsed.items.items():
            if key not in answer.decisions:
                problems.append(f"{item.name or key}: {answer.results[key].error_message}")
        return [
            _Decided(
                key, str(parsed.items[key].name), answer.documents[key], decision.document, result=answer.results[key]
            )
            for key, decision in answer.decisions.items()
        ]

    def _read_state(self, cluster: str, scope: ViewScope) -> Document | None:
        return self._snapshot.read_state(cluster) if self._snapshot and scope.sees_all_owners else None

    def _add_state(self, document: Document, scope: ViewScope) -> Document:
        """A decision input with what is known of its cluster, unless it says that itself."""
        if "clusterState" in document:
            return document
        state = self._read_state(document["cluster"], scope)
        if state is not None:
            return {**document, "clusterState": state}
        stated = document.get("unknown")
        unknown = list(stated) if isinstance(stated, list) else []
        return {**document, "clusterState": {}, "unknown": [*unknown, *list_state_pointers()]}


def _open_warden(client: "OpaClient", paste: Paste, cluster: str) -> Warden:
    point = paste.point or "ci"
    return Warden(client, cluster=cluster, principal=paste.principal or None, enforcement_point=point)


def _iter_rows(
    policy: ServedPolicy, rows: Sequence[_Decided], before: Sequence[_Decided] | None
) -> Iterator[dict[str, Any]]:
    was = {row.key: row.decision for row in before or ()}
    with policy.build_client() as client:
        for number, row in enumerate(rows):
            explained = number < _EXPLAINED and bool(row.decision)
            yield {
                **_describe(row),
                "before": _name_status(was[row.key]) if row.key in was else None,
                **(_explain(client, policy, row) if explained else {"rules": {}, "explanation": ""}),
            }


def _describe(row: _Decided) -> dict[str, Any]:
    document, decision, declared = row.document, row.decision, row.declared
    said = [] if declared is None else [asdict(finding) for finding in declared.list_findings()]
    violations = [dict(violation) for violation in decision.get("violations", ())]
    others = [finding["message"] for finding in said if not finding["effect"]]
    if declared is not None:
        for violation in violations:
            violation["line"] = declared.declared.find_line(violation["path"])
    else:
        others = [*decision.get("errors", ()), *decision.get("warnings", ())]
        rules = [violation["rule"] for violation in violations]
        others = [text for text in others if not any(text.startswith(f"{rule}: ") for rule in rules)]
    return {
        "place": row.place,
        "name": row.name or _name_subject(document),
        "operation": document.get("operation"),
        "cluster": document.get("cluster"),
        "enforcementPoint": document.get("enforcementPoint"),
        "status": _name_status(decision),
        "error": decision.get("error"),
        "violations": violations,
        "others": list(dict.fromkeys(others)),
        "result": None if row.result is None else row.result.to_document(),
        "input": {name: value for name, value in document.items() if name != "clusterState"},
    }


def _explain(client: "OpaClient", policy: ServedPolicy, row: _Decided) -> dict[str, Any]:
    document = row.document
    place, point = document.get("cluster"), document.get("enforcementPoint", "")
    if not isinstance(place, str) or not isinstance(point, str) or not isinstance(document.get("operation"), str):
        return {"rules": {}, "explanation": ""}
    explained = explain_decision(client, row.place, document, row.decision, policy.read_rules(place, point))
    return {"rules": explained["rules"], "explanation": "\n".join(iter_explanation_lines(explained))}


def _name_status(decision: Document) -> str:
    if not decision or decision.get("invalidInput"):
        return "not decided"
    return "allowed" if decision["allowed"] is True else "denied"


def _name_subject(document: Document) -> str:
    request = document.get("request")
    named = (request.get(name) for name in ("topic", "broker", "user")) if isinstance(request, Mapping) else ()
    return next((str(name) for name in named if name), json.dumps(request)[:80])
