"""What a change of the policy would change: decisions of the past and resources of today under two bundles."""

__all__: list[str] = []
