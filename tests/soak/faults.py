"""Faults by a seed: a broker or OPA is killed or paused, or OPA comes back with other tokens."""

import os
import random
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

from tests.fixtures.brokers.three_brokers import Brokers
from warden.policy.opa.local import LocalOpa
from warden.policy.opa.tokens import OpaTokens

__all__ = ["Faults"]

_OPA_SECONDS = 120.0  # until it is ready


class Faults:
    """Begins one fault at a time, and ends it.

    Args:
        brokers: The cluster.
        opa: What the state is written to.
        tokens: Files that programs read their tokens from, each with whose it is: ``replicator``, ``query``.
        random: Where all choices come from.
    """

    def __init__(self, brokers: Brokers, opa: LocalOpa, tokens: Mapping[Path, str], random: random.Random) -> None:
        self._brokers, self._opa, self._tokens, self._random = brokers, opa, tokens, random
        self._end: Callable[[], None] = lambda: None

    def begin(self) -> str:
        """Begin one, and return it in words."""
        node = self._random.choice(self._brokers.nodes)
        kinds: dict[str, tuple[Callable[[], None], Callable[[], None]]] = {
            f"broker {node} killed": (lambda: self._brokers.kill(node), lambda: self._brokers.start_node(node)),
            f"broker {node} paused": (lambda: self._brokers.pause(node), lambda: self._brokers.resume(node)),
            "OPA killed": (lambda: os.kill(self._opa.pid, signal.SIGKILL), self._restart),
            "OPA paused": (
                lambda: os.kill(self._opa.pid, signal.SIGSTOP),
                lambda: os.kill(self._opa.pid, signal.SIGCONT),
            ),
            "OPA with new tokens": (lambda: os.kill(self._opa.pid, signal.SIGKILL), self._restart_with_new_tokens),
        }
        name = self._random.choice(list(kinds))
        begin, self._end = kinds[name]
        begin()
        return name

    def end(self) -> None:
        """End it: what was killed runs again."""
        end, self._end = self._end, lambda: None
        end()

    def _restart(self) -> None:
        self._opa.restart(_OPA_SECONDS)

    def _restart_with_new_tokens(self) -> None:
        self._opa.tokens = OpaTokens.generate()
        self._opa.restart(_OPA_SECONDS)
        for path, role in self._tokens.items():
            path.write_text(getattr(self._opa.tokens, role))
