"""Names whose value Warden itself never shows nor passes on. OPA's log hides more (`policies/system/log/patterns`).

Narrower than there, by the end of a name: ``delegation.token.max.lifetime.ms`` is a number that rules are about.
"""

import re
from typing import Final

__all__ = ["STARS", "is_secret_name"]

STARS: Final = "***"
"""What stands in reports for a secret, as in OPA's log."""

_ENDS: Final = re.compile(
    r"(passw(or)?d|passphrase|secret|credentials?|token|jaas\.config|user\.info|(api|access|account|private)[._-]?key"
    r"|(keystore|truststore|secret|master|stored|server)[._-]?key|authorization|cookie"
    r"|(^|[._-])(pwd|pass|pw|salt))$",
    re.IGNORECASE,
)
_CAMEL: Final = re.compile(r"[a-z](Pwd|Pass|Salt)$")


def is_secret_name(name: str) -> bool:
    """Return whether a config, variable, header or field of this name holds a secret."""
    return bool(_ENDS.search(name) or _CAMEL.search(name))
