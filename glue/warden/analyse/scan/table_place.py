"""Places of a lakehouse's tables that runs are added to: ``delta:PLACE`` or ``iceberg:CATALOG.NAMESPACE``. Pure."""

import re
from dataclasses import dataclass
from pathlib import Path

from warden.base.errors import ConfigurationError
from warden.base.files.address import parse_place

__all__ = ["TablePlace", "parse_table_place"]

_NAMESPACE = re.compile(r"\w+(\.\w+)+", re.ASCII)


@dataclass(frozen=True)
class TablePlace:
    """Where tables are.

    Args:
        format: ``delta`` or ``iceberg``, as Spark's SQL has it.
        place: Of Delta the directory of the tables, or its address; of Iceberg their namespace, after its catalog.
    """

    format: str
    place: str

    def __str__(self) -> str:
        return f"{self.format}:{self.place}"

    @property
    def catalog(self) -> str:
        """The catalog of Spark's session that has the tables."""
        return "spark_catalog" if self.format == "delta" else self.place.partition(".")[0]

    @property
    def namespace(self) -> str | None:
        """The namespace in SQL; None for Delta, which finds its tables by their place."""
        return None if self.format == "delta" else _quote(*self.place.split("."))

    def name_table(self, table: str) -> str:
        """Return the name of a table in SQL."""
        if self.format == "delta":
            return f"delta.{_quote(f'{self.place}/{table}')}"
        return f"{self.namespace}.{_quote(table)}"


def parse_table_place(text: str) -> TablePlace:
    """Return where a text says that tables are.

    Raises:
        ConfigurationError: It names no format, or no place of it.
    """
    format, _, place = text.partition(":")
    if format == "delta" and place:
        parsed = parse_place(place)
        return TablePlace(format, str(parsed.absolute() if isinstance(parsed, Path) else parsed))
    if format == "iceberg" and _NAMESPACE.fullmatch(place):
        return TablePlace(format, place)
    raise ConfigurationError(
        f"--tables {text}: write delta:DIRECTORY, delta:s3a://BUCKET/DIRECTORY or iceberg:CATALOG.NAMESPACE"
    )


def _quote(*names: str) -> str:
    return ".".join(f"`{name.replace('`', '``')}`" for name in names)
