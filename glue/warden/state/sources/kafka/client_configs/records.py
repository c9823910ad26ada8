"""The records of a compacted topic of client configs: one for each entity, the last one of a key counts."""

import json
from typing import Any

from warden.base.errors import InputError, StoreError
from warden.base.files.json_files import parse_json

__all__ = ["EntityKey", "decode_key", "decode_value", "encode_key", "encode_value"]

EntityKey = tuple[str, str]
"""An entity as the contract's ``clientConfigs`` has it: user, and client-id or "" for none."""


def encode_key(key: EntityKey) -> bytes:
    """Return a record's key: ``["alice","ledger"]``."""
    return json.dumps(key, ensure_ascii=False, separators=(",", ":")).encode()


def decode_key(content: bytes | None) -> EntityKey:
    """Return the entity of a record's key.

    Raises:
        StoreError: It is none: somebody else writes to this topic.
    """
    match _parse(content):
        case [str(user), str(client)]:
            return user, client
    raise StoreError(f"the key {content!r} is not that of a client config: does somebody else write to this topic?")


def encode_value(configs: Any) -> bytes | None:
    """Return a record's value, None (a tombstone) where nothing is stored of the entity any more."""
    return json.dumps(configs, ensure_ascii=False).encode() if configs else None


def decode_value(content: bytes | None) -> dict[str, Any]:
    """Return the configs of a record's value, {} for a tombstone.

    Raises:
        StoreError: It is none.
    """
    if content is None:
        return {}
    configs = _parse(content)
    if isinstance(configs, dict):
        return configs
    raise StoreError(f"the value {content[:80]!r} is not a JSON object: does somebody else write to this topic?")


def _parse(content: bytes | None) -> Any:
    try:
        return parse_json(content or b"", "the record", "a client config")
    except InputError:
        return None
