"""A gateway for Kafka's protocol: clients as they are, with each change decided by the policy first.

Its rooms, in the order of use:

- `wire`: the protocol, and what is replaced in responses.
- `login`: whose a client's connection is, and how the gateway logs in at brokers.
- `guards`: the requests that are decided, what is looked up for them at the broker, and their answers.
- `pending_changes`: what was let through, and the replica does not show yet.
- `decisions`: the requests that wait, the batches in which OPA decides, and answers where nothing was decided.
- `connection`: one client's bytes to and from the broker, and what it waits for.
- `log`: lines, counts and spans of decided requests, and what is read from the log.

What is here joins them to a server (`server`, `workers`, with a `route` for each port), and has its configuration,
metrics and readiness, denials that clients ask for again and again, and the ACLs that close a cluster to all others.
Codes and texts of answers come from `warden.policy.adapter`.
"""
