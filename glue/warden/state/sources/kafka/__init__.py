"""Live Kafka clusters, read into the contract's cluster state.

The modules import kafka-python only when a function runs, so that the command line starts without it.
"""

__all__: list[str] = []
