"""Log in to a cluster: client properties, SASL, TLS, and the connection they lead to."""
