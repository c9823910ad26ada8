"""Secrets that a configuration file names and never holds."""

import os
from dataclasses import dataclass
from pathlib import Path

from warden.base.errors import ConfigurationError

__all__ = ["Secret"]


@dataclass(frozen=True)
class Secret:
    """A reference to a secret; its text is read each time anew, so that it may be rotated.

    Args:
        origin: Where the configuration names it, for messages.
        env: Name of an environment variable, or
        file: a file, whose line end does not count.
    """

    origin: str
    env: str | None = None
    file: Path | None = None

    def read(self) -> str:
        """Return the secret's text.

        Raises:
            ConfigurationError: The variable is not set, or the file cannot be read or is empty.
        """
        if self.file is None:
            value = os.environ.get(self.env or "")
            if not value:
                raise ConfigurationError(f"{self.origin}: the environment variable {self.env} is not set: set it")
            return value
        try:
            text = self.file.read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise ConfigurationError(
                f"{self.origin}: {self.file} cannot be read ({why}): name a text file that this process may read"
            ) from error
        if not text:
            raise ConfigurationError(f"{self.origin}: {self.file} is empty: write the secret into it")
        return text
