"""``python -m tools.catalog.history [--check]``: what releases of Kafka changed, from the jars of each.

Sources, in the jars: ``kafka.server.KafkaConfig.configDef``, ``LogConfig.CONFIG``, ``ApiKeys``, ``MetadataVersion``.
"""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import click

from tools.catalog.dynamic import read_private_constant
from tools.catalog.jvm import run_kafka_jvm
from tools.catalog.reflect import build_config_entry
from tools.catalog.render import render
from tools.catalog.resources import read_definition
from tools.command_line import run, write_texts
from warden.base.resources import find_shipped
from warden.base.toolchain import versions
from warden.base.toolchain.jars import obtain_kafka_jars

__all__ = ["EXCLUDED", "PATCHES", "SERVER", "command", "compare_releases", "list_server_jars", "read_release"]

PATCHES: Final = ("3.5.2", "3.6.2", "3.7.2", "3.8.1", "3.9.2", "4.0.1", "4.1.1", "4.2.0", "4.3.1", versions.KAFKA)
"""The releases that are compared, oldest first; ``LogConfig`` is where it is since 3.5."""

SERVER: Final = (f"kafka_{versions.SCALA}",)
"""The modules that are fetched of each."""

EXCLUDED: Final = ("org.apache.commons:commons-lang3",)
"""What is not fetched with them: ConfigDefs do without it, and brokers have Spark's."""

_COMPARED: Final = ("type", "default", "min", "max", "or", "validStrings", "valid")
_UNORDERED: Final = "listener.security.protocol.map"  # its default is written in the order of a hash
_OF_LISTS: Final = ("type", "default")  # what their validators take is in the catalogue of lists


def list_server_jars(patch: str) -> list[Path]:
    """Return the jars of a release's server.

    Raises:
        ToolchainError: They cannot be had.
    """
    return obtain_kafka_jars(patch, SERVER, excluded=EXCLUDED)


def read_release(patch: str, jars: Sequence[Path] | None = None) -> dict[str, Any]:
    """Return what one release has.

    ``configs`` by component and name, ``apis``, ``metadataVersion``, the highest ``level`` of it, ``features``.

    Args:
        patch: The release with its patch, such as ``3.9.2``.
        jars: Those of its server; fetched where they are not given.

    Raises:
        ToolchainError: Java or the jars cannot be had.
    """
    with run_kafka_jvm(patch, jars or list_server_jars(patch)) as jvm:
        kafka = jvm.org.apache.kafka
        definitions = {component: read_definition(jvm, component) for component in ("broker", "topic")}
        configs = {
            component: {
                str(name): _select_compared(str(name), build_config_entry(jvm, keys[name], None)) for name in keys
            }
            for component, keys in definitions.items()
        }
        apis = {str(api.name): int(api.oldestVersion()) for api in kafka.common.protocol.ApiKeys.clientApis()}
        name = "MINIMUM_VERSION" if patch >= "4" else "MINIMUM_KRAFT_VERSION"
        least = read_private_constant(jvm, "org.apache.kafka.server.common.MetadataVersion", name)
        metadata = {"min": int(least.featureLevel()), "name": str(least.version())}
        level = int(_find_newest_metadata_version(jvm, patch).featureLevel())
        features = _list_features(jvm) if patch >= "4" else []
    return {"configs": configs, "apis": apis, "metadataVersion": metadata, "level": level, "features": features}


def compare_releases(releases: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return what is not the same in all releases, as the catalogue has it.

    Args:
        releases: By their patches, oldest first, what `read_release` returns.
    """
    configs = {
        component: _list_changes({patch: release["configs"][component] for patch, release in releases.items()})
        for component in ("broker", "topic")
    }
    newest = [*releases.values()][-1]["apis"]  # what is not there is between brokers, or for nobody any more
    apis = _list_changes({patch: _select_minimums(release["apis"], newest) for patch, release in releases.items()})
    metadata = _list_changes({patch: {"all": release["metadataVersion"]} for patch, release in releases.items()})
    patches = {_strip_patch(patch): patch for patch in releases}
    return {
        "patches": patches,
        "configs": configs,
        "apis": apis,
        "metadataVersion": metadata["all"],
        "levels": {_strip_patch(patch): release["level"] for patch, release in releases.items()},
        "features": sorted({name for release in releases.values() for name in release["features"]}),
    }


def _find_newest_metadata_version(jvm: Any, patch: str) -> Any:
    """The highest ``MetadataVersion`` that brokers of a release take without unstable ones."""
    versions_of = jvm.org.apache.kafka.server.common.MetadataVersion
    return versions_of.latestProduction() if patch >= "3.7" else versions_of.latest()


def _list_features(jvm: Any) -> list[str]:
    of_brokers = read_private_constant(jvm, "org.apache.kafka.server.common.Feature", "PRODUCTION_FEATURES")
    least = read_private_constant(jvm, "org.apache.kafka.server.common.MetadataVersion", "FEATURE_NAME")
    return [str(least), *(str(feature.featureName()) for feature in of_brokers)]


def _select_minimums(apis: Mapping[str, int], names: Collection[str]) -> dict[str, dict[str, Any]]:
    return {name: {"min": version} for name, version in apis.items() if name in names}


def _list_changes(releases: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
    """By name the steps of what is different somewhere, apart from what only came to be."""
    names = {name for release in releases.values() for name in release}
    steps = {name: _list_steps({patch: release.get(name) for patch, release in releases.items()}) for name in names}
    return {name: changes for name, changes in sorted(steps.items()) if len(changes) > 1}


def _list_steps(entries: Mapping[str, Mapping[str, Any] | None]) -> list[dict[str, Any]]:
    absent: Mapping[str, Any] = {"removed": True}
    whole = {patch: absent if entry is None else entry for patch, entry in entries.items()}
    first, *others = whole.items()
    changed = [first, *(after for before, after in pairwise([first, *others]) if before[1] != after[1])]
    if changed[0][1] is absent:
        changed = changed[1:]
    return [{"since": _strip_patch(patch), **entry} for patch, entry in changed]


def _strip_patch(patch: str) -> str:
    return ".".join(patch.split(".")[:2])


def _select_compared(name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """What of an entry is compared; the validator's words only where they are all that says what it takes."""
    compared = _OF_LISTS if entry["type"] == "list" else _COMPARED
    kept = {field: entry[field] for field in compared if field in entry}
    if name == _UNORDERED:
        kept["default"] = ",".join(sorted(kept["default"].split(",")))
    return {field: value for field, value in kept.items() if field != "valid" or value == "non-empty string"}


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--check", is_flag=True, help="Write nothing; fail when the file differs from what the jars say.")
def command(check: bool) -> int:
    """Generate what releases of Kafka changed: configs of brokers and topics, versions of requests.

    The jars of all of them are fetched: 360 MB, three minutes.

    \b
    Examples:
      python -m tools.catalog.history
      python -m tools.catalog.history --check
    """  # noqa: D301 - \b is click's mark for lines that stay as they are
    module = "tools.catalog.history"
    document = compare_releases({patch: read_release(patch) for patch in PATCHES})
    text = render({"kafka": f"{PATCHES[0]} to {PATCHES[-1]}", **document}, module)
    return write_texts({find_shipped("bundle") / "catalog" / "history" / "data.yaml": text}, module, check=check)


if __name__ == "__main__":
    run(command)
