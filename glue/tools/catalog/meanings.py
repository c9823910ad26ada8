"""Columns of the catalogue that no ``ConfigDef`` tells: what a value means to the code that reads it.

``no_limit.yaml`` is kept by hand, each row with the method of Kafka that decides, and ``negatives.yaml`` has the other
configurations that take numbers below nought, with the reason. Tests hold both to Kafka's validators and to that code.
"""

from pathlib import Path
from typing import Any

import yaml

__all__ = ["add_no_limits"]

_KEPT = Path(__file__).resolve().parent / "no_limit.yaml"


def add_no_limits(documents: dict[str, Any]) -> None:
    """Give the configurations that have numbers for "no limit" the column ``noLimit``.

    Args:
        documents: Those of the catalogue, ``topic`` and ``broker`` among them; changed in place.
    """
    for document, rows in yaml.safe_load(_KEPT.read_text("utf-8")).items():
        for name, row in rows.items():
            column = {key: value for key, value in row.items() if key != "source"}
            documents[document]["configs"][name]["noLimit"] = column
