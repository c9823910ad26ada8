"""Live Kafka clusters: reading one into the contract's cluster state, and a real local broker for tests and the demo.

The modules import kafka-python only when a function runs, so that the command line starts without it.
"""

__all__: list[str] = []
