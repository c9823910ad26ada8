"""Decisions about stored objects: evaluated in batches, and checked before anything is done with them."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Final

from warden.base.errors import OpaEvaluationError, OpaInputTooLarge, OpaTimeout
from warden.base.telemetry.traces import begin_span
from warden.enforce.remediate.objects import Key, KubernetesObject, get_namespace
from warden.policy.opa.client import OpaClient

__all__ = ["Remediation", "Remediations", "ask", "build_text", "parse_manifest", "parse_remediation"]

_KEPT_METADATA: Final = ("name", "namespace", "labels", "ownerReferences")
_ENTRY: Final = "io/k8s/federation/remediations"
_UNREADABLE: Final = "the policy's response about this object cannot be read"


@dataclass(frozen=True)
class Remediation:
    """What policy wants of one object.

    Args:
        key: Of the object.
        obj: The object that was decided on.
        patch: The merge patch that mends it, or the manifest that its target is to have; None where nothing differs, or
            where errors forbid it.
        annotations: Those that differ, as policy has them.
        errors: Why nothing is patched.
        warnings: What policy says besides.
        needs: What the object needs of clusters, as the policy says it, in JSON.
        manifest: What the target is to have for it; None where nothing, or where annotations say where it runs.
        carrier: The key of that in the target, where it is what is to be changed.
        present: What the target has there now; None where nothing.
    """

    key: Key
    obj: KubernetesObject
    patch: Mapping[str, Any] | None
    annotations: Mapping[str, Any]
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    needs: str = "[]"
    manifest: KubernetesObject | None = None
    carrier: Key | None = None
    present: KubernetesObject | None = None

    @property
    def name(self) -> str:
        """The object, for messages."""
        return "/".join((self.obj.get("kind", self.key[0]), *self.key[1:]))

    @property
    def before(self) -> dict[str, str | None]:
        """What the annotations that the patch sets are now, or what the target has; None for what is not there."""
        if self.manifest is not None:
            return {name: build_text(self.present) if self.present else None for name in self.after}
        present = self.obj["metadata"].get("annotations") or {}
        return {name: present.get(name) for name in self.after}

    @property
    def after(self) -> dict[str, str]:
        """What the patch makes of them."""
        if self.patch is None:
            return {}
        if self.manifest is not None:
            return {_build_name(self.manifest): build_text(self.manifest)}
        return dict(self.patch["metadata"]["annotations"])


@dataclass(frozen=True)
class Remediations:
    """What OPA says about some objects.

    Args:
        remediations: Of each object that it decides about.
        late: The namespaces about whose objects it does not decide in time, with its error.
    """

    remediations: list[Remediation] = field(default_factory=list)
    late: dict[str, OpaTimeout] = field(default_factory=dict)


def ask(
    client: OpaClient,
    objects: Mapping[Key, KubernetesObject],
    target: str | None = None,
    carriers: Mapping[Key, KubernetesObject] = MappingProxyType({}),
) -> Remediations:
    """Return the remediation of each object, but for those of namespaces that take too long.

    Where the policy fails on one object, or takes too long for one namespace, the others are decided without it, so
    that one cannot hold up all.

    Args:
        client: Of the OPA that decides.
        objects: The objects.
        target: What carries out where they run; None where their annotations say it.
        carriers: What the target has for them now, by the key of the object.

    Raises:
        OpaError: OPA is away, refuses, or has no such document.
    """
    if not objects:
        return Remediations()
    items = {"/".join(key): _build_item(obj, target, carriers.get(key)) for key, obj in objects.items()}
    try:
        with begin_span("decide objects", attributes={"warden.items": len(items)}):
            answers = client.evaluate(_ENTRY, {"items": items})
    except (OpaEvaluationError, OpaInputTooLarge) as error:
        if len(objects) == 1:
            ((key, obj),) = objects.items()
            return Remediations([Remediation(key, obj, None, {}, (str(error),))])
        return _ask_halves(client, objects, target, carriers)
    except OpaTimeout as error:
        if not client.is_healthy(bundles=False):
            raise
        namespaces = {get_namespace(key) for key in objects}
        return (
            Remediations(late={namespaces.pop(): error})
            if len(namespaces) == 1
            else _ask_halves(client, objects, target, carriers)
        )
    answers = answers if isinstance(answers, Mapping) else {}
    parse = parse_manifest if target else parse_remediation
    return Remediations([parse(key, obj, answers.get("/".join(key))) for key, obj in objects.items()])


def _build_item(obj: KubernetesObject, target: str | None, carrier: KubernetesObject | None) -> dict[str, Any]:
    """Return what OPA decides about."""
    more = {"target": target, "present": carrier}
    return {"object": obj, **{name: value for name, value in more.items() if value}}


def _ask_halves(
    client: OpaClient,
    objects: Mapping[Key, KubernetesObject],
    target: str | None,
    carriers: Mapping[Key, KubernetesObject],
) -> Remediations:
    """Return what OPA says about one half and the other; no namespace is in both, unless there is but one."""
    keys = sorted(objects, key=get_namespace)
    ends = [end for end in range(1, len(keys)) if get_namespace(keys[end - 1]) != get_namespace(keys[end])]
    middle = min(ends or [len(keys) // 2], key=lambda end: abs(2 * end - len(keys)))
    halves = [
        ask(client, {key: objects[key] for key in half}, target, carriers) for half in (keys[:middle], keys[middle:])
    ]
    return Remediations([item for half in halves for item in half.remediations], halves[0].late | halves[1].late)


def parse_remediation(key: Key, obj: KubernetesObject, answer: Any) -> Remediation:
    """Return a remediation; of an answer that cannot be read, or is for another object, one that is an error."""
    if not isinstance(answer, Mapping) or not isinstance(answer.get("annotations"), Mapping):
        return Remediation(key, obj, None, {}, (_UNREADABLE,))
    errors, warnings = _parse_texts(answer.get("errors")), _parse_texts(answer.get("warnings"))
    patch = answer.get("patch")
    if errors is None or warnings is None or not (patch is None or _is_for(obj, patch)):
        return Remediation(key, obj, None, {}, (_UNREADABLE,))
    needs = json.dumps(answer.get("needs", []), sort_keys=True)
    return Remediation(key, obj, None if errors else patch, answer["annotations"], errors, warnings, needs)


def parse_manifest(key: Key, obj: KubernetesObject, answer: Any) -> Remediation:
    """Return what a target is to have; of an answer that cannot be read, or is for another object, an error."""
    remediation = parse_remediation(key, obj, answer)
    manifest = answer.get("manifest") if isinstance(answer, Mapping) else None
    if remediation.errors or manifest is None:
        return remediation
    if remediation.patch is not None or not _is_owned(obj, manifest):
        return Remediation(key, obj, None, {}, (_UNREADABLE,))
    return replace(remediation, manifest=manifest)


def build_text(obj: KubernetesObject) -> str:
    """Return an object of a target as a text from which it can be made again."""
    metadata = {name: obj["metadata"][name] for name in _KEPT_METADATA if name in obj["metadata"]}
    kept = {name: obj[name] for name in ("apiVersion", "kind", "spec") if name in obj}
    return json.dumps({**kept, "metadata": metadata}, sort_keys=True)


def _build_name(manifest: KubernetesObject) -> str:
    metadata = manifest["metadata"]
    return "/".join(filter(None, (manifest["kind"], metadata.get("namespace"), metadata["name"])))


def _is_owned(obj: KubernetesObject, manifest: Any) -> bool:
    """Whether a manifest is an object of the very namespace of the one that was decided on, which owns it."""
    if not isinstance(manifest, dict) or not all(
        isinstance(manifest.get(name), str) for name in ("apiVersion", "kind")
    ):
        return False
    metadata, own = manifest.get("metadata"), obj["metadata"]
    if not isinstance(metadata, Mapping) or not isinstance(metadata.get("name"), str) or not metadata.get("labels"):
        return False
    owners = metadata.get("ownerReferences")
    owner = {"apiVersion": obj["apiVersion"], "kind": obj["kind"], "name": own["name"], "uid": own.get("uid")}
    return metadata.get("namespace") == own.get("namespace") and owners == [owner]


def _parse_texts(value: Any) -> tuple[str, ...] | None:
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return tuple(value)
    return () if value is None else None


def _is_for(obj: KubernetesObject, patch: Any) -> bool:
    """Whether a patch sets annotations of the very version of the object that was decided on, and nothing else."""
    metadata = patch.get("metadata") if isinstance(patch, Mapping) and patch.keys() == {"metadata"} else None
    if not isinstance(metadata, Mapping) or metadata.keys() != {"annotations", "resourceVersion", "uid"}:
        return False
    annotations = metadata["annotations"]
    return (
        isinstance(annotations, Mapping)
        and all(isinstance(value, str) for value in annotations.values())
        and all(metadata[name] == obj["metadata"].get(name) for name in ("resourceVersion", "uid"))
    )
