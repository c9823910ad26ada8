"""The attempts of one call: which OPA is next, for how long, and what becomes of each answer. No I/O."""

import time
from collections.abc import Callable
from typing import Any

from warden.base.errors import (
    OpaError,
    OpaEvaluationError,
    OpaInputTooLarge,
    OpaRefused,
    OpaTimeout,
    OpaUndefined,
    OpaUnreachable,
)
from warden.policy.failover.failover_reasons import FailoverReason
from warden.policy.failover.join_reasons import join_reasons
from warden.policy.failover.ranking import OpaRanking

__all__ = ["FailoverCall"]


class FailoverCall:
    """One call. Each OPA is tried once, and has an equal share of the time that is left.

    A decision, a denial or what is undefined, is an answer: no other OPA is called for it.

    Args:
        ranking: The OPAs.
        cluster: Which cluster the call is about; "" where it is about none.
        limit: Seconds for all attempts together.
        clock: Returns seconds.
    """

    def __init__(
        self, ranking: OpaRanking, cluster: str, limit: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ranking, self._cluster, self._clock = ranking, cluster, clock
        self._left = ranking.rank_urls(cluster)
        self._deadline = clock() + limit
        self._errors: list[OpaError] = []
        self._answer: tuple[str, Any] | None = None
        self._url = ""
        self._stateless: list[str] = []

    def take_next(self) -> tuple[str, float] | None:
        """Return the address of the next OPA and the seconds that it has; None where there is none, or no time."""
        left = self._deadline - self._clock()
        if not self._left or (self._errors and left <= 0):
            return None
        share = left / len(self._left)
        self._url = self._left.pop(0)
        return self._url, share

    def record_failure(self, error: OpaError) -> None:
        """Record the failure of the attempt.

        Raises:
            OpaError: It is an answer all the same, or no other OPA would have a better one.
        """
        if isinstance(error, (OpaUndefined, OpaInputTooLarge)):
            raise error
        if isinstance(error, OpaUnreachable):
            self._ranking.record_failure(self._url, str(error), type(error).__name__)
        elif isinstance(error, OpaRefused):
            self._ranking.request_check(self._url)
        self._pass_over(error)

    def accept(self, answer: Any, doubt: FailoverReason | None) -> bool:
        """Return whether an answer is to be used."""
        if doubt is not None and doubt.needs_state:
            self._stateless.append(self._url)
            if not any(self._ranking.may_have_state(url, self._cluster) for url in self._left):
                self._record_decider(self._url)
                return True
        if doubt is None:
            for url in self._stateless:  # the input was none that has no state anywhere
                self._ranking.record_state_age(url, self._cluster, None)
            self._record_decider(self._url)
            return True
        if not doubt.is_final and self._answer is None:
            self._answer = self._url, answer
        self._pass_over(OpaUnreachable(doubt.text))
        return False

    def use_doubtful_answer(self) -> Any:
        """Return the answer that is left where none was without doubt; its OPA counts as the one that decided.

        Raises:
            OpaError: There is none.
        """
        if self._answer is not None:
            url, answer = self._answer
            self._record_decider(url)
            return answer
        raise _join(self._errors)

    def _record_decider(self, url: str) -> None:
        self._ranking.record_decider(url, self._cluster)

    def _pass_over(self, error: OpaError) -> None:
        self._errors.append(error)
        if self._left:
            self._ranking.report_failover(self._url, str(error))


def _join(errors: list[OpaError]) -> OpaError:
    """Return one error for all: OPA is away where all are, and late where one of these is."""
    others = [error for error in errors if not isinstance(error, OpaUnreachable)]
    evaluated = [error for error in others if isinstance(error, OpaEvaluationError)]
    late = [error for error in errors if isinstance(error, OpaTimeout)]
    first = (evaluated or others or late or errors)[0]
    text = join_reasons(str(error) for error in errors)
    joined = type(first)(text)
    vars(joined).update(vars(first))
    return joined
