// Command kube-apiserver is the Kubernetes API server as its own project builds it: the module of Kubernetes cannot be
// installed by name, because its go.mod replaces modules, so that this one requires it and replaces them by their
// published versions.
package main

import (
	"os"

	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	os.Exit(cli.Run(app.NewAPIServerCommand()))
}
