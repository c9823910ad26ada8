"""Receivers of messages about runs, from a YAML file."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import (
    ConfigModel,
    ConfigPath,
    SecretReference,
    Text,
    build_validation_error,
    read_model,
)
from warden.policy.contract.severities import SEVERITIES, Severity

__all__ = ["Channel", "NotifyConfig", "read_notify_config"]


class Channel(ConfigModel):
    """One address that gets messages.

    Args:
        name: Its name in output and in the file of what was sent.
        format: How a message is written: ``slack`` (incoming webhooks), ``teams`` (Workflows) or ``json``.
        url: Where messages are posted to; whoever knows it may post there, so it is a secret.
        token: A bearer token that is sent along.
        about: Which messages are sent there.
        owners: Owners whose messages are sent there; None for all, with what has no owner.
        severity: The least severity of findings that are worth a message.
    """

    name: Text
    format: Annotated[Literal["slack", "teams", "json"], Expected("slack, teams or json")]
    url: SecretReference
    token: SecretReference | None = None
    about: Annotated[
        tuple[Annotated[Literal["findings", "waivers"], Expected("findings or waivers")], ...],
        Field(min_length=1),
        Expected("a list of findings and waivers"),
    ] = ("findings", "waivers")
    owners: Annotated[tuple[Text, ...], Field(min_length=1), Expected("a list of owners")] | None = None
    severity: Annotated[Severity, Expected(f"one of {', '.join(SEVERITIES)}")] = "low"

    @model_validator(mode="after")
    def _check_distinct(self, info: ValidationInfo) -> "Channel":
        if info.context and info.context.claims.setdefault(("channel", self.name), self) is not self:
            raise build_validation_error(f"channel {self.name} is named twice: give each its own name")
        return self


class NotifyConfig(ConfigModel):
    """A whole configuration file.

    Args:
        channels: Who gets messages.
        waiver_days: A waiver that ends within so many days is worth a message.
        link: Address of a run's report for messages; ``{run}`` stands for the run's id. None for no link.
        sent: File that has what was sent on which day, so that nobody gets it twice.
    """

    channels: Annotated[tuple[Channel, ...], Field(min_length=1), Expected("a list of channels")]
    waiver_days: Annotated[int, Field(ge=1), Expected("a number of days")] = 14
    link: Text | None = None
    sent: ConfigPath


def read_notify_config(path: Path) -> NotifyConfig:
    """Read a configuration file.

    Raises:
        ConfigurationError: One line for each mistake.
    """
    return read_model(path, NotifyConfig, "YAML file with channels for messages")
