"""The console's configuration: a YAML file that says where decisions and runs are, and who may look."""

from pathlib import Path
from typing import Annotated, Final, Self
from urllib.parse import parse_qs, urlsplit

from pydantic import AfterValidator, Field, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import (
    ConfigModel,
    ConfigPath,
    DirectoryPath,
    SecretReference,
    Text,
    build_validation_error,
    read_model,
)
from warden.base.tls.listener import ListenerTls, MappingRules
from warden.enforce.service.config import Principal, ServiceOpa, read_tokens

__all__ = ["ConsoleConfig", "ConsolePolicy", "PostgresqlStorage", "Storage", "ViewerEntry", "read_console_config"]

_NAMES: Final = Expected("a list of names")
_SECRETS: Final = {"password", "sslpassword"}
_ADDRESS: Final = Expected("a URL such as postgresql://warden@db.example.com/warden?sslmode=verify-full")
_SCHEMA: Final = Expected("the name of a schema: small letters, digits and _, such as warden")


def _check_address(value: str) -> str:
    """Look whether it is a URL of PostgreSQL's; what is wrong is not shown: there may be a password in it."""
    url = urlsplit(value)
    if url.scheme not in ("postgresql", "postgres"):
        raise build_validation_error(f"this is not an address of PostgreSQL: write {_ADDRESS.text}")
    if url.password is not None or _SECRETS & parse_qs(url.query, keep_blank_values=True).keys():
        raise build_validation_error("a password is never in this file: take it out, and write password: {env: NAME}")
    return value


class PostgresqlStorage(ConfigModel):
    """A PostgreSQL database, which several consoles may share.

    Args:
        address: A URL as libpq reads it, with its parameters and without a password.
        password: The user's; None where libpq finds one by itself (a certificate, ``~/.pgpass``) or none is needed.
        namespace: The schema in which the tables are, ``schema`` in the file; it is made where it is missing.
    """

    address: Annotated[str, AfterValidator(_check_address), _ADDRESS]
    password: SecretReference | None = None
    namespace: Annotated[str, Field(alias="schema", pattern="^[a-z_][a-z0-9_]{0,62}$"), _SCHEMA] = "warden"


class Storage(ConfigModel):
    """Where decisions are kept, and how many.

    Args:
        path: The SQLite file; None for a temporary one that is gone at the end.
        postgresql: A database in place of a file.
        max_rows: How many decisions there may be; the oldest go first.
        max_days: How many days they are kept.
    """

    path: ConfigPath | None = None
    postgresql: PostgresqlStorage | None = None
    max_rows: Annotated[int, Field(ge=1)] = 1_000_000
    max_days: Annotated[int, Field(ge=1)] = 30

    @model_validator(mode="after")
    def _check_place(self) -> Self:
        if self.path and self.postgresql:
            raise build_validation_error("decisions are kept in one place: write path or postgresql")
        return self


class UploadEntry(ConfigModel):
    """That OPAs may upload decisions to ``/logs``.

    Args:
        token: The bearer token that they send.
    """

    token: SecretReference


class DecisionSources(ConfigModel):
    """Where decisions come from.

    Args:
        files: Files of JSON lines that are followed; ``*`` and ``?`` stand for what they do in a shell.
        receive: That OPAs may upload decisions; None where none may.
    """

    files: Annotated[tuple[ConfigPath, ...], Expected("a list of files, such as /var/log/opa/*.json")] = ()
    receive: UploadEntry | None = None


class ConsolePolicy(ConfigModel):
    """The files of the policy: what the console's own OPA decides by, and the lines that values are said to come from.

    Args:
        settings: YAML laid over the shipped settings.
        profile: Profile that lies between the two.
        site: Directories with a site's own rules.
    """

    settings: ConfigPath | None = None
    profile: Text | None = None
    site: Annotated[tuple[DirectoryPath, ...], Expected("a list of directories")] = ()


class ViewerEntry(ConfigModel):
    """Somebody who may look, and at what.

    Args:
        principal: Who that is, as Kafka writes it: ``User:alice``; a certificate counts for whose principal it is.
        token: The token that proves it; None where only a certificate does.
        clusters: The clusters that may be seen; None for all.
        owners: The owners whose resources may be seen; None for all.
    """

    principal: Principal
    token: SecretReference | None = None
    clusters: Annotated[tuple[Text, ...], _NAMES] | None = None
    owners: Annotated[tuple[Text, ...], _NAMES] | None = None


class ConsoleConfig(ConfigModel):
    """A whole configuration file.

    Args:
        storage: Where decisions are kept.
        decisions: Where they come from.
        runs: Directory of runs of `warden scan`; None where there is none.
        snapshot: Directory of a snapshot that changes of settings are tried on; None where there is none.
        opa: The OPA that decides, or several; None for one of the console's own.
        policy: The files of the policy.
        callers: Who may look; without any, and without ``tls.clientCaFile``, whoever is on this machine.
        tls: What is listened with; with its ``client_ca_file`` certificates log in too. None for plain HTTP.
        principal_mapping_rules: Which principals these certificates are, as brokers' ``ssl.principal.mapping.rules``.
    """

    storage: Storage = Storage()
    decisions: DecisionSources = DecisionSources()
    runs: ConfigPath | None = None
    snapshot: ConfigPath | None = None
    opa: ServiceOpa | None = None
    policy: ConsolePolicy = ConsolePolicy()
    callers: Annotated[tuple[ViewerEntry, ...], Expected("a list of {principal: …, token: …}")] = ()
    tls: ListenerTls | None = None
    principal_mapping_rules: MappingRules = "DEFAULT"

    @model_validator(mode="after")
    def _check_callers(self) -> Self:
        certificates = self.tls is not None and self.tls.client_ca_file is not None
        if certificates and not self.callers:
            raise build_validation_error("nobody may look: list callers, whose principals certificates are")
        names = [caller.principal for caller in self.callers]
        for caller in self.callers:
            if names.count(caller.principal) > 1:
                raise build_validation_error(f"caller {caller.principal} is named twice: name each once")
            if caller.token is None and not certificates:
                raise build_validation_error(
                    f"caller {caller.principal} has no token: give one, or set tls.clientCaFile"
                )
        return self

    def read_tokens(self) -> dict[str, str]:
        """Return the principal of each token, as `read_tokens` does."""
        return read_tokens(self.callers)


def read_console_config(path: Path) -> ConsoleConfig:
    """Read a configuration file.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    return read_model(path, ConsoleConfig, "YAML file with where decisions and runs are")
