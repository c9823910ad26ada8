"""What a job on this machine needs around it: an OPA with the bundle, and a Spark session."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from warden.errors import OpaUndefined
from warden.resources import share

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from warden.opa.client import OpaClient
    from warden.scan.doors import Opa

__all__ = ["JudgingOpa", "judging_opa", "rules_known", "spark_here", "titles"]


@dataclass(frozen=True)
class JudgingOpa:
    """The OPA that judges.

    Args:
        opa: Its address and token.
        titles: Rule id → title, from its catalogue.
    """

    opa: "Opa"
    titles: dict[str, str]


@contextmanager
def judging_opa(
    url: str | None, token: str | None, settings: Path | None, profile: str | None = None
) -> Iterator[JudgingOpa]:
    """Yield the OPA at ``url``, or one that is started with a freshly built bundle and stopped at the end.

    Raises:
        BundleError, ToolchainError, OpaError: The bundle cannot be built, or OPA not be had or reached.
    """
    from warden.opa.client import OpaClient
    from warden.scan.doors import Opa

    if url:
        with OpaClient(url, token=token) as client:
            yield JudgingOpa(Opa(url, token), titles(client))
        return

    from warden.bundle.build import build_bundle
    from warden.opa.server import LocalOpa
    from warden.toolchain.progress import working

    with TemporaryDirectory(prefix="warden-") as directory:
        with working("building the bundle"):
            bundle = build_bundle(Path(directory) / "bundle.tar.gz", settings=settings, profile=profile)
        config = _without_decision_log(Path(directory) / "opa-config.yaml")
        with _collecting_less_often(), LocalOpa(bundle, config=config) as server, server.client() as client:
            yield JudgingOpa(Opa(server.url, server.tokens.query), titles(client))


def titles(client: "OpaClient") -> dict[str, str]:
    """Return rule id → title; empty where the bundle has no catalogue of rules."""
    return {id: rule.get("title", "") for id, rule in rules_known(client).items()}


def rules_known(client: "OpaClient") -> dict[str, Any]:
    """Return the metadata of the rules by id; empty where the bundle has no catalogue of rules."""
    try:
        rules: Any = client.evaluate("catalog/rules", {})
    except OpaUndefined:
        return {}
    listed = rules.values() if isinstance(rules, dict) else rules
    return {rule["id"]: rule for rule in listed if isinstance(rule, dict) and "id" in rule}


def _without_decision_log(path: Path) -> Path:
    """Write OPA's configuration without its decision log: the run's own directory says all that was decided."""
    import yaml

    config = yaml.safe_load(share("opa-config.yaml").read_text(encoding="utf-8"))
    config.pop("decision_logs", None)
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    return path


@contextmanager
def _collecting_less_often() -> Iterator[None]:
    """Let OPA's garbage collector wait: a third of its time went into collecting the remains of batches."""
    before = os.environ.get("GOGC")
    os.environ.setdefault("GOGC", "800")
    try:
        yield
    finally:
        if before is None:
            del os.environ["GOGC"]


@contextmanager
def spark_here(master: str, configs: Mapping[str, str] | None = None) -> Iterator["SparkSession"]:
    """Yield a Spark session; what Spark says goes to a file that vanishes with it.

    Args:
        master: Spark's master URL, or that of a Spark Connect server (``sc://host:port``).
        configs: Spark's configuration besides; it goes before Warden's own.

    Raises:
        ToolchainError: There is no Java.
        ConfigurationError: Spark cannot start with this master.
    """
    from warden.toolchain.progress import working

    if master.startswith("sc://"):
        from spark_jobs.session import connect_session

        with connect_session(master, configs) as session:
            yield session
        return
    from warden.toolchain.java import find_java

    java = find_java()
    with TemporaryDirectory(prefix="warden-spark-", ignore_cleanup_errors=True) as directory:
        from spark_jobs.session import local_session

        with working("starting Spark"):
            starting = local_session(master, java, Path(directory) / "spark.log", configs)
            session = starting.__enter__()
        try:
            yield session
        finally:
            starting.__exit__(None, None, None)
