"""OPA: the one door to it (`client`), and an OPA of one's own on this machine (`server`)."""

__all__: list[str] = []
