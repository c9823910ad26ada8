"""The contract's ``namesByMetric``: metrics have "_" for the "." of a topic's name, so two topics may share theirs."""

from collections.abc import Iterable

__all__ = ["find_metric_name", "group_names_by_metric"]


def find_metric_name(name: str) -> str | None:
    """Return what is left of a topic's name in metrics; None for one without "." or "_", which stays alone."""
    return name.replace(".", "_") if "." in name or "_" in name else None


def group_names_by_metric(names: Iterable[str]) -> dict[str, list[str]]:
    """Return names that have a "." or "_", by what is left of them in metrics, in their order."""
    by_metric: dict[str, list[str]] = {}
    for name in sorted(names):
        if (metric := find_metric_name(name)) is not None:
            by_metric.setdefault(metric, []).append(name)
    return by_metric
