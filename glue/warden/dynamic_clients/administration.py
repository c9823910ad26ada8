"""Client configs described and altered by an administrator's program: ``warden serve`` decides and stores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from warden.base.errors import InputError, OpaUndefined, StoreError
from warden.dynamic_clients.service_request import build_login, check_address, post, strip_login
from warden.policy.contract.decision import Decision, Document
from warden.state.sources.kafka.login.error_codes import format_reason

__all__ = ["ClientConfigsAdmin"]

_MATCH: Final = {"exact": 0, "default": 1, "any": 2}  # Kafka's numbers
_TYPES: Final = {"user": "user", "clientId": "client-id"}
_FIELDS: Final = {kind: field for field, kind in _TYPES.items()}

_Answer = TypeVar("_Answer")


class ClientConfigsAdmin:
    """Stands where the Admin client's ``describeClientConfigs`` and ``alterClientConfigs`` would (KIP-649).

    Requests are those of the contract's ``DescribeClientConfigs`` and ``AlterClientConfigs``; whose token or
    certificate it is decides what is allowed.

    Args:
        url: The service's address.
        token: The caller's bearer token; None where the certificate says who asks.
        cluster: The cluster's name, where the service has several.
        timeout: Seconds that an answer may take.
        verify: A file of certificate authorities, or True for those that requests trusts.
        certificate: Files of the client's certificate and key.

    Raises:
        ConfigurationError: ``url``, ``token`` or ``certificate`` is wrong.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        cluster: str | None = None,
        timeout: float = 30.0,
        *,
        verify: bool | str = True,
        certificate: tuple[str, str] | None = None,
    ) -> None:
        self._url, self._timeout = check_address(url), timeout
        self._login = build_login(token, verify, certificate)
        self._query = {} if cluster is None else {"cluster": cluster}

    def describe(self, request: Document) -> Decision:
        """Describe entities.

        Args:
            request: ``components``, a list of ``{"entityType": "user", "matchType": "exact", "match": "alice"}``
                (``default``, ``any``; ``client-id``), and ``strict``, whether entities may have no other parts.

        Returns:
            The decision; its document has ``entries``, each with ``entity``, ``values`` and ``supportedConfigs``.

        Raises:
            ConfigurationError: The service refuses the address, the cluster's name or the login.
            StoreError: The service does not answer, or something else does.
            InputError: It is no such request.
        """
        with _check_shape("the request", '{"components": [{"entityType": "user", "matchType": "any"}]}'):
            components = [
                {**component, "matchType": _look_up(_MATCH, "matchType", component.get("matchType"))}
                for component in request["components"]
            ]
            body = {"components": components, "strict": request.get("strict", False)}
        return self._post("describe", body, _parse_description)

    def alter(self, requests: Sequence[Document], *, validate_only: bool = False) -> list[Decision]:
        """Alter entities, each as far as it is allowed.

        Args:
            requests: Each with an ``entity`` such as ``{"user": "alice", "clientId": "ledger"}`` (None is the default)
                and ``ops``: ``{"key": "acks", "value": "1"}``, or ``{"key": "acks", "remove": True}``.
            validate_only: Whether only to decide.

        Returns:
            The decision about each request.

        Raises:
            ConfigurationError: The service refuses the address, the cluster's name or the login.
            StoreError: The service does not answer, or something else does: whether something was stored shows when it
                is described.
            InputError: They are no such requests.
        """
        with _check_shape("the requests", '[{"entity": {"user": "alice"}, "ops": [{"key": "acks", "value": "1"}]}]'):
            entries = [
                {
                    "entity": [
                        {"entityType": _look_up(_TYPES, "entity", field), "entityName": name}
                        for field, name in request["entity"].items()
                    ],
                    "ops": request["ops"],
                }
                for request in requests
            ]

        def parse_decisions(answer: Document) -> list[Decision]:
            return [_build_decision(entry) for _, entry in zip(entries, answer["entries"], strict=True)]

        return self._post("alter", {"entries": entries, "validateOnly": validate_only}, parse_decisions)

    def _post(self, verb: str, body: Document, parse: Callable[[Any], _Answer]) -> _Answer:
        url = f"{self._url}/v1/client-configs/{verb}"
        _, document = post(url, body, params=self._query, timeout=self._timeout, **self._login)
        try:
            return parse(document)
        except (AttributeError, KeyError, TypeError, ValueError, OpaUndefined) as error:
            raise StoreError(
                f"{strip_login(url)} answered with JSON of something else: is it the service's address?"
            ) from error


def _parse_description(answer: Document) -> Decision:
    entries = [
        {
            "entity": {_FIELDS[part["entityType"]]: part["entityName"] for part in entry["entity"]},
            "values": {value["key"]: value["value"] for value in entry["values"]},
            "supportedConfigs": entry["supportedConfigs"],
        }
        for entry in answer["entries"] or ()
    ]
    return _build_decision(answer, entries=entries)


def _build_decision(answer: Document, **more: Any) -> Decision:
    code, message = answer["errorCode"], answer["errorMessage"] or ""
    error = {"code": code, "name": format_reason(code), "message": message} if code else None
    return Decision.from_document(
        {
            "allowed": error is None,
            "errors": [message] if error else [],
            "error": error,
            "violations": [],
            "warnings": [],
            **more,
        }
    )


@contextmanager
def _check_shape(what: str, example: str) -> Iterator[None]:
    try:
        yield
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"{what} cannot be read ({error!r}): write as in {example}") from error


def _look_up(table: Mapping[str, Any], field: str, word: Any) -> Any:
    if word not in table:
        raise InputError(f"invalid {field} {word!r}: expected one of {', '.join(table)}")
    return table[word]
