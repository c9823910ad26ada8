"""Options of a client's connection, from its cluster's configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from warden.enforce.gateway.guards.ungoverned_changes import UngovernedAction
from warden.enforce.gateway.wire.frames import FrameLimits

__all__ = ["ConnectionOptions"]


@dataclass(frozen=True, slots=True)
class ConnectionOptions:
    """Options of a connection.

    Args:
        authentication: A `warden.enforce.gateway.login.logins.LoginFlow`; without logins clients are
            ``User:ANONYMOUS``.
        claim: As of `warden.enforce.gateway.login.sasl.Login`.
        may_use_tokens: As of `warden.enforce.gateway.login.sasl.Login`.
        limits: Sizes of frames.
        as_kip: As of `warden.policy.adapter.evaluation.Evaluation`.
        actions: As of `warden.enforce.gateway.guards.ungoverned_changes.find_change`.
        traced: Whether each broker's answer to a guarded request is reported, also where no topic is changed.
    """

    authentication: str = "none"
    claim: str = "sub"
    may_use_tokens: bool = False
    limits: FrameLimits = field(default_factory=FrameLimits)
    as_kip: bool = False
    actions: Mapping[str, UngovernedAction] = field(default_factory=dict)
    traced: bool = False
