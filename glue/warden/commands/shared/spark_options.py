"""Options for the Spark session of a command."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from warden.base.errors import ConfigurationError
from warden.base.files.address import Address, Place
from warden.commands.shared.options import option

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["SparkOptions"]


@dataclass(frozen=True, kw_only=True)
class SparkOptions:
    """Which Spark to use; under spark-submit it is the one that was submitted to."""

    master: str | None = option("--master", help="Spark's master URL.  [default: local[*]]")
    conf: tuple[str, ...] = option(
        "--conf", metavar="KEY=VALUE", multiple=True, help="Spark's configuration, as for spark-submit."
    )

    @property
    def configs(self) -> dict[str, str]:
        """Spark's configuration by key.

        Raises:
            ConfigurationError: A text of ``--conf`` has no value.
        """
        for text in self.conf:
            if "=" not in text:
                raise ConfigurationError(f"--conf {text} says no value: write --conf {text}=VALUE")
        return dict(text.split("=", 1) for text in self.conf)

    def check_places(self, places: Mapping[str, Place | None]) -> None:
        """Refuse addresses where Spark has their file systems elsewhere.

        Args:
            places: What each option says.

        Raises:
            ConfigurationError: There is an address, and the master is that of Spark Connect.
        """
        addresses = [f"{name} {place}" for name, place in places.items() if isinstance(place, Address)]
        if addresses and (self.master or "").startswith("sc://"):
            raise ConfigurationError(
                f"{addresses[0]}: with Spark Connect (--master {self.master}) the file systems of addresses are "
                "elsewhere: give a path that all see, or another --master"
            )

    @contextmanager
    def open_session(self) -> Iterator["SparkSession"]:
        """Yield the session.

        Raises:
            ConfigurationError: Spark cannot start so.
        """
        from spark_jobs.common import session

        with session.open_spark_session(self.master, self.configs) as spark:
            yield spark
