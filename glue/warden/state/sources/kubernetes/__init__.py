"""Objects of any types of a Kubernetes API server, by list and watch, on the client library ``kubernetes``.

The library logs in and connects (`login`, `session`). Discovery, lists and watches are ours, since its dynamic client
keeps what it has discovered in a file in the common temporary directory and takes a group that answers 503 for empty,
and its ``Watch`` passes over events that cannot be read, has no limit for silence, and forgets to stop where it was
stopped before it began.
"""

__all__: list[str] = []
