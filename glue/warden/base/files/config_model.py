"""Models of configuration files on pydantic, and their errors: all at once, each with its file, line and location."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, ValidationError, ValidationInfo, model_validator
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from warden.base.errors import ConfigurationError
from warden.base.files.config_errors import Expected, describe_errors
from warden.base.files.secret import Secret
from warden.base.files.yaml_files import find_line, read_yaml

__all__ = [
    "ConfigModel",
    "ConfigPath",
    "DirectoryPath",
    "ReadingContext",
    "SecretReference",
    "Text",
    "build_validation_error",
    "parse_secret_reference",
    "read_model",
    "require_one",
]

_SECRET_REFERENCE = "a secret is never in this file: write {env: NAME} or {file: PATH}"  # noqa: S105 - a message


class ConfigModel(BaseModel):
    """A mapping of a configuration file. Keys are in camelCase there, and fields in snake_case here.

    Values are not converted: ``1`` is not a string and ``"1"`` not a number. Keys without a field are errors.
    """

    model_config = ConfigDict(
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        extra="forbid",
        frozen=True,
        strict=True,
        regex_engine="python-re",
    )

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, value: Any) -> Any:
        """Take a key without a value for one that is not there."""
        if not isinstance(value, Mapping):
            return value
        fields = {field.alias for field in cls.model_fields.values()}
        return {key: inner for key, inner in value.items() if inner is not None or key not in fields}


Model = TypeVar("Model", bound=ConfigModel)


@dataclass(frozen=True)
class ReadingContext:
    """The context of validators while a file is read.

    Args:
        path: The file; paths in it are relative to its directory.
        claims: Names or locations that only one entry of the file may have, with the entry that has it.
    """

    path: Path
    claims: dict[tuple[str, ...], ConfigModel] = field(default_factory=dict)


def read_model(path: Path, model: type[Model], what: str) -> Model:
    """Read a YAML file as a model.

    Args:
        path: The file.
        model: The model of the whole file.
        what: What the file should be, for messages: ``YAML file with clusters``.

    Raises:
        ConfigurationError: It cannot be read, or one line for each mistake: file, line, location, what to write.
    """
    document = read_yaml(path, ConfigurationError, what)
    try:
        return model.model_validate(
            _attach_locations(document.value, ()), by_alias=True, by_name=False, context=ReadingContext(path)
        )
    except ValidationError as error:
        mistakes = {(find_line(document.node, location), text) for location, text in describe_errors(model, error)}
    raise ConfigurationError("\n".join(f"{path}:{line}: {text}" for line, text in sorted(mistakes)))


def build_validation_error(message: str) -> PydanticCustomError:
    """Return the error that a validator raises: what is wrong, and what to write instead."""
    return PydanticCustomError("invalid", "{message}", {"message": message})


def require_one(model: type[ConfigModel], value: Any, *keys: str) -> Any:
    """Return a mapping as it is, unless it has several of some keys, or none.

    Unknown keys may be such a key misspelt: then it is left to the model to say so.

    Raises:
        PydanticCustomError: As of `build_validation_error`.
    """
    if isinstance(value, Mapping):
        model_keys = {field.alias or name for name, field in model.model_fields.items()}
        count = sum(key in value for key in keys)
        if count > 1 or (not count and value.keys() <= model_keys):
            raise build_validation_error(f"write exactly one of {', '.join(keys[:-1])} and {keys[-1]}")
    return value


class _Located(dict[str, Any]):
    """A mapping that knows where it is in its file."""

    def __init__(self, content: Mapping[str, Any], location: tuple[str, ...]) -> None:
        super().__init__(content)
        self.location = location


def _attach_locations(value: Any, location: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return _Located({key: _attach_locations(inner, (*location, key)) for key, inner in value.items()}, location)
    if isinstance(value, list):
        return tuple(_attach_locations(inner, (*location, str(position))) for position, inner in enumerate(value))
    return value


def parse_secret_reference(value: Any, info: ValidationInfo) -> Secret:
    """Validate a reference to a secret. The value is not shown: somebody may have written the secret itself."""
    if isinstance(value, Secret):
        return value
    if isinstance(value, _Located) and len(value) == 1:
        ((kind, name),) = value.items()
        if kind in ("env", "file") and isinstance(name, str) and name:
            file = _resolve_path(name, info) if kind == "file" else None
            origin = f"{info.context.path}: {'.'.join(value.location)}" if info.context else info.field_name or ""
            return Secret(origin, None if file else name, file)
    raise build_validation_error(_SECRET_REFERENCE)


def _resolve_path(value: Any, info: ValidationInfo) -> Path:
    if isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value:
        raise build_validation_error("this is not a path: write one, relative to this file")
    return Path(info.context.path.parent / value) if info.context else Path(value)


def _resolve_directory(value: Any, info: ValidationInfo) -> Path:
    path = _resolve_path(value, info)
    if not path.is_dir():
        raise build_validation_error(f"{path} is not a directory: write the path of one, relative to this file")
    return path


Text = Annotated[str, Field(min_length=1), Expected("a string")]
"""A text that is not empty."""
SecretReference = Annotated[Secret, PlainValidator(parse_secret_reference)]
"""``{env: NAME}`` or ``{file: PATH}``."""
ConfigPath = Annotated[Path, PlainValidator(_resolve_path), Expected("a path, relative to this file")]
"""A path, relative to the configuration file."""
DirectoryPath = Annotated[
    Path, PlainValidator(_resolve_directory), Expected("the path of a directory, relative to this file")
]
"""The path of a directory that is there, relative to the configuration file."""
