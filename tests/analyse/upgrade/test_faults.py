"""An upgrade check where OPA fails; without an OPA, which fails so where a policy is broken."""

from collections.abc import Mapping
from typing import Any

import pytest

from warden.analyse.upgrade.snapshot_upgrade import StoredConfigs, iter_findings
from warden.base.errors import OpaEvaluationError


def test_a_row_that_opa_fails_on_is_named() -> None:
    """Its neighbours are evaluated, and nothing is said of any cluster in the end."""
    evaluated = []

    def ask(document: Mapping[str, Any]) -> Any:
        names = [next(iter(item["configs"])) for item in document["items"].values()]
        if "bad" in names:
            raise OpaEvaluationError("no memory", code="internal_error")
        evaluated.extend(names)
        return {"errors": [], "findings": {key: [] for key in document["items"]}}

    rows = [StoredConfigs("c", "topic", f"t-{name}", {name: "1"}) for name in ("a", "b", "c", "bad", "d")]
    with pytest.raises(OpaEvaluationError, match=r"^topic t-bad of cluster c: no memory$"):
        list(iter_findings(rows, ask, before="3.9", after="4.2"))

    assert ["a", "b", "c"] == evaluated
