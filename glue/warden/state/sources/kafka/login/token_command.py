"""``warden.token.command``: a program that prints a token, for identity providers that nothing else here knows.

What it prints is OAuth's answer (RFC 6749, 5.1) or the token alone.
"""

import base64
import binascii
import json
import shlex
import subprocess
import time
from collections.abc import Callable
from typing import Any, Final

from warden.base.errors import ConfigurationError, KafkaError

__all__ = ["TOKEN_COMMAND", "build_command_source"]

TOKEN_COMMAND: Final = "warden.token.command"  # noqa: S105 - a property's name
"""The property; Kafka's own tools pass it over, so one file serves both."""


def build_command_source(line: str, timeout: float) -> Callable[[], tuple[str, float]]:
    """Return what runs a program for each token; the second of what it gives is for how many seconds the token is good.

    A token is good for ``expires_in``, else until the ``exp`` of the JSON Web Token that it is; where there is neither,
    the program runs for each connection.

    Args:
        line: The program and its arguments, with a shell's quotes; no shell runs it.
        timeout: Seconds that it may take.

    Raises:
        ConfigurationError: There is no program in it.
    """
    try:
        arguments = shlex.split(line)
    except ValueError as error:
        raise ConfigurationError(f"{TOKEN_COMMAND} cannot be read ({error}): quote as in a shell") from error
    if not arguments:
        raise ConfigurationError(f"{TOKEN_COMMAND} is empty: write the program that prints a token")
    program = arguments[0]  # all that is said of it: its arguments may hold a secret

    def get() -> tuple[str, float]:
        try:
            done = subprocess.run(
                arguments, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False
            )
        except OSError as error:
            raise ConfigurationError(f"{TOKEN_COMMAND}: {program} cannot be run ({error.strerror})") from error
        except subprocess.TimeoutExpired:
            raise KafkaError(
                f"{TOKEN_COMMAND}: {program} did not end within {timeout:g} s: give it longer with "
                "sasl.login.read.timeout.ms"
            ) from None
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().splitlines()
            raise KafkaError(
                f"{TOKEN_COMMAND}: {program} ended with {done.returncode}: {said[-1] if said else 'it said nothing'}"
            )
        return _parse_token(done.stdout.decode(errors="replace").strip(), program)

    return get


def _parse_token(printed: str, program: str) -> tuple[str, float]:
    document = _parse_object(printed)
    token = printed if document is None else document.get("access_token")
    if not isinstance(token, str) or not token or not token.isascii() or any(map(str.isspace, token)):
        raise KafkaError(
            f"{TOKEN_COMMAND}: {program} prints no token: let it print one alone, or JSON with access_token and "
            "expires_in"
        )
    life = (document or {}).get("expires_in")
    return token, float(life) if isinstance(life, int | float) else _compute_lifetime(token)


def _compute_lifetime(token: str) -> float:
    """Seconds until a JSON Web Token ends; 0 for any other."""
    parts = token.split(".")
    try:
        claims = _parse_object(base64.urlsafe_b64decode(parts[1] + "==").decode()) if len(parts) == 3 else None
    except (binascii.Error, UnicodeDecodeError):
        claims = None
    ends = (claims or {}).get("exp")
    return max(0.0, ends - time.time()) if isinstance(ends, int | float) else 0.0


def _parse_object(text: str) -> dict[str, Any] | None:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None
