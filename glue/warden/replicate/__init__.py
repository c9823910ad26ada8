"""The replicator: keeps copies of live systems in OPA, complete, fresh and honest about their age."""

__all__: list[str] = []
