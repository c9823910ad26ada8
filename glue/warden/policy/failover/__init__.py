"""Failover between several OPAs: which is called first, which next, and how each is. One OPA needs none of it."""
