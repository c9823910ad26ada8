"""Read a live cluster, one module for each kind of resource."""
