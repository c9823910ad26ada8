"""A gateway for Kafka's protocol: clients as they are, with each change decided by the policy first.

`wire` has the protocol, `login` who clients are and how the gateway logs in at brokers, `guards` the requests that are
decided; each uses those before it. What is here carries connections (`route`, `relay`, `connection`, `passthrough`),
has requests decided (`decision_queue`, `batches`, `decider`, `undecided_errors`), and knows what was let through and
is under way (`pending_changes`, `claims`, `settlements`). Codes and texts of answers come from
`warden.policy.adapter`.
"""
