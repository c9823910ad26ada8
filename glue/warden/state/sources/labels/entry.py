"""The configuration file's ``owners``: where labels of topics come from."""

import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import Field, PlainValidator, model_validator

from warden.base.files.config_errors import Expected
from warden.base.files.config_model import ConfigModel, DirectoryPath, Text, build_validation_error, require_one
from warden.state.sources.labels import ClusterLabels, LabelReader
from warden.state.sources.labels.compacted import CompactedTopic
from warden.state.sources.labels.directory import LabelDirectory
from warden.state.sources.labels.naming import NamingRule

__all__ = ["LabelEntry", "LabelSource"]

_EXAMPLE = r"(?P<owner>[a-z]+)\..*"
_NOT_OF_OPA = re.compile(r"\(\?(?:[=!>#(]|<[=!]|P=)|\\[1-9Z]")
"""What Python's expressions have and RE2, with which OPA reads names of new topics, has not."""


def _parse_pattern(value: Any) -> re.Pattern[str]:
    if not isinstance(value, str):
        raise build_validation_error(f"this is not a regular expression: write one such as {_EXAMPLE}")
    try:
        pattern = re.compile(value)
    except re.error as error:
        raise build_validation_error(
            f"{value!r} is not a regular expression ({error}): write one such as {_EXAMPLE}"
        ) from None
    if match := _NOT_OF_OPA.search(value):
        raise build_validation_error(f"{value!r}: OPA (RE2) has no {match[0]}: write one such as {_EXAMPLE}")
    if not pattern.groupindex:
        raise build_validation_error(f"{value!r} has no named group: each makes a label, as in {_EXAMPLE}")
    return pattern


class LabelSource(ConfigModel):
    """One place that labels come from.

    Args:
        pattern: A regular expression for whole names of topics, or
        directory: a directory of YAML files, or
        topic: a compacted topic.
    """

    pattern: Annotated[re.Pattern[str], PlainValidator(_parse_pattern)] | None = None
    directory: DirectoryPath | None = None
    topic: Annotated[str, Field(pattern=r"^[a-zA-Z0-9._-]{1,249}\Z"), Expected("a topic's name")] | None = None

    @model_validator(mode="before")
    @classmethod
    def _check_one(cls, value: Any) -> Any:
        return require_one(cls, value, "pattern", "directory", "topic")

    def build_reader(self, consumer: Callable[[], Any]) -> LabelReader:
        """Return what reads the labels.

        Args:
            consumer: Makes a consumer of the cluster that the labels are for.
        """
        if self.pattern is not None:
            return NamingRule(self.pattern)
        if self.directory is not None:
            return LabelDirectory(self.directory)
        return CompactedTopic(self.topic or "", consumer)


class LabelEntry(ConfigModel):
    """All places that labels come from.

    Args:
        owner: The label that names a topic's owner.
        principal: The label that names who made a topic; None where none does.
        sources: In order: of what several say about a label, the later wins.
    """

    owner: Text = "owner"
    principal: str | None = None
    sources: Annotated[
        tuple[LabelSource, ...],
        Field(alias="from", min_length=1),
        Expected("a list of {pattern: …}, {directory: …} or {topic: …}"),
    ]

    def build_labelling(self, consumer: Callable[[], Any]) -> ClusterLabels:
        """Return what reads the labels; arguments as of `LabelSource.build_reader`."""
        return ClusterLabels(
            [source.build_reader(consumer) for source in self.sources],
            owner=self.owner,
            principal=self.principal or None,
        )
