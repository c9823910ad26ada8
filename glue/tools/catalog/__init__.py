"""The catalogue: what the released Kafka says about its own configuration keys, read by reflection from its jars.

``python -m tools.catalog`` writes ``bundle/catalog/topic/data.yaml`` and ``bundle/catalog/broker/data.yaml``; with
``--check`` it fails when they differ from what the pinned jars say.
"""

from tools.catalog.reflect import reflect_catalogs
from tools.catalog.render import render

__all__ = ["reflect_catalogs", "render"]
