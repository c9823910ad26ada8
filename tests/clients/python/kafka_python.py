"""Creates a good topic and a bad one with kafka-python, and deletes the good one."""

import sys

from kafka.admin import KafkaAdminClient, NewTopic
from kafka.errors import KafkaError


def show(what, request):
    """Print what became of a request."""
    try:
        request()
        print(what, "ok")
    except KafkaError as error:
        print(what, error)


_, address, good, bad = sys.argv
admin = KafkaAdminClient(bootstrap_servers=address)
show("good", lambda: admin.create_topics([NewTopic(good, 1, 1)]))
show("bad", lambda: admin.create_topics([NewTopic(bad, 1, 1)]))
show("delete", lambda: admin.delete_topics([good]))
