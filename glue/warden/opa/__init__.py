"""OPA: a client for it (`client`), and the one a command uses (`session`): at an address, of this process, per host."""

__all__: list[str] = []
