"""Creates a good topic and a bad one with confluent-kafka, and deletes the good one."""

import sys

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient, NewTopic


def show(what, future):
    """Print what became of a request."""
    try:
        future.result(60)
        print(what, "ok")
    except KafkaException as error:
        print(what, error.args[0].str())


_, address, good, bad = sys.argv
admin = AdminClient({"bootstrap.servers": address, "log_level": 0})
show("good", admin.create_topics([NewTopic(good, 1, 1)])[good])
show("bad", admin.create_topics([NewTopic(bad, 1, 1)])[bad])
show("delete", admin.delete_topics([good])[good])
