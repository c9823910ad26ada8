"""Creates a good topic and a bad one with aiokafka, and deletes the good one."""

import asyncio
import sys

from aiokafka.admin import AIOKafkaAdminClient, NewTopic


async def main(address, good, bad):
    """Run."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    for what, topic in (("good", good), ("bad", bad)):
        response = await admin.create_topics([NewTopic(topic, 1, 1)])
        ((_, code, message),) = response.topic_errors
        print(what, message if code else "ok")
    response = await admin.delete_topics([good])
    ((_, code),) = response.topic_error_codes
    print("delete", code or "ok")
    await admin.close()


asyncio.run(main(*sys.argv[1:]))
