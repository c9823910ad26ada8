"""Connections to PostgreSQL, and what is to be written where there is none."""

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from warden.base.errors import ConfigurationError, StoreError
from warden.console.config import PostgresqlStorage

if TYPE_CHECKING:
    import psycopg

__all__ = ["PostgresConnector"]

_SETTING: Final = "storage.postgresql"
# A server that is gone is noticed soon; what the address says goes before.
_PATIENCE: Final = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",  # milliseconds
    "application_name": "warden console",
}


class PostgresConnector:
    """Makes connections to a database; the password is read for each, so that it may be rotated.

    Args:
        storage: Which one.

    Raises:
        ConfigurationError: libpq cannot read the address.
    """

    def __init__(self, storage: PostgresqlStorage) -> None:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict

        self._storage = storage
        url = urlsplit(storage.address)
        self.name = f"{url.netloc.rpartition('@')[2]}{url.path}"
        try:
            self._parameters = conninfo_to_dict(storage.address)
        except psycopg.Error as error:
            reason = _extract_reason(error)
            raise ConfigurationError(f"{_SETTING}.address: {reason}: write a URL as libpq reads it") from error

    def connect(self, **settings: str) -> "psycopg.Connection[Any]":
        """Return a connection that commits each statement, and finds the console's tables.

        Args:
            settings: Parameters of the session, as of SET.

        Raises:
            ConfigurationError: The password cannot be read.
            StoreError: The database does not answer or does not let us in.
        """
        import psycopg
        from psycopg.conninfo import make_conninfo

        secret = {} if self._storage.password is None else {"password": self._storage.password.read()}
        try:
            info = make_conninfo(**{**_PATIENCE, **self._parameters, **secret, "client_encoding": "UTF8"})  # type: ignore[arg-type]  # whose first parameter no key names
            # Without prepared statements, whose plans would be of other values.
            connection = psycopg.connect(info, autocommit=True, prepare_threshold=None)
        except psycopg.Error as error:
            raise StoreError(self._describe(error)) from error
        try:
            for name, value in {"search_path": self._storage.namespace, **settings}.items():
                connection.execute("SELECT set_config(%s, %s, false)", (name, value))
        except psycopg.Error as error:
            connection.close()
            raise StoreError(self._describe(error)) from error
        return connection

    def _describe(self, error: "psycopg.Error") -> str:
        """What is wrong, by what libpq knows, and what to write; its own words are always there."""
        said, pgconn = _extract_reason(error), error.pgconn
        advice = "start the server, or write the host and port that it listens at into address"
        if pgconn is not None and pgconn.needs_password:
            return (
                f"{_SETTING}.password: {self.name} wants one: write password: {{env: NAME}} or {{file: PATH}} ({said})"
            )
        if any(word in said for word in ("SSL", "certificate", "no encryption")):
            advice = "write sslmode and sslrootcert into address, as the server has TLS"
        elif "authentication failed" in said or "no pg_hba.conf entry" in said:
            advice = "write the user into address and their password into password, as the server knows them"
        elif "does not exist" in said:
            advice = "create it, or write another into address"
        return f"{_SETTING}.address: {self.name} does not let us in: {said}: {advice}"


def _extract_reason(error: Exception) -> str:
    """What libpq says of the first address, without that it failed."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or ["no reason"]
    said = next((line for line in lines if "failed:" in line), lines[0])
    return said.rpartition("failed: ")[2].removeprefix("FATAL:  ").removeprefix("FATAL: ").strip()
