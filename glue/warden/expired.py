"""Whether a violation's waiver has expired: OPA judges that, and its errors and warnings tell. Pure."""

from collections.abc import Mapping
from typing import Any

__all__ = ["expired"]


def expired(violation: Mapping[str, Any], decision: Mapping[str, Any]) -> str:
    """Return the words in which a decision says that a violation's waiver has expired; empty where it does not.

    A violation whose waiver holds is in neither list. Dates are not compared: which day counts, and where it begins, is
    the policy's matter (``kafka.verdict``), and so are the words.

    Args:
        violation: An element of the decision's ``violations``.
        decision: The contract's decision.
    """
    waiver = violation.get("waiver")
    if not waiver:
        return ""
    told = f"{violation['rule']}: {violation['message']}"
    lines = (*decision.get("errors", ()), *decision.get("warnings", ()))
    return next((line.removeprefix(told) for line in lines if line.startswith(f"{told} (")), "")
