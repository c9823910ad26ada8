"""What a job takes along to its executors: Warden's own modules, the bundle, and OPA."""

import hashlib
import io
import json
import tarfile
import zipfile
from pathlib import Path

from pyspark.sql import SparkSession

import warden
from spark_jobs.reach import is_connect, is_local, send_modules
from warden.errors import ConfigurationError
from warden.opa.tokens import Tokens
from warden.scan.host import HostOpa

__all__ = ["bundle_revision", "host_opas", "ship_modules", "unsigned", "write_modules"]


def host_opas(spark: SparkSession, bundle: Path, opa: Path, scratch: Path) -> tuple[HostOpa, HostOpa]:
    """Return the doors to an OPA on each host that judges, and to the driver's own; the same one where Spark is local.

    Args:
        spark: A session.
        bundle: A bundle that was verified, or has just been built.
        opa: The program, for the executors' kind of machine.
        scratch: A directory that outlives the job.
    """
    bare = unsigned(bundle, scratch / "warden-judging.bundle")
    digest, revision = hashlib.sha256(bare.read_bytes()).hexdigest(), bundle_revision(bare)
    name, tokens = spark.sparkContext.applicationId, Tokens.generate()
    here = HostOpa(f"{name}-driver", str(bare), digest, revision, str(opa), tokens)
    if is_local(spark):
        return here, here
    for path in (bare, opa):
        spark.sparkContext.addFile(str(path))
    return HostOpa(name, f"shipped:{bare.name}", digest, revision, f"shipped:{opa.name}", tokens), here


def ship_modules(spark: SparkSession, scratch: Path) -> None:
    """Give executors elsewhere the modules that this process has; a session of Spark Connect begins with them."""
    if not is_local(spark) and not is_connect(spark):
        send_modules(spark, write_modules(scratch / "warden-modules.zip"))


def write_modules(target: Path) -> Path:
    """Write Warden's modules as a zip file, as spark-submit's ``--py-files`` takes it."""
    roots = (Path(warden.__file__).resolve().parent, Path(__file__).resolve().parent)
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for root in roots:
            for path in sorted(root.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    archive.write(path, path.relative_to(root.parent).as_posix())
    return target


def unsigned(bundle: Path, target: Path) -> Path:
    """Copy a bundle without its signature; its sum stands for it from here on.

    Raises:
        ConfigurationError: The file is not a bundle.
    """
    try:
        with tarfile.open(bundle) as source, tarfile.open(target, "w:gz") as copy:
            for member in source:
                if not member.name.endswith(".signatures.json"):
                    copy.addfile(member, source.extractfile(member))
    except (OSError, tarfile.TarError) as error:
        raise ConfigurationError(f"{bundle}: not a bundle ({error}): `warden bundle build` makes one") from error
    return target


def bundle_revision(bundle: Path) -> str:
    """Return the revision that a bundle's manifest states."""
    with tarfile.open(bundle) as source:
        for member in source:
            if member.name.strip("/") == ".manifest":
                manifest = source.extractfile(member) or io.BytesIO(b"{}")
                return str(json.load(manifest).get("revision", ""))
    raise ConfigurationError(f"{bundle}: not a bundle, it has no manifest: `warden bundle build` makes one")


if __name__ == "__main__":
    import sys

    print(write_modules(Path(sys.argv[1] if len(sys.argv) > 1 else "warden-modules.zip")))
