// Package kittest runs fake nodes and dealers as processes, for tests of code that starts daemons. A fake
// behaves correctly or fails in a chosen way.
package kittest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/tacet-mpc/tacet/dealer"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/node"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/pki"
)

// Main makes the test's own binary serve as the fake; a test's TestMain calls it first. If the process was
// started as "tacet node" or "tacet dealer", Main acts as that daemon until SIGTERM, or for a minute at most,
// and exits the process. In any other process it returns at once.
func Main() {
	if len(os.Args) != 4 || os.Args[1] != "node" && os.Args[1] != "dealer" || os.Args[2] != "--config" {
		return
	}
	if err := run(os.Args[1], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "tacet: error:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// BehaviourFile is the name of a file that a test writes into a daemon's folder. Its content selects the fake's
// behaviour: "dies" (the fake exits at once), "deaf" (it does not answer) or "stubborn" (it ignores SIGTERM).
// Without the file the fake behaves correctly.
const BehaviourFile = "Moods"

// Cores is the first word of the line that a fake prints when it starts: "cores N", where N is its GOMAXPROCS.
const Cores = "cores"

func run(command, config string) error {
	dir := filepath.Dir(config)
	behaviour, err := os.ReadFile(filepath.Join(dir, BehaviourFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fmt.Println(Cores, runtime.GOMAXPROCS(0))
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	time.AfterFunc(time.Minute, func() { os.Exit(3) }) // a limit that holds even if the test is killed
	switch string(behaviour) {
	case "dies":
		return fmt.Errorf("no such policy")
	case "deaf":
		<-ended
		return nil
	}
	address, files, err := addressOf(command, config)
	if err != nil {
		return err
	}
	id, err := pki.Load(files)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	go http.Serve(tls.NewListener(l, id.Server(api.Proto, remote.Proto)), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		api.Answer(w, api.Health{Name: id.Name()})
	}))
	<-ended
	if string(behaviour) == "stubborn" {
		select {}
	}
	return nil
}

// addressOf reads a daemon's configuration as the daemon does.
func addressOf(command, config string) (string, pki.Files, error) {
	if command == "node" {
		c, err := node.ReadConfig(config)
		if err != nil {
			return "", pki.Files{}, err
		}
		if _, err := policy.Read(c.Policy, c.Name); err != nil {
			return "", pki.Files{}, err
		}
		return c.Listen, c.TLS, nil
	}
	c, err := dealer.ReadConfig(config)
	if err != nil {
		return "", pki.Files{}, err
	}
	return c.Listen, c.TLS, nil
}
