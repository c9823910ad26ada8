// Creates a good topic and a bad one with @platformatic/kafka, and deletes the good one: see tests/clients/programs.py.
import { Admin } from "@platformatic/kafka";
import { show } from "./show.js";

const [, , address, good, bad] = process.argv;
const admin = new Admin({ clientId: "warden", bootstrapBrokers: [address] });
await show("good", () => admin.createTopics({ topics: [good], partitions: 1, replicas: 1 }));
await show("bad", () => admin.createTopics({ topics: [bad], partitions: 1, replicas: 1 }));
await show("delete", () => admin.deleteTopics({ topics: [good] }));
await admin.close();
