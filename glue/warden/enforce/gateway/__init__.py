"""A gateway for Kafka's protocol: clients as they are, with each change decided by the policy first.

`wire` has the protocol, `login` who clients are and how the gateway logs in at brokers, `guards` the requests that are
decided; each uses those before it. What is here carries connections, and has requests decided.
"""
