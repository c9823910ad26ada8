"""Impact of a change of the policy: past decisions and today's resources, evaluated under two bundles."""

__all__: list[str] = []
