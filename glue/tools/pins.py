"""``python -m tools.pins``: the SHA-256 sums of what Warden downloads, for the repository."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tools.catalog.history import EXCLUDED, PATCHES, SERVER
from tools.command_line import run
from tools.toolchain.s3a import fetch_s3a_jars
from warden.base.errors import ToolchainError
from warden.base.toolchain import jars, versions
from warden.base.toolchain.cache import hash_file
from warden.base.toolchain.download import read_published_sum
from warden.base.toolchain.java import build_temurin_url
from warden.base.toolchain.opa_release import build_opa_url

__all__ = ["JAR_SETS", "command", "write_jar_sums"]

_PLATFORMS = [(name, processor) for name in ("linux", "darwin") for processor in ("amd64", "arm64")]

_TOOLS = versions.KAFKA_MODULES.get(versions.KAFKA, {}).get("kafka-tools", versions.KAFKA)
JAR_SETS: Sequence[tuple[str, Sequence[str], Sequence[str]]] = [
    (versions.KAFKA, jars.BROKER, ()),
    (_TOOLS, jars.BROKER, ()),
    (versions.KAFKA, jars.CATALOG, ()),
    ("3.9.2", jars.BROKER, EXCLUDED),  # older brokers of the tests
    *((patch, SERVER, EXCLUDED) for patch in PATCHES),
]
"""Release, modules and what is left out of each set of Kafka's jars that Warden, its tools or its tests have."""

_S3A = "s3a"


@click.group(name="python -m tools.pins", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Print or write the sums that are pinned beside the versions of what is downloaded."""


@command.command()
def releases() -> None:
    """Print the tables OPA_SHA256 and TEMURIN_SHA256 of glue/warden/base/toolchain/versions.py.

    They are what the release pages publish for the versions there: compare them with a second source, such as images
    and packages that others make of the same release, before you put them in.
    """
    for table, url, suffix in (
        ("OPA_SHA256", build_opa_url, ".sha256"),
        ("TEMURIN_SHA256", build_temurin_url, ".sha256.txt"),
    ):
        for line in _iter_table_lines(table, url, suffix):
            click.echo(line)


@command.command(name="jars")
@click.argument("releases", nargs=-1)
def write_jars(releases: Sequence[str]) -> None:
    r"""Write glue/warden/base/toolchain/jars.sha256: the sums of the jars that are fetched now.

    With RELEASES the jars of these alone are fetched, a new one too, and all other lines stay. A line never gets
    another sum: a published jar does not change. They are sums of first use: what the repository has then counts.
    ``s3a`` among them is Hadoop's S3A, which a test has.

    \b
    Examples:
      python -m tools.pins jars          # all: 400 MB, some minutes
      python -m tools.pins jars 4.5.0    # before python -m tools.catalog.next 4.5.0
      python -m tools.pins jars s3a      # for another PySpark
    """
    pinned = {_S3A, *(version for version, _modules, _excluded in JAR_SETS)}
    sets = [jar_set for jar_set in JAR_SETS if not releases or jar_set[0] in releases]
    sets += [(version, SERVER, EXCLUDED) for version in releases if version not in pinned]
    fetches: list[Callable[[Path], None]] = [
        partial(jars.fetch_jars, version=version, modules=modules, excluded=excluded)
        for version, modules, excluded in dict.fromkeys(sets)
    ]
    if not releases or _S3A in releases:
        fetches.append(fetch_s3a_jars)
    sums: dict[str, str] = {}
    for fetch in fetches:
        with TemporaryDirectory() as directory:
            fetch(Path(directory))
            sums |= {jar.name: hash_file(jar) for jar in Path(directory).glob("*.jar")}
    write_jar_sums(Path(jars.__file__).with_name(jars.SUMS_FILE), sums, keep=bool(releases))


def write_jar_sums(file: Path, found: Mapping[str, str], *, keep: bool) -> None:
    """Write the sums of jars.

    Args:
        file: Where they are.
        found: The sums by name.
        keep: Whether lines of other jars stay.

    Raises:
        ToolchainError: A jar has another sum than its line; nothing is written then.
    """
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    head = [line for line in lines if line.startswith("#")]
    before = dict(line.split() for line in lines if line not in head)
    for name, digest in sorted(found.items()):
        if before.get(name, digest) != digest:
            raise ToolchainError(
                f"{name} has the SHA-256 sum {digest}, and {file.name} has {before[name]}: a published jar does not "
                "change, so find out who changed it, and delete its line only if the new one is right"
            )
    rows = {**(before if keep else {}), **found}
    text = "\n".join([*head, *(f"{name} {rows[name]}" for name in sorted(rows))])
    file.write_text(f"{text}\n", encoding="utf-8")
    click.echo(f"{len(rows)} jars, {len(rows.keys() - before.keys())} of them new: {file}")


def _iter_table_lines(name: str, url: Callable[[str, str], str], suffix: str) -> Iterator[str]:
    yield f"{name}: Final[Mapping[tuple[str, str], str]] = {{"
    for platform in _PLATFORMS:
        system, processor = platform
        yield f'    ("{system}", "{processor}"): "{read_published_sum(url(*platform), suffix)}",'
    yield "}"


if __name__ == "__main__":
    run(command)
