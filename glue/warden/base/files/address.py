"""Addresses of files that are not on this machine's file systems: ``s3a://bucket/runs``, ``hdfs://name/runs``."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from warden.base.errors import WardenError

__all__ = ["Address", "Place", "parse_place", "show_original_addresses"]

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, order=True)
class Address:
    """An address that Hadoop's file systems know; its parts are joined as those of a `pathlib.Path`.

    Args:
        text: Scheme, authority and path, without a slash at the end.
    """

    text: str

    def __truediv__(self, name: str) -> "Address":
        return Address(f"{self.text}/{name}")

    def __str__(self) -> str:
        return self.text

    @property
    def name(self) -> str:
        """The last part."""
        return self.text.rpartition("/")[2]

    @property
    def parent(self) -> "Address":
        """What it is in; an authority alone is in itself."""
        above = self.text.rpartition("/")[0]
        return self if above.endswith(":/") else Address(above)

    @property
    def scheme(self) -> str:
        """What stands before ``://``."""
        return self.text.partition("://")[0]


Place = Path | Address
"""A path of this machine, or an address."""


def parse_place(text: str) -> Place:
    """Return what a text says: an address where it has a scheme (``scheme://…``), else a path."""
    if not _ADDRESS.match(text):
        return Path(text)
    scheme, _, rest = text.partition("://")
    return Address(f"{scheme}://{rest.rstrip('/')}")


@contextmanager
def show_original_addresses(copies: Mapping[Path, Address | str]) -> Iterator[None]:
    """Have errors about files that were copied to this machine name what they come from.

    Args:
        copies: Copy, or directory of copies → the address of what is in it, or its name.
    """
    try:
        yield
    except WardenError as error:
        text = str(error)
        for copy, address in copies.items():
            text = text.replace(str(copy), str(address))
        error.args = (text, *error.args[1:])
        raise
