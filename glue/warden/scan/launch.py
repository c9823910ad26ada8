"""An OPA for each host that judges, from a bundle that is built here or was built before."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from warden.scan.doors import Door

__all__ = ["ScanningOpa", "scanning_opa"]


@dataclass(frozen=True)
class ScanningOpa:
    """How a scan reaches OPA.

    Args:
        door: From the tasks.
        here: From the driver.
        titles: Rule id → title, from the catalogue.
    """

    door: "Door"
    here: "Door"
    titles: dict[str, str]


@contextmanager
def scanning_opa(
    spark: "SparkSession", bundle: Path | None, opa: Path | None, settings: Path | None, profile: str | None
) -> Iterator[ScanningOpa]:
    """Yield an OPA for each host that judges; they end with the scan.

    Args:
        spark: A session.
        bundle: A built bundle, whose signature is verified; None to build one.
        opa: The program, for the executors' kind of machine; the pinned one where None.
        settings, profile: For the bundle that is built.

    Raises:
        BundleError, ToolchainError, OpaError: The bundle cannot be built or trusted, or OPA not be had.
    """
    from spark_jobs.shipping import host_opas, ship_modules
    from warden.bundle.build import build_bundle
    from warden.scan.local import titles
    from warden.scan.verify import verify_bundle
    from warden.toolchain.opa import find_opa
    from warden.toolchain.progress import working

    program = opa or find_opa()
    with TemporaryDirectory(prefix="warden-") as directory:
        scratch = Path(directory)
        if bundle is None:
            with working("building the bundle"):
                path = build_bundle(scratch / "bundle.tar.gz", settings=settings, profile=profile).path
        else:
            verify_bundle(program, bundle)
            path = bundle
        ship_modules(spark, scratch)
        door, here = host_opas(spark, path, program, scratch)
        try:
            with here.client() as client:
                known = titles(client)
            yield ScanningOpa(door, here, known)
        finally:
            here.stop()
