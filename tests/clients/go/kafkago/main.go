// Creates a good topic and a bad one with kafka-go, and deletes the good one.
package main

import (
	"os"

	"github.com/segmentio/kafka-go"

	"warden.test/clients"
)

func main() {
	connection, err := kafka.Dial("tcp", os.Args[1])
	if err != nil {
		panic(err)
	}
	topic := func(name string) kafka.TopicConfig {
		return kafka.TopicConfig{Topic: name, NumPartitions: 1, ReplicationFactor: 1}
	}
	clients.Show("good", connection.CreateTopics(topic(os.Args[2])))
	clients.Show("bad", connection.CreateTopics(topic(os.Args[3])))
	clients.Show("delete", connection.DeleteTopics(os.Args[2]))
}
