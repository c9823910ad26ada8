"""Key sets of issuers (JWKS, RFC 7517) that settings name by their files, read into the settings."""

from pathlib import Path
from typing import Any

from warden.base.errors import InputError, SettingsError
from warden.base.files.json_files import read_json

__all__ = ["insert_key_sets"]


def insert_key_sets(settings: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return settings in which each issuer's ``jwksFile`` is replaced by the content of the file, as ``jwks``.

    So the keys are in the signed bundle, and tokens are verified without any server. An issuer that names its keys in
    two ways stays as it is, for the check of settings to complain.

    Args:
        settings: The settings of one file.
        path: That file; a ``jwksFile`` is relative to its directory.

    Raises:
        SettingsError: A key set cannot be read, or is not JSON.
    """
    issuers = settings.get("issuers")
    if not isinstance(issuers, dict):
        return settings
    return {**settings, "issuers": {name: _with_keys(name, issuer, path) for name, issuer in issuers.items()}}


def _with_keys(name: str, issuer: Any, path: Path) -> Any:
    if not isinstance(issuer, dict) or not isinstance(issuer.get("jwksFile"), str) or {"jwks", "jwksUrl"} & set(issuer):
        return issuer
    file = path.parent / issuer["jwksFile"]
    try:
        keys = read_json(file, "a key set (JWKS)")
    except InputError as error:
        raise SettingsError(f"{path}: issuers.{name}.jwksFile: {error}") from error
    return {**{key: value for key, value in issuer.items() if key != "jwksFile"}, "jwks": keys}
