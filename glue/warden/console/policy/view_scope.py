"""What of the estate somebody may see of what is decided."""

from collections.abc import Callable
from dataclasses import dataclass

from warden.base.errors import InputError

__all__ = ["ViewScope"]


@dataclass(frozen=True)
class ViewScope:
    """What of the estate somebody may see.

    Args:
        sees_cluster: Whether they may see a cluster, and what holds for it.
        sees_owner: Whether they may see what an owner has there; None for what has none.
        sees_all_owners: Whether that is so for all owners: the state of a cluster is that of all of them.
    """

    sees_cluster: Callable[[str], bool] = lambda _cluster: True
    sees_owner: Callable[[str, str | None], bool] = lambda _cluster, _owner: True
    sees_all_owners: bool = True

    def check_cluster(self, cluster: str) -> None:
        """Refuse a cluster that they may not see.

        Raises:
            InputError: They may not.
        """
        if not self.sees_cluster(cluster):
            raise InputError(f"unknown cluster {cluster}: write one that you may see")
