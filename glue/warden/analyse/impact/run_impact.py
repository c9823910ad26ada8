"""A whole impact analysis: build the two bundles, evaluate the inputs under both, and say which settings changed."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from warden.analyse.impact.bundles import ComparedBundle, list_policy_changes, prepare_bundle
from warden.analyse.impact.settings import compare_settings
from warden.analyse.impact.summary import Impact
from warden.analyse.scan.rule_metadata import read_rules
from warden.base.files.address import Place
from warden.base.process.progress import show_working
from warden.policy.opa.endpoints import RemoteOpa
from warden.policy.opa.per_host import HostOpa
from warden.policy.opa.session import start_opa

__all__ = ["ImpactRun", "Replayer", "SideSource", "run_impact"]


@dataclass(frozen=True, kw_only=True)
class SideSource:
    """What one of the two policies is made from, as `warden.analyse.impact.bundles.prepare_bundle` takes it."""

    path: Path | None = None
    settings: Path | None = None
    profile: str | None = None
    site: tuple[Path, ...] = ()

    def build(self, name: str, directory: Path) -> ComparedBundle:
        """Make the bundle, named ``baseline`` or ``candidate``, in a directory of its own."""
        return prepare_bundle(name, self.path, self.settings, self.profile, directory, self.site)


@dataclass(frozen=True, kw_only=True)
class ImpactRun:
    """What is compared, on which inputs.

    Args:
        baseline, candidate: The two policies.
        endpoints: OPAs that run with them already; None where both are started here.
        decisions: Files and directories of OPA's decision log.
        snapshot: A snapshot directory, or its address; None for none.
        now: The time at which a snapshot's resources are evaluated; None for the clock.
        samples: Inputs to show for each rule and kind of change.
        item_bytes: How large an input may be; None for the default.
        out: Where the rows go; None where they are not kept.
    """

    baseline: SideSource = SideSource()
    candidate: SideSource = SideSource()
    endpoints: tuple[RemoteOpa, RemoteOpa] | None = None
    decisions: Sequence[Path] = ()
    snapshot: Place | None = None
    now: datetime | None = None
    samples: int = 3
    item_bytes: int | None = None
    out: Path | None = None


Replayer = Callable[[ImpactRun, Sequence[HostOpa], Path], Impact]
"""Evaluates the inputs of a run with the OPAs that were started for it, or its endpoints, and writes rows to a path."""


def run_impact(run: ImpactRun, replay: Replayer) -> Impact:
    """Evaluate the inputs under both policies.

    Args:
        run: What is compared.
        replay: Evaluates them; of `spark_jobs.analyse.replay_run`.

    Raises:
        BundleError, InputError, ConfigurationError: A policy cannot be built, or there is nothing to evaluate.
        OpaError, ScanError: Nothing was compared.
    """
    with TemporaryDirectory(prefix="warden-impact-") as scratch, ExitStack() as stack:
        work = Path(scratch)
        sides = [] if run.endpoints else _build_sides(run, work)
        opas = [stack.enter_context(start_opa(side.bundle.path)) for side in sides]
        impact = replay(run, opas, run.out or work / "out")
        impact = replace(impact, rules=_read_rule_metadata(run.endpoints or opas))
        if not sides:
            return impact
        settings = compare_settings(sides[0].settings, sides[1].settings)
        return replace(impact, settings=settings, policies=list_policy_changes(*sides))


def _read_rule_metadata(opas: Sequence[HostOpa | RemoteOpa]) -> dict[str, Any]:
    """Metadata of the rules of both policies; the candidate comes second, and its words are those that will hold."""
    rules: dict[str, Any] = {}
    for opa in opas:
        with opa.build_client() as client:
            rules |= read_rules(client)
    return rules


def _build_sides(run: ImpactRun, work: Path) -> list[ComparedBundle]:
    with show_working("building the two bundles"):
        return [
            run.baseline.build("baseline", work / "baseline"),
            run.candidate.build("candidate", work / "candidate"),
        ]
