"""``warden configs --alter`` of users, clients and addresses: quotas by the broker, client configs in the store."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from warden.base.errors import ConfigurationError, KafkaError, WardenError
from warden.commands.configs.connections import ConfigsAddress, OpenConnections, is_quota, open_connections
from warden.commands.configs.entities import EntityPart, build_contract_entity, build_kafka_entity
from warden.commands.configs.read_entities import DescribeDenied, read_descriptions
from warden.commands.configs.show_change import show_change
from warden.commands.topics.options import ChangeOptions
from warden.policy.contract.decision import Decision

__all__ = ["alter"]


def alter(
    options: ChangeOptions, entity: Sequence[EntityPart], changes: Mapping[str, str | None], where: ConfigsAddress
) -> int:
    """Carry a change out, as a whole or not at all, and print what became of it.

    Args:
        options: Those of the command.
        entity: What is altered.
        changes: Values by key; None removes.
        where: Where client configs are.

    Raises:
        WardenError: Nothing was decided, or Kafka or the store refuse; the message says what was done until then.
    """
    quotas = {key: _parse_number(key, value) for key, value in changes.items() if is_quota(key)}
    configs = {key: value for key, value in changes.items() if not is_quota(key)}
    _check_quotas_alone(entity, configs)
    with open_connections(options, where) as place:
        request = {
            "entity": build_contract_entity(entity),
            "ops": [_build_op(key, value) for key, value in configs.items()],
        }
        decisions = _decide_quotas(place, entity, quotas) if quotas else []
        if configs:
            decisions += place.configs.alter([request], validate_only=True)
        if not all(decisions):
            return show_change(options, entity, decisions, done=False)
        if quotas:
            _send(place, entity, quotas, validate_only=True)
        removed = [key for key, value in changes.items() if value is None]
        if removed:
            _check_there(place, entity, removed)
        if options.validate_only:
            return show_change(options, entity, decisions, done=False)
        if configs:
            stored = place.configs.alter([request])
            if not all(stored):
                return show_change(options, entity, stored, done=False)
        if quotas:
            try:
                _send(place, entity, quotas)
            except WardenError as error:
                stored_text = "the client configs are stored, " if configs else ""
                raise KafkaError(f"{stored_text}the quotas are not: {error}") from error
    return show_change(options, entity, decisions, done=True)


def _parse_number(key: str, value: str | None) -> float | None:
    try:
        number = None if value is None else float(value.replace("_", " "))  # Python's own digit separator
    except ValueError:
        number = math.nan
    if number is not None and not math.isfinite(number):
        raise ConfigurationError(f"Cannot parse quota configuration value for {key}: {value}")
    return number


def _check_quotas_alone(entity: Sequence[EntityPart], others: Mapping[str, str | None]) -> None:
    if others and entity[0].option == "ips":
        raise ConfigurationError(
            "Only connection quota configs can be added for 'ips' using --bootstrap-server. "
            f"Unexpected config names: {', '.join(others)}"
        )


def _build_op(key: str, value: str | None) -> dict[str, Any]:
    return {"key": key, "remove": True} if value is None else {"key": key, "value": value}


def _build_request(
    entity: Sequence[EntityPart], quotas: Mapping[str, float | None], *, validate_only: bool
) -> dict[str, Any]:
    ops = [{"key": key, "value": value or 0.0, "remove": value is None} for key, value in quotas.items()]
    return {"entries": [{"entity": build_kafka_entity(entity), "ops": ops}], "validateOnly": validate_only}


def _decide_quotas(
    place: OpenConnections, entity: Sequence[EntityPart], quotas: Mapping[str, float | None]
) -> list[Decision]:
    from warden.enforce.sdk.evaluate import evaluate_request
    from warden.policy.adapter import parse_request

    parsed = parse_request("AlterClientQuotas", _build_request(entity, quotas, validate_only=False))
    evaluated = evaluate_request(place.warden, parsed, state=place.state)
    if parsed.refusal is not None or evaluated.results.keys() != evaluated.decisions.keys():
        raise ConfigurationError(f"the quotas cannot be decided: {', '.join(quotas)}: check their values")
    return list(evaluated.decisions.values())


def _send(
    place: OpenConnections,
    entity: Sequence[EntityPart],
    quotas: Mapping[str, float | None],
    validate_only: bool = False,
) -> None:
    from warden.state.sources.kafka.change_requests import send_change

    refusals = send_change(
        place.connection, "AlterClientQuotas", _build_request(entity, quotas, validate_only=validate_only)
    )
    refused = [refusal for refusal in refusals.values() if refusal is not None]
    if refused:
        raise KafkaError(f"allowed by the policy, and refused by Kafka: {'; '.join(refused)}")


def _check_there(place: OpenConnections, entity: Sequence[EntityPart], removed: Sequence[str]) -> None:
    """As kafka-configs.sh: what is to be removed has to be there."""
    try:
        descriptions = read_descriptions(
            place, entity, quotas=any(map(is_quota, removed)), configs=not all(map(is_quota, removed))
        )
    except DescribeDenied as denied:
        raise ConfigurationError(f"whether {', '.join(removed)} can be removed may not be seen: {denied}") from None
    there = {key for description in descriptions for key in (*(description.quotas or ()), *description.configs)}
    absent = [key for key in removed if key not in there]
    if absent:
        raise ConfigurationError(f"Invalid config(s): {','.join(absent)}")
