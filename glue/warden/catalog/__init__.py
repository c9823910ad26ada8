"""The catalogue: what the released Kafka says about its own configuration keys, read by reflection from its jars.

``python -m warden.catalog`` writes ``bundle/catalog/topic/data.yaml`` and ``bundle/catalog/broker/data.yaml``; with
``--check`` it fails when they differ from what the pinned jars say.
"""

from warden.catalog.reflect import read_catalogue
from warden.catalog.render import render

__all__ = ["read_catalogue", "render"]
