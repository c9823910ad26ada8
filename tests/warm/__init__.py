"""Programs that run already when a test wants one: brokers, OPAs and the JVM of Spark.

``python -m tests.warm`` keeps what the tests of its checkout used last, started anew after each run; a fixture borrows
it in place of a start, and nobody else gets it after. Without it, and in continuous integration, each run starts its
own.
"""
