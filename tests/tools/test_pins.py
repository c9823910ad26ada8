"""`python -m tools.pins` makes what the repository pins."""

import hashlib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.base.toolchain.conftest import ReleasePage, release_page
from tests.fixtures.checkout import CHECKOUT
from tools.pins import JAR_SETS, command, write_jar_sums
from tools.toolchain import versions as of_developers
from warden.base.errors import ToolchainError
from warden.base.toolchain import versions
from warden.base.toolchain.jars import read_sums
from warden.base.toolchain.java import build_temurin_url
from warden.base.toolchain.opa_release import build_opa_url

__all__ = ["release_page"]

PLATFORMS = [(name, processor) for name in ("linux", "darwin") for processor in ("amd64", "arm64")]


@pytest.mark.process
def test_the_tables_of_releases(release_page: ReleasePage, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the release pages publish is printed as the module of versions has it; what they lack is an error."""
    environ = {"WARDEN_RELEASES": release_page.url}
    monkeypatch.setenv("WARDEN_RELEASES", release_page.url)
    for url, sums in ((build_opa_url, ".sha256"), (build_temurin_url, ".sha256.txt")):
        for platform in PLATFORMS:
            path = url(*platform, environ).removeprefix(release_page.url)
            release_page.publish(path, path.encode(), sums=sums)

    printed = CliRunner().invoke(command, ["releases"], catch_exceptions=False).output

    tables: dict[str, dict[tuple[str, str], str]] = {}
    lines = printed.replace(": Final[Mapping[tuple[str, str], str]] =", " =")
    exec(lines, {}, tables)
    expected = {
        name: {
            platform: hashlib.sha256(url(*platform, environ).removeprefix(release_page.url).encode()).hexdigest()
            for platform in PLATFORMS
        }
        for name, url in (("OPA_SHA256", build_opa_url), ("TEMURIN_SHA256", build_temurin_url))
    }
    assert expected == tables

    path = build_opa_url("linux", "amd64", environ).removeprefix(release_page.url)
    release_page.files[f"{path}.sha256"] = b"<html>"
    with pytest.raises(
        ToolchainError, match=r"/opa_linux_amd64_static\.sha256 does not hold the sum of opa_linux_amd64_"
    ):
        CliRunner().invoke(command, ["releases"], catch_exceptions=False)


def test_pinned_sums_are_whole() -> None:
    """Sixty-four digits each, on platforms that releases are made for, and none twice."""
    for sums in (versions.OPA_SHA256, versions.TEMURIN_SHA256):
        assert set(sums) <= set(PLATFORMS)
        assert all(len(one) == 64 and set(one) <= set("0123456789abcdef") for one in sums.values())
        assert len(set(sums.values())) == len(sums)
    jars = read_sums()
    assert all(len(one) == 64 and set(one) <= set("0123456789abcdef") for one in jars.values())
    assert list(jars) == sorted(jars)


def test_sums_of_jars(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """New jars get lines, and a line never gets another sum; all others stay, or only the ones that were found."""
    file = tmp_path / "jars.sha256"
    file.write_text("# head\na-1.jar aa\nb-1.jar bb\n", encoding="utf-8")

    write_jar_sums(file, {"c-1.jar": "cc", "b-1.jar": "bb"}, keep=True)
    assert "# head\na-1.jar aa\nb-1.jar bb\nc-1.jar cc\n" == file.read_text(encoding="utf-8")
    assert f"3 jars, 1 of them new: {file}\n" == capsys.readouterr().out

    write_jar_sums(file, {"c-1.jar": "cc", "b-1.jar": "bb"}, keep=False)
    kept = "# head\nb-1.jar bb\nc-1.jar cc\n"
    assert kept == file.read_text(encoding="utf-8")

    with pytest.raises(ToolchainError, match=r"^b-1\.jar has the SHA-256 sum xx, and jars\.sha256 has bb: "):
        write_jar_sums(file, {"b-1.jar": "xx", "d-1.jar": "dd"}, keep=True)
    assert kept == file.read_text(encoding="utf-8")


@pytest.mark.parametrize(("version", "modules"), sorted({(version, modules) for version, modules, _ in JAR_SETS}))
def test_every_set_is_pinned(version: str, modules: tuple[str, ...]) -> None:
    """The jars of each set that Warden, its tools or its tests have are in the file, the named modules at least."""
    others = versions.KAFKA_MODULES.get(version, {})
    assert {f"org.apache.kafka_{one}-{others.get(one, version)}.jar" for one in modules} <= read_sums().keys()


def test_s3a_is_that_of_spark() -> None:
    """Hadoop as in the PySpark that is locked; no jar says of which AWS SDK that Hadoop is, so all are of one."""
    spark = distribution("pyspark")
    jars = [path.name for path in spark.files or () if path.name.startswith("hadoop-client-api-")]
    pinned = [name for name in read_sums() if name.startswith(("org.apache.hadoop_", "software.amazon.awssdk_"))]
    hadoop, sdk = of_developers.HADOOP, of_developers.AWS_SDK

    assert f"\npyspark=={spark.version} " in (CHECKOUT / "requirements.lock").read_text(encoding="utf-8")
    assert [f"hadoop-client-api-{hadoop}.jar"] == jars
    assert [f"org.apache.hadoop_hadoop-aws-{hadoop}.jar"] == [name for name in pinned if "hadoop" in name]
    assert [] == [name for name in pinned if not name.endswith((f"-{hadoop}.jar", f"-{sdk}.jar"))]
    assert f"software.amazon.awssdk_s3-{sdk}.jar" in pinned
