"""List all objects of a collection, in pieces of one moment."""

from collections.abc import Mapping
from typing import Any

from warden.base.errors import KubernetesError
from warden.state.sources.kubernetes.api import ApiServer

__all__ = ["list_all"]

_PIECE = 500  # objects, as kubectl and client-go ask for
_ATTEMPTS = 3


def list_all(
    api: ApiServer, path: str, params: Mapping[str, str], piece: int = _PIECE
) -> tuple[list[dict[str, Any]], str]:
    """Return all objects, and the resourceVersion from which a watch goes on.

    The pieces are of one moment: the token that leads from one to the next holds its revision. Where etcd has
    forgotten that revision on the way (410 Gone), the list begins anew; at last it is requested in one piece.

    Args:
        api: The API server.
        path: The collection.
        params: Selectors.
        piece: Objects to ask for at a time.

    Raises:
        KubernetesError: See `ApiServer`.
    """
    for limit in (*(piece,) * _ATTEMPTS, None):
        try:
            return _list(api, path, dict(params) | ({"limit": str(limit)} if limit else {}))
        except KubernetesError as error:
            if error.status != 410:
                raise
            gone = error
    raise gone


def _list(api: ApiServer, path: str, params: Mapping[str, str]) -> tuple[list[dict[str, Any]], str]:
    items: list[dict[str, Any]] = []
    token = ""
    while True:
        answer = api.get(path, {**params, "continue": token} if token else params)
        metadata = answer.get("metadata") or {}
        items += answer.get("items") or []
        token = metadata.get("continue") or ""
        if not token:
            return items, str(metadata["resourceVersion"])
