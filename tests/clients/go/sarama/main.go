// Creates a good topic and a bad one with sarama, and deletes the good one.
package main

import (
	"os"

	"github.com/IBM/sarama"

	"warden.test/clients"
)

func main() {
	config := sarama.NewConfig()
	config.Version = sarama.V4_1_0_0
	admin, err := sarama.NewClusterAdmin([]string{os.Args[1]}, config)
	if err != nil {
		panic(err)
	}
	detail := &sarama.TopicDetail{NumPartitions: 1, ReplicationFactor: 1}
	clients.Show("good", admin.CreateTopic(os.Args[2], detail, false))
	clients.Show("bad", admin.CreateTopic(os.Args[3], detail, false))
	clients.Show("delete", admin.DeleteTopic(os.Args[2]))
}
