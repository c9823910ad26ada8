"""Quota keys, and the bounds of SCRAM iterations, read from Kafka's jars.

Sources, in the jars: ``QuotaConfig.userAndClientQuotaConfigs`` and ``ipConfigs``, ``ScramMechanism``.
"""

import math
from typing import Any

__all__ = ["read_quotas", "read_scram"]

_LARGEST = {"SHORT": 2**15 - 1, "INT": 2**31 - 1, "LONG": 2**63 - 1}


def read_quotas(jvm: Any) -> dict[str, Any]:
    """Return the keys of each sort of entity: ``client`` for users and client ids, ``ip`` for addresses.

    Kafka compares doubles: ``max`` is the largest number that is the same double as the largest of the key's type.
    """
    quotas = jvm.org.apache.kafka.server.config.QuotaConfig
    return {"keys": {"client": _read_keys(quotas.userAndClientQuotaConfigs()), "ip": _read_keys(quotas.ipConfigs())}}


def read_scram(jvm: Any) -> dict[str, Any]:
    """Return the least and the greatest number of iterations by the mechanism's name."""
    mechanisms = jvm.org.apache.kafka.common.security.scram.internals.ScramMechanism.values()
    limits = {
        str(mechanism.mechanismName()): {"min": int(mechanism.minIterations()), "max": int(mechanism.maxIterations())}
        for mechanism in mechanisms
    }
    return {"iterations": limits}


def _read_keys(definition: Any) -> dict[str, Any]:
    keys = definition.configKeys()
    return {str(name): _build_row(str(keys[name].type.name())) for name in keys}


def _build_row(type_: str) -> dict[str, Any]:
    return {
        "type": type_.lower(),
        **({"max": _find_largest_with_same_double(_LARGEST[type_])} if type_ in _LARGEST else {}),
    }


def _find_largest_with_same_double(number: int) -> int:
    """The largest number that rounds to the same double."""
    double = int(float(number))
    return double if double == number else double + int(math.ulp(double)) // 2
