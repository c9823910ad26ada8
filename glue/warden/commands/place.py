"""``warden place``: where the policy places objects of manifests."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warden.base.errors import ConfigurationError, InputError
from warden.commands import EXIT_DENIED, EXIT_OK
from warden.commands.shared.choice import Choice
from warden.commands.shared.opa_options import with_opa
from warden.commands.shared.place_option import LocalPath

if TYPE_CHECKING:
    from warden.analyse.placement_preview import PlacedObject
    from warden.policy.opa.client import OpaClient
    from warden.policy.opa.session import OpaOptions

__all__ = ["TARGETS", "command"]

TARGETS = ("annotation", "karmada", "kubefleet", "ocm", "placementdecision")
"""What `io/k8s/federation/render/rendered` knows."""
_PATH = LocalPath(path_type=Path, exists=True)


@click.command(short_help="Decide where objects of manifests run.")
@click.argument("paths", metavar="FILE...", type=_PATH, nargs=-1, required=True)
@click.option("--clusters", type=_PATH, help="Manifests of the clusters that there are; only without --opa-url.")
@click.option("--target", type=Choice(TARGETS), help="Print the manifests that this target takes.")
@click.option("--diff", is_flag=True, help="Print what admission would change in each object.")
@click.option("--output", type=Choice(["text", "json"]), default="text", show_default=True, help="What to print.")
@with_opa
def command(
    paths: tuple[Path, ...], clusters: Path | None, target: str | None, diff: bool, output: str, opa: "OpaOptions"
) -> int:
    """Decide where the objects of FILEs (YAML, JSON, or directories of them) run, as `warden webhook` would.

    Exit status: 0 all are allowed, 1 one is denied, 2 nothing was decided.

    \b
    Examples:
      warden place deployment.yaml --clusters clusters.yaml
      warden place manifests/ --clusters clusters.yaml --diff
      warden place deployment.yaml --opa-url https://opa.example.com --target karmada | kubectl apply -f -
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    from warden.analyse.placement_preview import iter_objects, place_objects

    if sum((target is not None, diff, output == "json")) > 1:
        raise ConfigurationError("--target, --diff and --output json each say what to print: give one of them")
    objects = list(iter_objects(paths))
    if not objects:
        raise InputError(f"{', '.join(map(str, paths))}: no object in it: name Kubernetes manifests")
    with _open_client(opa, clusters) as client:
        placed = list(place_objects(client, objects))
        rendered = [_render(client, placement, target) for placement in placed] if target else []
    denied = any(placement.errors for placement in placed) or any(result["errors"] for result in rendered)
    if target:
        _print_rendered(placed, rendered, target)
    elif output == "json":
        click.echo(json.dumps([_build_document(placement) for placement in placed], indent=2))
    else:
        for placement in placed:
            click.echo(placement.format_diff() if diff and not placement.errors else _format_text(placement), nl=False)
    return EXIT_DENIED if denied else EXIT_OK


@contextmanager
def _open_client(options: "OpaOptions", clusters: Path | None) -> Iterator["OpaClient"]:
    """Yield a client of an OPA; of one that knows the clusters of a file, where there is one."""
    from tempfile import TemporaryDirectory

    from warden.analyse.placement_preview import read_clusters
    from warden.policy.bundle.build import build_bundle
    from warden.policy.opa.client import OpaClient
    from warden.policy.opa.item_size import MAX_PART_BYTES
    from warden.policy.opa.local import LocalOpa
    from warden.policy.opa.session import open_session
    from warden.state.replicate.parts import iter_parts

    if clusters is None:
        with open_session(options) as session, session.build_client() as client:
            yield client
        return
    if options.urls:
        raise ConfigurationError(
            "--clusters is for the OPA that is started here: leave out --opa-url (WARDEN_OPA_URL), or --clusters"
        )
    document = read_clusters(clusters)
    with TemporaryDirectory(prefix="warden-") as directory:
        bundle = build_bundle(
            Path(directory) / "bundle.tar.gz", settings=options.settings, profile=options.profile, site=options.site
        )
        with LocalOpa(bundle) as opa, opa.build_client() as client:
            with OpaClient(opa.url, token=opa.tokens.replicator) as writer:
                writer.put_data(["kubernetes"], {})
                changes = [{"op": "add", "path": f"/{key}", "value": value} for key, value in document.items()]
                for part in iter_parts(changes, MAX_PART_BYTES):
                    writer.patch_data(["kubernetes"], part)
            yield client


def _render(client: "OpaClient", placement: "PlacedObject", target: str) -> dict[str, Any]:
    rendered: dict[str, Any] = client.evaluate(
        "io/k8s/federation/render/rendered", {"object": placement.manifest, "target": target}
    )
    return rendered


def _print_rendered(placed: list["PlacedObject"], rendered: list[dict[str, Any]], target: str) -> None:
    manifests: list[Any] = []
    for placement, result in zip(placed, rendered, strict=True):
        errors = placement.errors or result["errors"]
        for mark, messages in (("denied", errors), ("warn", result["warnings"])):
            for message in messages:
                click.echo(f"{mark} {placement.name}: {message}", err=True)
        if not errors:
            manifests += [placement.admitted] if target == "annotation" else result["manifests"]
    if manifests:
        import yaml

        click.echo(yaml.safe_dump_all(manifests, sort_keys=False, allow_unicode=True), nl=False)


def _build_document(placement: "PlacedObject") -> dict[str, Any]:
    metadata = placement.manifest.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    named = {**placement.manifest, **metadata}
    reference = {key: named[key] for key in ("apiVersion", "kind", "namespace", "name") if key in named}
    head = {"file": str(placement.file), "object": reference, "allowed": not placement.errors}
    return {**head, **placement.decision, "errors": placement.errors}


def _format_text(placement: "PlacedObject") -> str:
    return "".join(f"{line}\n" for line in _iter_lines(placement))


def _iter_lines(placement: "PlacedObject") -> Iterator[str]:
    if placement.errors:
        yield f"denied {placement.name}"
        yield from (f"  {error}" for error in placement.errors)
    else:
        where = ", ".join(sorted(placement.decision["clusters"]))
        yield f"allowed {placement.name}: {where}" if where else f"allowed {placement.name}"
    yield from (f"  {reason}" for reason in placement.decision["reasons"])
    yield from (f"  warn {warning}" for warning in placement.warnings)
