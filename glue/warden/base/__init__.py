"""Infrastructure that knows no policy and no cluster: files, TLS, processes, and pinned programs and jars."""
