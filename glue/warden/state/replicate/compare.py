"""Comparison of OPA's replica with what was written: part by part, large parts entry by entry, never all at once.

OPA needs some 90 µs for each topic that it prints, and holds writes back meanwhile: so a large part is read in
many short requests.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

__all__ = ["iter_differences"]

_SMALL = 2000  # entries of a part that is read at once
_SLICE = 200  # entries that are read one by one before the caller has its turn again


def iter_differences(document: Mapping[str, Any], read: Callable[[Sequence[str]], Any]) -> Iterator[str | None]:
    """Yield each path at which OPA's replica differs, and None now and then, so that the caller may do other things.

    The caller may change ``document`` between two steps, as long as it changes OPA's replica too. Of a large part,
    entries that are in OPA only are not seen.

    Args:
        document: What was written.
        read: Reads what OPA has at a path, None where there is nothing.
    """
    for key in list(document):
        part = document.get(key)
        if not isinstance(part, Mapping) or len(part) <= _SMALL:
            if read((key,)) != part:
                yield key
            yield None
            continue
        names = iter(list(part))
        while some := list(islice(names, _SLICE)):
            for name in some:
                if name and name in part and read((key, name)) != part[name]:
                    yield f"{key}.{name}"
            yield None
