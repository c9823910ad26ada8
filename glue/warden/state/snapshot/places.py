"""Places in a snapshot's files, for messages."""

from collections.abc import Collection

from warden.base.errors import InputError
from warden.state.snapshot.layout import SnapshotPartition
from warden.state.snapshot.lines import find_lines

__all__ = ["find_places"]


def find_places(
    part: SnapshotPartition, *, texts: Collection[str] = (), names: Collection[str] = ()
) -> dict[str, list[str]]:
    """Return ``file:number`` of topic rows, in order; numbers are those of lines, or of rows where there are none.

    Args:
        part: The cluster and day.
        texts: Lines as `warden.state.snapshot.lines.decode_line` shows them.
        names: Names of topics, "" for rows that have none.

    Raises:
        InputError: A file cannot be read any more.
    """
    places: dict[str, list[str]] = {}
    for path in part.list_files("topics"):
        if part.format == "jsonl":
            try:
                numbers = find_lines(path.read_bytes(), texts, names)
            except OSError as error:
                raise InputError(f"{path}: cannot be read ({error.strerror}): take the snapshot again") from error
        else:
            from warden.state.snapshot.parquet import find_rows

            numbers = find_rows(path, names)
        for key, those in numbers.items():
            places.setdefault(key, []).extend(f"{part.format_path(path)}:{number}" for number in those)
    return places
