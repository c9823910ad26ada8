"""What a client of Kafka reads where nothing was decided says which of OPA's failures it was."""

from warden.base import errors
from warden.enforce.gateway import route


def test_each_error_of_opa_has_its_words() -> None:
    """Only of an OPA that is away, or late, is it said that it cannot be reached."""
    kinds = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.OpaError)}

    assert kinds - route._REASONS.keys() == {errors.OpaError, errors.OpaUnreachable, errors.OpaTimeout}
    assert "its bundle is older than one seen before" == route._REASONS[errors.OpaOutdated]
