"""Keys of the configuration file that the entries of every kind of source have."""

from typing import Annotated

from pydantic import Field

from warden.base.files.config_model import ConfigModel

__all__ = ["Seconds", "SourceEntry"]

Seconds = Annotated[float, Field(ge=0.1)]
"""A time that is not too short to wait for."""


class SourceEntry(ConfigModel):
    """One source in the configuration file.

    Args:
        interval: Seconds from one poll of the source to the next.
    """

    interval: Seconds = 1.0
