"""Properties of Kafka's clients in a configuration file: texts, or references to secrets."""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import PlainValidator, ValidationError, ValidationInfo
from pydantic_core import InitErrorDetails, PydanticCustomError

from warden.base.files.config_model import build_validation_error, parse_secret_reference
from warden.base.files.secret import Secret
from warden.state.sources.kafka.login.login_properties import SECRET_PROPERTIES

__all__ = ["ClientProperties"]


def _read_properties(value: Any, info: ValidationInfo) -> dict[str, str | Secret]:
    if not isinstance(value, Mapping):
        raise build_validation_error("this is not a mapping: write names of properties with values")
    properties: dict[str, str | Secret] = {}
    errors: list[InitErrorDetails] = []
    for name, text in value.items():
        try:
            properties[name] = _read_property(name, text, info)
        except PydanticCustomError as error:
            errors.append({"type": error, "loc": (name,), "input": None})
    if errors:
        raise ValidationError.from_exception_data("properties", errors)
    return properties


def _read_property(name: str, value: Any, info: ValidationInfo) -> str | Secret:
    if name in SECRET_PROPERTIES or isinstance(value, (Mapping, Secret)):
        return parse_secret_reference(value, info)
    if not isinstance(value, (str, int, float)):
        raise build_validation_error("this is not a string: write one, or {env: NAME} or {file: PATH}")
    return str(value).lower() if isinstance(value, bool) else str(value)


ClientProperties = Annotated[Mapping[str, str | Secret], PlainValidator(_read_properties)]
"""Properties by name; what is secret has to be a reference."""
