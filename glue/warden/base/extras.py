"""The distribution's extras: what each brings, and the sentence for a module that is missing."""

from collections.abc import Iterable
from importlib.util import find_spec
from typing import Final

from warden.base.errors import ExtraMissing

__all__ = ["BROUGHT_BY", "DISTRIBUTION", "check_extras", "describe_missing"]

DISTRIBUTION: Final = "kafka-warden"
"""The name to install by; `warden` is that of the package and of the command."""

BROUGHT_BY: Final = {
    "aiohttp": "serve",
    "aws_msk_iam_sasl_signer": "aws",
    "boto3": "aws",
    "confluent_kafka": "admin",
    "cryptography": "kafka",
    "google.auth": "gcp",
    "gssapi": "kerberos",
    "grpc": "connect",
    "grpc_status": "connect",
    "jinja2": "spark",
    "kafka": "kafka",
    "kubernetes": "kubernetes",
    "opentelemetry": "otel",
    "opentelemetry.exporter.otlp.proto.http": "otel",
    "opentelemetry.sdk": "otel",
    "pandas": "spark",
    "prometheus_client": "replicator",
    "psycopg": "postgres",
    "pyarrow": "spark",
    "pyspark": "spark",
    "uvloop": "serve",
}
"""The extra that brings a module."""


def check_extras(*modules: str) -> None:
    """Return where all modules are there: to be called before anything begins that needs them in its midst.

    Raises:
        ExtraMissing: One is not; the sentence names all of them and what to install.
    """
    missing = [name for name in modules if not _is_installed(name)]
    if missing:
        raise ExtraMissing(_format_missing(missing))


def describe_missing(name: str | None) -> str | None:
    """Return what to write where a module was not found; None where no extra brings it.

    Args:
        name: The module, as in `ModuleNotFoundError.name`.
    """
    root = (name or "").partition(".")[0]
    return _format_missing([root]) if root in BROUGHT_BY else None


def _is_installed(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # the package above it is not there
        return False


def _format_missing(modules: Iterable[str]) -> str:
    names = sorted(set(modules))
    extras = ",".join(sorted({BROUGHT_BY[name] for name in names}))
    verb = "is" if len(names) == 1 else "are"
    return f"{' and '.join(names)} {verb} not installed: pip install '{DISTRIBUTION}[{extras}]'"
