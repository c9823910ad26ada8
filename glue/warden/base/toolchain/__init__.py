"""Tools that Warden needs beside its Python dependencies: OPA, Java, Kafka's jars.

Each has one function that returns where it is, and obtains it first where that is needed: `opa.find_opa`,
`java.find_java`, `jars.obtain_kafka_jars`. Versions are pinned in `versions`; what was obtained is kept in a per-user
cache (`cache.Cache`). Nothing happens at import time.
"""

__all__: list[str] = []
