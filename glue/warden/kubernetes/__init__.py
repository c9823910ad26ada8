"""A small client of Kubernetes' API: any resource type, as JSON, by list and watch.

Why not the client library ``kubernetes``: what this needs most, its ``Watch`` takes away. It drops the resourceVersion
of bookmarks, answers 410 Gone by itself and at once, opens a watch that ends again without any pause, and cannot be
stopped while it waits; its models of some hundred types are no use where a type is only a name in a configuration.
"""

__all__: list[str] = []
