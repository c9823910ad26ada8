"""Fixtures of all tests (`tests.fixtures`), how Hypothesis runs, and which tests a plain run leaves out."""

import os

import pytest
from hypothesis import settings

from tests.fixtures.class_archives import use_archives
from tests.fixtures.distribution import Distribution
from tests.oracle.cases import SEED

pytest_plugins = [f"tests.fixtures.{name}" for name in ("callers", "jvm", "kafka", "opa", "spark")]

# No deadlines: a slow machine is not a failure. On continuous integration the same examples every time.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


# What a run that does not name them leaves out, with what it takes: marker → where the tests are.
_LEFT_OUT = {
    "cluster": (
        "tests/spark_jobs/scan/test_clusters",
        "tests/gateway/test_three_brokers",
        "tests/serve/test_three_brokers",
        "tests/cli/test_scan",
    ),
    "costs": ("tests/bench/test_counts",),
    "docs": ("tests/docs/test_console", "tests/docs/test_site"),
    "install": ("tests/install",),
    "k8s": ("tests/k8s",),
    "oracle": ("tests/oracle",),
    "slow": (
        "tests/adapter/test_brokers_oracle",
        "tests/adapter/test_tiering_oracle",
        "tests/analysis/baseline/test_propose",
        "tests/analysis/impact/test_analysis",
        "tests/analysis/impact/test_command",
        "tests/bench/test_counts",
        "tests/bench/test_files",
        "tests/bench/test_others",
        "tests/bundle/test_remembered",
        "tests/bundle/test_site",
        "tests/bundle/test_site_tests",
        "tests/cli/test_configs_of_brokers",
        "tests/conformance/test_admin_client",
        "tests/conformance/test_services",
        "tests/demo/test_demo",
        "tests/gateway/test_acls",
        "tests/gateway/test_streams_jvm",
        "tests/mutants/test_mutants",
        "tests/policies/placement/test_cost",
        "tests/policies/rules/test_parts",
        "tests/replicate/test_kafka_faults",
        "tests/replicate/test_rights",
        "tests/replicate/test_secrets",
        "tests/replicate/test_source_faults",
        "tests/serve/test_dynamic_clients",
        "tests/sources/kafka/test_java_stores",
        "tests/sources/kafka/test_kerberos_login",
        "tests/sources/kafka/test_reassignment",
        "tests/sources/kafka/test_tls",
        "tests/sources/kafka/test_token_command",
        "tests/spark_jobs/scan/test_damage",
        "tests/spark_jobs/scan/test_dedupe_days",
        "tests/spark_jobs/scan/test_faults",
        "tests/spark_jobs/scan/test_remembering",
        "tests/spark_jobs/scan/test_resources",
        "tests/tools/catalog/test_catalog",
        "tests/tools/test_rule_steps",
    ),
}


def pytest_configure(config: pytest.Config) -> None:
    """Let `--dist loadscope` group and order the files, and Kafka's and Spark's programs start fast."""
    use_archives()
    config.pluginmanager.register(Distribution())


def pytest_report_header() -> str:
    """Print where the oracles' random cases start."""
    return f"oracles: WARDEN_SEED={SEED}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why a test failed that was then run once more; pytest-rerunfailures names it and no more."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"first run of {report.nodeid}")
        terminalreporter.line(report.longreprtext)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that take minutes, or minutes to build what they run on; `make ci` names them."""
    expression = config.getoption("markexpr")
    markers = {
        marker
        for marker, paths in _LEFT_OUT.items()
        if marker not in expression and not any(path in argument for argument in config.args for path in paths)
    }
    left_out = [item for item in items if any(item.get_closest_marker(marker) for marker in markers)]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in set(left_out)]
