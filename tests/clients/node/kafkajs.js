// Creates a good topic and a bad one with kafkajs, and deletes the good one: see tests/clients/programs.py.
import kafkajs from "kafkajs";
import { show } from "./show.js";

const [, , address, good, bad] = process.argv;
const admin = new kafkajs.Kafka({ brokers: [address], logLevel: kafkajs.logLevel.NOTHING }).admin();
const create = (topic) => admin.createTopics({ topics: [{ topic, numPartitions: 1, replicationFactor: 1 }] });
await admin.connect();
await show("good", () => create(good));
await show("bad", () => create(bad));
await show("delete", () => admin.deleteTopics({ topics: [good] }));
await admin.disconnect();
