"""OPA: a client for it (`client`), and the OPA of a command (`session`): at an address, of this process, per host."""

__all__: list[str] = []
