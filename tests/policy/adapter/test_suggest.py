"""What is suggested in place of a request: always evaluated, never more than is needed."""

from collections.abc import Callable, Mapping
from typing import Any

from warden.policy.adapter import Patch, Suggestion, apply_annotations, suggest_fix
from warden.policy.contract.decision import Decision

_Document = Mapping[str, Any]
_BOUNDS = {"numPartitions": 10, "replicationFactor": 3}


class _Policy:
    """A policy of bounds and wishes in place of OPA, which remembers its inputs."""

    def __init__(self, wishes: Mapping[str, str] | None = None, extra: Callable[[_Document], list[Any]] | None = None):
        self.parsed: list[_Document] = []
        self._wishes, self._extra = dict(wishes or {}), extra or (lambda _request: [])

    def __call__(self, document: _Document) -> dict[str, Any]:
        self.parsed.append(document)
        request = document["request"]
        found = [_violation(field, request, most) for field, most in _BOUNDS.items() if request.get(field, 1) > most]
        found += self._extra(request)
        errors = sorted(f"{one['rule']}: {one['message']}" for one in found if one["effect"] == "deny")
        return {
            "allowed": not errors,
            "errors": errors,
            "error": {"code": 44, "name": "POLICY_VIOLATION", "message": "; ".join(errors)} if errors else None,
            "violations": found,
            "annotations": {"configs": self._wishes} if self._wishes else {},
        }


def _violation(field: str, request: _Document, most: int) -> dict[str, Any]:
    patch = [{"op": "replace", "path": f"/{field}", "value": most}]
    return _deny(field, f"{request[field]} > {most}", patch)


def _deny(rule: str, message: str, patch: list[Any]) -> dict[str, Any]:
    return {"rule": rule, "effect": "deny", "severity": "low", "message": message, "patch": patch, "waiver": None}


def _new(**request: Any) -> dict[str, Any]:
    return {"operation": "CreateTopic", "request": {"topic": "a", **request}}


def test_nothing_to_offer():
    """What is allowed, and on which the policy wants nothing, is returned unchanged and not evaluated again."""
    policy = _Policy()
    document = _new(numPartitions=3)
    decision = policy(document)

    assert Suggestion(document, Decision.from_document(decision)) == suggest_fix(document, decision, policy)
    assert [document] == policy.parsed


def test_the_policy_replaces_the_callers_value():
    """A config that the policy wants stands over the caller's, and the result is evaluated again."""
    policy = _Policy({"min.insync.replicas": "2"})
    document = _new(configs={"min.insync.replicas": "1", "flush.ms": "5"})
    suggestion = suggest_fix(document, policy(document), policy)

    assert _new(configs={"flush.ms": "5", "min.insync.replicas": "2"}) == suggestion.document
    assert [document, suggestion.document] == policy.parsed


def test_what_is_wanted_and_denied_is_denied():
    """Where the policy denies what its own wish made of the request, that denial stands."""
    policy = _Policy(
        {"a": "1"},
        lambda request: [_deny("R", "a", [])] if "a" in request.get("configs", {}) else [],
    )
    document = _new()
    suggestion = suggest_fix(document, policy(document), policy)

    assert (False, None) == (bool(suggestion.decision), suggestion.patch)


def test_a_change_without_configs_takes_none():
    """A reassignment has no place for configs: what the policy wants is not put where Kafka could not take it."""
    policy = _Policy({"a": "1"})
    document = {"operation": "AlterTopic", "request": {"topic": "a", "reassignments": {"0": [1]}}}
    decision = policy(document)

    assert (document, decision) == apply_annotations(document, decision, policy)


def test_a_wish_that_never_settles_ends():
    """A policy that wants something else each time is not requested ever."""
    parsed: list[_Document] = []

    def restless(document: _Document) -> dict[str, Any]:
        parsed.append(document)
        return {"allowed": True, "errors": [], "annotations": {"configs": {"a": str(len(parsed))}}}

    document = _new()
    apply_annotations(document, restless(document), restless)

    assert 5 == len(parsed)


def test_every_denial_is_mended_at_once():
    """One patch for all that denies; it is evaluated before it is suggested."""
    policy = _Policy()
    document = _new(numPartitions=99, replicationFactor=9)
    suggestion = suggest_fix(document, policy(document), policy)

    operations = (
        {"op": "replace", "path": "/numPartitions", "value": 10},
        {"op": "replace", "path": "/replicationFactor", "value": 3},
    )
    assert Patch(operations, ("numPartitions", "replicationFactor"), reversible=True) == suggestion.patch
    assert _new(numPartitions=10, replicationFactor=3) in policy.parsed


def test_no_more_than_is_needed():
    """An operation without which nothing denies is left out, also of its violation."""

    def also_wants_few(request: _Document) -> list[Any]:
        if request.get("numPartitions", 1) <= 10:
            return []
        patch = [{"op": "add", "path": "/configs/flush.ms", "value": "1"}]
        return [_deny("Z", "many", patch)]

    policy = _Policy(extra=also_wants_few)
    document = _new(numPartitions=99)
    suggestion = suggest_fix(document, policy(document), policy)
    kept = {"op": "replace", "path": "/numPartitions", "value": 10}

    assert Patch((kept,), ("numPartitions",), reversible=True) == suggestion.patch
    assert {"numPartitions": (kept,), "Z": ()} == {one.rule: one.patch for one in suggestion.decision.violations}


def test_a_mended_request_that_breaks_another_rule_is_mended_further():
    """What a patch brings about is mended too, if it can be."""

    def few_need_flush(request: _Document) -> list[Any]:
        if request.get("numPartitions", 1) != 10 or "flush.ms" in request.get("configs", {}):
            return []
        patch = [{"op": "add", "path": "/configs/flush.ms", "value": "1"}]
        return [_deny("Z", "flush", patch)]

    policy = _Policy(extra=few_need_flush)
    document = _new(numPartitions=99)
    patch = suggest_fix(document, policy(document), policy).patch

    assert patch is not None
    assert ("Z", "numPartitions") == patch.rules
    assert ["/numPartitions", "/configs/flush.ms"] == [operation["path"] for operation in patch.operations]


def _stubborn(patch: list[Any], **more: Any) -> Callable[[_Document], list[Any]]:
    return lambda _request: [_deny("S", "no", patch) | more]


def test_no_patch_is_offered_that_does_not_help():
    """A patch that changes nothing, or cannot be applied, is not suggested; nor is one where there is none."""
    for patch in ([], [{"op": "add", "path": "/configs/a", "value": "1"}], [{"op": "remove", "path": "/nothing"}]):
        policy = _Policy(extra=_stubborn(patch))
        document = _new(numPartitions=99)
        suggestion = suggest_fix(document, policy(document), policy)

        assert None is suggestion.patch
        assert [(), ()] == [one.patch for one in suggestion.decision.violations]


def test_what_does_not_deny_is_not_mended():
    """Warnings and waived violations have patches that nobody needs."""
    for effect in ("warn", "dryrun", "waived"):
        policy = _Policy(extra=_stubborn([{"op": "add", "path": "/configs/a", "value": "1"}], effect=effect))
        document = _new(numPartitions=99)
        patch = suggest_fix(document, policy(document), policy).patch

        assert patch is not None
        assert ("numPartitions",) == patch.rules


def test_one_rule_that_cannot_be_undone_marks_the_patch():
    """A patch is reversible only if every rule in it says so."""
    document = _new(numPartitions=99, replicationFactor=9)
    policy = _Policy()
    patch = suggest_fix(document, policy(document), policy, reversible=lambda rule: rule != "numPartitions").patch

    assert patch is not None
    assert patch.reversible is False
