"""The errors of Warden, which applications import from `warden`; what a part raises for itself stands in that part.

A denial is a value (a decision with ``allowed: false``), never an exception. What is an exception:

    WardenError
    ├── ConfigurationError      a flag, an argument, an environment variable or a configuration file is wrong
    │   └── ExtraMissing        a module is not installed; an ImportError too
    ├── InputError              a document or data set handed to Warden cannot be read
    ├── ToolchainError          OPA, Java or a jar cannot be had on this machine
    ├── BundleError             policies, catalogues or settings do not make a bundle
    │   └── SettingsError       a settings file names an unknown rule, parameter or value
    ├── OpaError                OPA did not give an answer that can be used
    │   ├── OpaUnreachable      no connection, no answer, or not ready
    │   │   └── OpaTimeout      no answer in time
    │   ├── OpaUndefined        OPA answered, and the document requested is undefined, or no decision
    │   ├── OpaRefused          OPA refuses the request, as not allowed or malformed, or its answer is refused
    │   │   ├── OpaOutdated      it decides by an older bundle than one that was seen before
    │   │   └── OpaUnauthorized  it does not take this caller's token
    │   ├── OpaEvaluationError  OPA failed while evaluating the policy
    │   └── OpaInputTooLarge    the input is larger than OPA takes
    ├── KafkaError              a Kafka cluster did not give an answer that can be used
    │   └── KafkaUnreachable    no broker of the cluster can be reached
    ├── KubernetesError         a Kubernetes API server did not give an answer that can be used
    │   └── KubernetesUnreachable  no connection, or no answer in time
    ├── SourceStale             a source cannot go on from where it was: load it anew
    ├── SourceUnreachable       a source that is not Kafka's cannot be read now
    ├── ScanError               a scan could not be completed
    ├── WriteWithheld           another program writes it, or the guard holds a loss back: nothing was written
    └── StoreError              a store, of client configs or decisions, or its service gives no answer that can be used
        └── StoreConflict       somebody else has changed the same entity meanwhile

Undefined, unreachable and denied are three things: of the first two, and of every other `OpaError`, nothing was
decided, which must never be read as "allowed".

Besides their text some have data, None where there is none: `OpaError` has OPA's ``code`` and ``decision_id``,
`KafkaError` Kafka's ``code``, `OpaError` and `StoreError` the HTTP ``status`` and ``retry_after``, seconds,
`KubernetesError` the HTTP ``status``.
"""

__all__ = [
    "BundleError",
    "ConfigurationError",
    "ExtraMissing",
    "InputError",
    "KafkaError",
    "KafkaUnreachable",
    "KubernetesError",
    "KubernetesUnreachable",
    "OpaError",
    "OpaEvaluationError",
    "OpaInputTooLarge",
    "OpaOutdated",
    "OpaRefused",
    "OpaTimeout",
    "OpaUnauthorized",
    "OpaUndefined",
    "OpaUnreachable",
    "ScanError",
    "SettingsError",
    "SourceStale",
    "SourceUnreachable",
    "StoreConflict",
    "StoreError",
    "ToolchainError",
    "WardenError",
    "WriteWithheld",
]


class WardenError(Exception):
    """Base of all of these errors; its text is one sentence for a person: what is wrong and what to do."""


class ConfigurationError(WardenError):
    """Raised when a flag, an argument, an environment variable or a configuration file is wrong."""


class ExtraMissing(ConfigurationError, ImportError):
    """Raised when a module that an extra of the distribution brings is not installed; the text has what to install."""


class InputError(WardenError):
    """Raised when a document or data set handed to Warden cannot be read."""


class ToolchainError(WardenError):
    """Raised when OPA, Java or a jar cannot be had on this machine."""


class BundleError(WardenError):
    """Raised when policies, catalogues and settings do not make a bundle."""


class SettingsError(BundleError):
    """Raised when a settings file names an unknown rule, an unknown parameter or a value out of range."""


class OpaError(WardenError):
    """Base of the ways in which OPA can fail to answer: nothing was decided.

    Args:
        message: One sentence for a person.
        code: OPA's own error code (``evaluation_error``, ``unauthorized``, …), where it gave one.
        decision_id: OPA's decision id, where it gave one.
        status: The HTTP status of an answer that is no result; None where there was none.
        retry_after: Seconds until what answered takes the next request; None where it names none.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        decision_id: str | None = None,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code, self.decision_id = code, decision_id
        self.status, self.retry_after = status, retry_after


class OpaUnreachable(OpaError):
    """Raised when OPA cannot be connected to, does not answer in time, or is not ready. Worth retrying."""


class OpaTimeout(OpaUnreachable):
    """Raised when OPA has taken a request on and does not answer in time."""


class OpaUndefined(OpaError):
    """Raised when OPA answers but the document requested is undefined, or is not a decision: nothing was decided."""


class OpaRefused(OpaError):
    """Raised when OPA refuses the request (not authorised, malformed, a path that a bundle owns), or its answer is."""


class OpaOutdated(OpaRefused):
    """Raised when OPA decides by an older bundle than one that was seen before: what it decides is refused here."""


class OpaUnauthorized(OpaRefused):
    """Raised when OPA, or what stands before it, does not take the caller's token: nothing is wrong with the request.

    It may be taken later, where the token or what OPA knows is being replaced.
    """


class OpaEvaluationError(OpaError):
    """Raised when the policy itself fails during evaluation. Retrying the same input is useless."""


class OpaInputTooLarge(OpaError):
    """Raised when a decision input is larger than may be sent to OPA: nothing was decided."""


class KafkaError(WardenError):
    """Raised when a Kafka cluster does not give an answer that can be used.

    Args:
        message: One sentence for a person.
        code: Kafka's error code; None where it gave none.
    """

    def __init__(self, message: str, *, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class KafkaUnreachable(KafkaError):
    """Raised when no broker of a cluster can be reached."""


class KubernetesError(WardenError):
    """Raised when a Kubernetes API server does not give an answer that can be used.

    Args:
        message: One sentence for a person.
        status: The HTTP status, or the code of the Status object; None where there was no answer.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class KubernetesUnreachable(KubernetesError):
    """Raised when the API server cannot be connected to, cannot be trusted, or does not answer in time."""


class ScanError(WardenError):
    """Raised when a scan cannot be completed."""


class StoreError(WardenError):
    """Raised when a store, of client configs or decisions, does not answer, or holds what is none of these.

    Args:
        message: One sentence for a person.
        status: The HTTP status of the service before it; None where there was no answer.
        retry_after: Seconds until the service takes the next request; None where it names none.
    """

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status, self.retry_after = status, retry_after


class StoreConflict(StoreError):
    """Raised when somebody else has written since: nothing was stored, and what was read is to be read again."""


class SourceStale(WardenError):
    """Raised when a source can only be loaded anew (410 Gone, a lost position), which is done at once."""


class WriteWithheld(WardenError):
    """Raised when nothing was written, since another program writes it, or the guard holds a loss back."""


class SourceUnreachable(WardenError):
    """Raised when a source cannot be read now; sources of Kafka raise `KafkaError` and its subclasses instead.

    The replica in OPA stays as it is, and its age grows.
    """
