"""Pastes into the playground: their kinds, and how one travels in a link."""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import InputError
from warden.base.files.json_files import parse_json
from warden.policy.adapter.request_types import REQUEST_TYPES

__all__ = ["FORMS", "MAX_SETTINGS_BYTES", "MAX_TEXT_BYTES", "KafkaRequest", "Paste", "read_paste"]

MAX_TEXT_BYTES: Final = 64 * 1024
"""Bytes that may be pasted."""
MAX_SETTINGS_BYTES: Final = 16 * 1024
"""Bytes of settings that may be tried."""

FORMS: Final = {
    "auto": "find out by itself",
    "input": "a decision input",
    "file": "a file in YAML or JSON",
    "terraform": "a file in HCL (Terraform, OpenTofu)",
    "properties": "a file of properties",
    **{f"request:{api}": f"a Kafka request: {api}" for api in REQUEST_TYPES},
}
"""How a paste may be taken, each in words."""

_NAMES: Final = {"terraform": "paste.tf", "properties": "paste.properties"}
_NAME_BYTES: Final = 300


@dataclass(frozen=True, kw_only=True)
class Paste:
    """What was pasted.

    Args:
        text: It.
        form: What it is: a key of `FORMS`.
        cluster: The cluster that it is for, in place of what it says; empty for what it says.
        point: The enforcement point, in the same way.
        principal: Who requests it, such as ``User:alice``, in the same way.
        settings: YAML in the form that settings have, laid over those in force; empty for these.
        sample: Whether to see what these settings change on a sample of the snapshot.
    """

    text: str = ""
    form: str = "auto"
    cluster: str = ""
    point: str = ""
    principal: str = ""
    settings: str = ""
    sample: bool = False

    @classmethod
    def from_fields(cls, given: Mapping[str, Any]) -> Self:
        """Read the fields of a form or of a JSON object; one that is not there is empty.

        Raises:
            InputError: A field is unknown, or no string.
        """
        names = {field.name for field in fields(cls)}
        if unknown := sorted(given.keys() - names):
            raise InputError(describe_unknown("field", unknown[0][:80], sorted(names)))
        for name, value in given.items():
            if not isinstance(value, str) and not (name == "sample" and isinstance(value, bool)):
                raise InputError(f"{name}: not a string")
        sample = given.get("sample", False)
        texts = {name: str(value) for name, value in given.items() if name != "sample"}
        return cls(**texts, sample=sample if isinstance(sample, bool) else sample not in ("", "false"))

    @classmethod
    def from_link(cls, token: str) -> Self:
        """Read what `encode_link` returns.

        Raises:
            InputError: It is damaged, or holds more than may be pasted.
        """
        try:
            packed = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
            reader = zlib.decompressobj(-15)
            content = reader.decompress(packed, 2 * (MAX_TEXT_BYTES + MAX_SETTINGS_BYTES) * 6)
            document = json.loads(content) if not reader.unconsumed_tail else None
        except (binascii.Error, zlib.error, ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise InputError("the link is damaged: copy all of it")
        return cls.from_fields(document)

    def encode_link(self) -> str:
        """Return the paste as a text for a URL: its fields in JSON, without empty ones, deflated, in base64url."""
        document = {name: value for name, value in asdict(self).items() if value and (name, value) != ("form", "auto")}
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(json.dumps(document).encode()) + packer.flush()
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")

    def check(self) -> None:
        """Look whether it can be taken at all.

        Raises:
            InputError: It is empty, too large, no text, or of an unknown form.
        """
        limits = {"text": MAX_TEXT_BYTES, "settings": MAX_SETTINGS_BYTES}
        for name, value in asdict(self).items():
            if isinstance(value, str) and name != "form":
                try:
                    size = len(value.encode())
                except UnicodeEncodeError:
                    raise InputError(f"{name}: half a surrogate pair is not a character: write whole ones") from None
                if size > limits.get(name, _NAME_BYTES):
                    raise InputError(f"{name}: {size} bytes: write {limits.get(name, _NAME_BYTES)} at most")
        if self.form not in FORMS:
            raise InputError(describe_unknown("form", self.form[:80], FORMS))
        if not self.text.strip():
            raise InputError("nothing was pasted: paste a file, a Kafka request or a decision input")

    @property
    def file_name(self) -> str:
        """The name of the file that the paste stands for, by whose end it is read."""
        return _NAMES.get(self.form, "paste")


@dataclass(frozen=True)
class KafkaRequest:
    """A request of Kafka's protocol.

    Args:
        api: Its name, such as ``CreateTopics``.
        version: Its version; None where that is not known.
        request: The request as Kafka's JSON has it.
    """

    api: str
    version: int | None
    request: Any


def read_paste(paste: Paste) -> bytes | KafkaRequest | dict[str, Any]:
    """Return what a paste is: a file's content, a Kafka request or a decision input.

    Raises:
        InputError: It is not what it is said to be.
    """
    content, (form, _, api) = paste.text.encode(), paste.form.partition(":")
    if form == "auto":
        return _find_form(paste.text) or content
    if form == "request":
        document = _parse(paste.text, "a Kafka request")
        return _read_request(document) or KafkaRequest(api, None, document)
    if form == "input":
        document = _parse(paste.text, "a decision input")
        if not isinstance(document, dict):
            raise InputError("a decision input is a JSON object: write one")
        return document
    return content


def _find_form(text: str) -> KafkaRequest | dict[str, Any] | None:
    """What JSON is that is not a file: a decision input, or a request as Kafka's request log and Warden write it."""
    start = text.find("{")
    logged = start > 0 and '"requestHeader"' in text  # behind the time and the class of a log's line
    if start < 0 or not (logged or not text[:start].strip()):
        return None
    try:
        document = json.loads(text[start:])
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    if "operation" in document or "requestHeader" in document or {"api", "request"} <= document.keys():
        document = _parse(text[start:], "a decision input")
        return document if "operation" in document else _read_request(document)
    return None


def _parse(text: str, what: str) -> Any:
    return parse_json(text[text.find("{") :].encode() if "{" in text else text.encode(), "your paste", what)


def _read_request(document: Any) -> KafkaRequest | None:
    """A request with its header, as Kafka's request log has it, or with ``api`` and ``version``."""
    if not isinstance(document, dict) or "request" not in document:
        return None
    header = document.get("requestHeader")
    if isinstance(header, dict):
        name, version = str(header.get("requestApiKeyName", "")), header.get("requestApiVersion")
        api = "".join(word.capitalize() for word in name.split("_"))
    else:
        api, version = str(document.get("api", "")), document.get("version")
    if isinstance(version, bool) or not isinstance(version, int | None):
        raise InputError("version: not a whole number: write the version of the request, or leave it out")
    return KafkaRequest(api, version, document["request"])
