"""SCRAM credentials of users, as ``warden configs`` shows and alters them."""

import hashlib
import re
import secrets
from collections.abc import Sequence
from typing import Any, Final

import click

from warden.base.errors import ConfigurationError, KafkaError
from warden.commands.configs.arguments import Changes
from warden.commands.configs.connections import ConfigsAddress, OpenConnections, is_quota, open_connections
from warden.commands.configs.entities import EntityPart
from warden.commands.configs.show_change import show_change
from warden.commands.topics.options import ChangeOptions
from warden.policy.contract.names import SCRAM_MECHANISMS

__all__ = ["alter_credentials", "describe_credentials", "is_scram"]

_CREDENTIAL: Final = re.compile(r"(?:iterations=(-?[0-9]*),)?password=(.*)")
_HASHES: Final = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}


def is_scram(key: str) -> bool:
    """Return whether a key is the name of a SCRAM mechanism."""
    return key in _HASHES


def describe_credentials(place: OpenConnections, entity: Sequence[EntityPart]) -> dict[str, dict[str, int]]:
    """Return the iterations by mechanism of each user of a description, in the broker's order.

    As in kafka-configs.sh nobody has some where clients or the default user are described.

    Args:
        place: Where the cluster is.
        entity: What is described.

    Raises:
        KafkaError: The cluster does not tell.
    """
    (first, *others) = entity
    if first.option != "users" or others or (first.name is None and not first.any_name):
        return {}
    return _read(place, first.name)


def alter_credentials(options: ChangeOptions, part: EntityPart, changes: Changes, where: ConfigsAddress) -> int:
    """Set and remove a user's credentials, all or none, and print what became of it.

    Args:
        options: Those of the command.
        part: The user.
        changes: What to set and remove, by mechanism.
        where: Where client configs are, which are not concerned.

    Raises:
        click.UsageError: A change is none of credentials.
        WardenError: Nothing was decided, or Kafka refuses.
    """
    from warden.enforce.sdk.evaluate import evaluate_request
    from warden.policy.adapter import parse_request
    from warden.state.sources.kafka.change_requests import send_change

    _check_credentials(part, [key for key, _ in changes])
    user = part.name or ""
    request = {
        "deletions": [{"name": user, "mechanism": _find_code(key)} for key, value in changes if value is None],
        "upsertions": [_build_upsertion(user, key, value) for key, value in changes if value is not None],
    }
    with open_connections(options, where) as place:
        users = {
            name: {"scram": {key: {"iterations": n} for key, n in credentials.items()}}
            for name, credentials in _read(place).items()
        }
        parsed = parse_request("AlterUserScramCredentials", request)
        evaluated = evaluate_request(place.warden, parsed, state={**place.state, "users": users})
        if parsed.refusal is not None or evaluated.results.keys() != evaluated.decisions.keys():
            raise ConfigurationError("the credentials cannot be decided: name each mechanism once")
        decisions = list(evaluated.decisions.values())
        if not all(decisions) or options.validate_only:
            return show_change(options, [part], decisions, done=False)
        sent = send_change(place.connection, "AlterUserScramCredentials", request)
    if refused := [refusal for refusal in sent.values() if refusal is not None]:
        raise KafkaError(f"allowed by the policy, and refused by Kafka: {'; '.join(refused)}")
    return show_change(options, [part], decisions, done=True)


def _check_credentials(part: EntityPart, keys: Sequence[str]) -> None:
    if part.name is None:
        raise click.UsageError(
            "The use of --entity-default or --user-defaults is not allowed with User SCRAM Credentials using "
            "--bootstrap-server."
        )
    if any(map(is_quota, keys)):
        raise click.UsageError(
            "Cannot alter both quota and SCRAM credential configs simultaneously for 'users' using --bootstrap-server."
        )
    if others := [key for key in keys if not is_scram(key)]:
        raise click.UsageError(
            "Client configs and SCRAM credentials are altered by a command each. "
            f"Unexpected config names: {','.join(others)}"
        )


def _build_upsertion(user: str, mechanism: str, text: str) -> dict[str, Any]:
    """A credential to set: the password does not leave this process."""
    from warden.policy.bundle.catalog import read_catalog

    match = _CREDENTIAL.fullmatch(text)
    if match is None:
        raise click.UsageError(f"Invalid credential property {mechanism}: write [iterations=NUMBER,password=PASSWORD]")
    number = match[1]
    fewest = read_catalog("scram")["iterations"][mechanism]["min"]  # which kafka-configs.sh sets where none are named
    iterations = fewest if number in (None, "-1") else int(number) if number.strip("-") else 0
    if iterations < fewest:
        raise click.UsageError(f"Iterations {iterations} is less than the minimum {fewest} required for {mechanism}")
    salt = secrets.token_bytes(32)
    return {
        "name": user,
        "mechanism": _find_code(mechanism),
        "iterations": iterations,
        "salt": salt,
        "saltedPassword": hashlib.pbkdf2_hmac(_HASHES[mechanism], match[2].encode(), salt, iterations),
    }


def _find_code(mechanism: str) -> int:
    return SCRAM_MECHANISMS.index(mechanism)


def _read(place: OpenConnections, user: str | None = None) -> dict[str, dict[str, int]]:
    """Iterations by mechanism of each user who has credentials, or of one."""
    from warden.state.sources.kafka.read.users import read_scram_iterations

    return read_scram_iterations(place.connection, user)
