"""Options of ``warden impact``, for the command line and for spark-submit."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from warden.base.errors import ConfigurationError, InputError
from warden.base.files.address import Place
from warden.commands.shared.choice import Choice
from warden.commands.shared.completion import PROFILE
from warden.commands.shared.options import MAX_ITEM_BYTES, OPA_CA_FILE, SITE, group, option
from warden.commands.shared.place_option import LocalPath, PlaceType
from warden.commands.shared.spark_options import SparkOptions

if TYPE_CHECKING:
    from warden.analyse.impact.run_impact import ImpactRun
    from warden.policy.opa.endpoints import RemoteOpa

__all__ = ["ImpactOptions"]

_PATH = LocalPath(path_type=Path)
_FILE = LocalPath(path_type=Path, exists=True, dir_okay=False)


@dataclass(frozen=True, kw_only=True)
class ImpactOptions:
    """The two policies, the inputs to evaluate under both, and what to print."""

    baseline: Path | None = option(
        "--baseline", type=_PATH, metavar="PATH", help="The policy of today: see below.  [default: as shipped]"
    )
    candidate: Path | None = option(
        "--candidate", type=_PATH, metavar="PATH", help="The policy to come: see below.  [default: as shipped]"
    )
    baseline_settings: Path | None = option(
        "--baseline-settings", type=_FILE, metavar="FILE", help="Settings laid over the baseline's."
    )
    candidate_settings: Path | None = option(
        "--candidate-settings", type=_FILE, metavar="FILE", help="Settings laid over the candidate's."
    )
    baseline_profile: str | None = option(
        "--baseline-profile", type=PROFILE, metavar="NAME", help="Profile laid over the baseline's settings."
    )
    candidate_profile: str | None = option(
        "--candidate-profile", type=PROFILE, metavar="NAME", help="Profile laid over the candidate's settings."
    )
    site: tuple[Path, ...] = option(
        "--site", type=SITE, multiple=True, help="Directory of your own rules, in both policies; repeatable."
    )
    baseline_site: tuple[Path, ...] = option(
        "--baseline-site", type=SITE, multiple=True, help="The same, in the baseline alone."
    )
    candidate_site: tuple[Path, ...] = option(
        "--candidate-site", type=SITE, multiple=True, help="The same, in the candidate alone."
    )
    baseline_url: str | None = option(
        "--baseline-url", metavar="URL", help="An OPA with the baseline, as Spark's tasks see it."
    )
    candidate_url: str | None = option(
        "--candidate-url", metavar="URL", help="An OPA with the candidate, as Spark's tasks see it."
    )
    baseline_token: str | None = option(
        "--baseline-token",
        metavar="TOKEN",
        envvar="WARDEN_BASELINE_TOKEN",
        show_envvar=True,
        help="Its query token.",
    )
    candidate_token: str | None = option(
        "--candidate-token",
        metavar="TOKEN",
        envvar="WARDEN_CANDIDATE_TOKEN",
        show_envvar=True,
        help="Its query token.",
    )
    opa_ca_file: Path | None = option("--opa-ca-file", **OPA_CA_FILE)
    decisions: tuple[Path, ...] = option(
        "--decisions",
        type=_PATH,
        multiple=True,
        metavar="PATH",
        help="OPA's decision log, a file or a directory of them, plain or gzipped; may be repeated.",
    )
    snapshot: Place | None = option(
        "--snapshot",
        type=PlaceType(),
        metavar="DIR",
        help="Snapshot directory, or its address (s3a://…), whose resources are evaluated as in a scan.",
    )
    now: datetime | None = option(
        "--now",
        type=click.DateTime(["%Y-%m-%dT%H:%M:%SZ"]),
        help="The time at which a snapshot is evaluated, UTC; the clock otherwise. Decisions keep their own.",
    )
    fail_on: str = option(
        "--fail-on",
        type=Choice(["newly-denied", "any", "none"]),
        default="newly-denied",
        show_default=True,
        help="What ends with exit status 1.",
    )
    samples: int = option(
        "--samples", type=click.IntRange(0), default=3, show_default=True, help="Inputs shown for each change."
    )
    out: Path | None = option(
        "--out",
        type=_PATH,
        metavar="DIR",
        help="Keep every input that was evaluated, and every decision that could not be replayed, as Parquet.",
    )
    spark: SparkOptions = group(SparkOptions)
    max_item_bytes: int = option("--max-item-bytes", **MAX_ITEM_BYTES)
    output: str = option(
        "--output",
        type=Choice(["text", "json", "markdown", "html"]),
        default="text",
        show_default=True,
        help="What to print.",
    )

    @property
    def endpoints(self) -> "tuple[RemoteOpa, RemoteOpa] | None":
        """The OPAs with the two policies that run already; None where they are to be started.

        Raises:
            ConfigurationError: The CA file cannot be loaded.
        """
        from warden.policy.opa.endpoints import RemoteOpa
        from warden.policy.opa.session import OpaOptions

        if not self.baseline_url or not self.candidate_url:
            return None
        authorities = OpaOptions(ca_file=self.opa_ca_file).read_authorities()
        return (
            RemoteOpa(self.baseline_url, self.baseline_token, authorities=authorities),
            RemoteOpa(self.candidate_url, self.candidate_token, authorities=authorities),
        )

    def build_run(self) -> "ImpactRun":
        """Return what is compared; `check` the options first."""
        from warden.analyse.impact.run_impact import ImpactRun, SideSource

        baseline_site, candidate_site = (*self.site, *self.baseline_site), (*self.site, *self.candidate_site)
        return ImpactRun(
            baseline=SideSource(
                path=self.baseline,
                settings=self.baseline_settings,
                profile=self.baseline_profile,
                site=baseline_site,
            ),
            candidate=SideSource(
                path=self.candidate,
                settings=self.candidate_settings,
                profile=self.candidate_profile,
                site=candidate_site,
            ),
            endpoints=self.endpoints,
            decisions=self.decisions,
            snapshot=self.snapshot,
            now=self.now,
            samples=self.samples,
            item_bytes=self.max_item_bytes,
            out=self.out,
        )

    def check(self) -> None:
        """Check the options before anything is started.

        Raises:
            ConfigurationError: Options contradict each other, or name nothing to evaluate.
            InputError: A decision log or a snapshot is not there.
        """
        from warden.state.snapshot.layout import select_latest_partitions

        if bool(self.baseline_url) != bool(self.candidate_url):
            raise ConfigurationError("--baseline-url and --candidate-url go together: give both, or none")
        for side in ("baseline", "candidate"):
            for name in (side, f"{side}_settings", f"{side}_profile", f"{side}_site", "site"):
                if self.baseline_url and getattr(self, name):
                    flag = f"--{name.replace('_', '-')}"
                    raise ConfigurationError(f"{flag} is for an OPA that is started here: leave out --{side}-url or it")
        if not self.decisions and self.snapshot is None:
            raise ConfigurationError("there is nothing to evaluate: give --decisions, --snapshot or both")
        for path in self.decisions:
            if not path.exists():
                raise InputError(f"--decisions {path}: no such file or directory: name OPA's decision log")
        self.spark.check_places({"--snapshot": self.snapshot})
        if isinstance(self.snapshot, Path):
            select_latest_partitions(self.snapshot)
