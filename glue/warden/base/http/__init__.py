"""HTTP of programs that run on: ports, servers of threads and on aiohttp, and probes."""
