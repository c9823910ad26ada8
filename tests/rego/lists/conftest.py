"""A way to ask kafka/lists/check of the shipped bundle thousands of questions in one evaluation."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.asking import asking
from warden.policy.bundle.build import Bundle

Ask = Callable[[Sequence[Any]], list[dict[str, Any]]]


@pytest.fixture(scope="session")
def ask(opa_binary: Path, shipped_bundle: Bundle, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    """Return a function from inputs of kafka/lists/check to its answers, through the bundle as it is shipped."""
    with asking(opa_binary, shipped_bundle, tmp_path_factory.mktemp("lists")) as asks:
        yield lambda questions: asks("kafka.lists.check", list(questions))
