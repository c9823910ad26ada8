// Creates a good topic and a bad one with franz-go, and deletes the good one.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"warden.test/clients"
)

func create(admin *kadm.Client, topic string) error {
	made, err := admin.CreateTopics(context.Background(), 1, 1, nil, topic)
	if err != nil {
		return err
	}
	return errors.Join(made[topic].Err, message(made[topic].ErrMessage))
}

func message(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

func main() {
	client, err := kgo.NewClient(kgo.SeedBrokers(os.Args[1]))
	if err != nil {
		panic(err)
	}
	admin := kadm.NewClient(client)
	clients.Show("good", create(admin, os.Args[2]))
	clients.Show("bad", create(admin, os.Args[3]))
	deleted, err := admin.DeleteTopics(context.Background(), os.Args[2])
	if err == nil {
		err = deleted[os.Args[2]].Err
	}
	clients.Show("delete", err)
}
