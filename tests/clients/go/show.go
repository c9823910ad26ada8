// Package clients is what the programs below have in common: see tests/clients/programs.py.
package clients

import (
	"fmt"
	"strings"
)

// Show prints what became of a request: "ok", or the client's error in one line.
func Show(what string, err error) {
	if err == nil {
		fmt.Println(what, "ok")
		return
	}
	fmt.Println(what, strings.ReplaceAll(err.Error(), "\n", " "))
}
