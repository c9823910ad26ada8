"""The replicator: keeps the state of live systems in OPA, complete, fresh, and with its age."""

__all__: list[str] = []
