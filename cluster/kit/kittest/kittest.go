// Package kittest provides fake nodes and dealers as processes for tests, which behave correctly or
// fail in chosen ways.
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

// Main is called by a test's TestMain. If the process was started as tacet node or tacet dealer, Main
// answers as such a daemon until SIGTERM and exits. In any other process it does nothing.
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

// BehaviourFile is the file in a daemon's folder that selects the fake's behaviour: dies (exits at
// once), deaf (does not answer) or stubborn (ignores SIGTERM).
const BehaviourFile = "Moods"

// Cores is the first word of the line in which a fake prints its number of cores.
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
