"""The options of Java's ``Krb5LoginModule`` in ``sasl.jaas.config``: which are obeyed, and which go together."""

from collections.abc import Mapping
from typing import Final

from warden.base.did_you_mean import describe_unknown
from warden.base.errors import ConfigurationError
from warden.state.sources.kafka.login.jaas import LoginModule

__all__ = ["MODULE", "check_krb5_options", "is_true", "list_idle_krb5_options"]

MODULE: Final = "Krb5LoginModule"

_OBEYED: Final = (
    "doNotPrompt",  # nothing here ever does
    "isInitiator",
    "keyTab",
    "principal",
    "serviceName",
    "storeKey",  # of a keytab: a client has no use for it, and most examples have it
    "ticketCache",
    "useKeyTab",
    "useTicketCache",
)
_IDLE: Final = (
    "clearPass",
    "debug",
    "refreshKrb5Config",
    "renewTGT",
    "storePass",
    "tryFirstPass",
    "useFirstPass",
)
_NEEDS: Final = {"keyTab": "useKeyTab", "renewTGT": "useTicketCache", "ticketCache": "useTicketCache"}


def is_true(options: Mapping[str, str], name: str) -> bool:
    """Return whether an option is true, as Java's module reads it: everything but ``true`` is false."""
    return options.get(name, "").lower() == "true"


def check_krb5_options(module: LoginModule) -> None:
    """Check that the options say where a client's tickets come from.

    Args:
        module: The login module with its options.

    Raises:
        ConfigurationError: It is another module; or an option is missing, wrong or not known.
    """
    options = module.options
    if module.name != MODULE:
        raise _build_error(f"has {module.name}: GSSAPI needs {MODULE}")
    for name in options:
        if name not in (*_OBEYED, *_IDLE):
            raise _build_error(f"has an {describe_unknown('option', name, (*_OBEYED, *_IDLE))}")
    for name, needed in _NEEDS.items():
        is_set = is_true(options, name) if name == "renewTGT" else name in options
        if is_set and not is_true(options, needed):
            raise _build_error(f"has {name}: it needs {needed}=true")
    if "isInitiator" in options and not is_true(options, "isInitiator"):
        raise _build_error("has isInitiator=false, as of a server: leave it out")
    _check_sources(options)


def _check_sources(options: Mapping[str, str]) -> None:
    if is_true(options, "useKeyTab"):
        for name, example in (("keyTab", "/etc/warden/warden.keytab"), ("principal", "warden@EXAMPLE.COM")):
            if not options.get(name):
                raise _build_error(f'has useKeyTab and no {name}: write {name}="{example}"')
    elif not is_true(options, "useTicketCache"):
        raise _build_error("says not where tickets come from: write useKeyTab=true with keyTab, or useTicketCache=true")


def list_idle_krb5_options(module: LoginModule) -> list[str]:
    """Return the options that are true and have no effect here, in order."""
    return [name for name in _IDLE if module.name == MODULE and is_true(module.options, name)]


def _build_error(problem: str) -> ConfigurationError:
    return ConfigurationError(f"sasl.jaas.config {problem}")
