// Command etcd is etcd as its own project builds it: the module of etcd cannot be installed by name, because its go.mod
// replaces modules, so that this one requires it.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() {
	etcdmain.Main(os.Args)
}
