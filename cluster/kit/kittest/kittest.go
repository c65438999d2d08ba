// Package kittest stands in for nodes and dealers where tests need processes
// that behave as those do, or otherwise.
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

// Main is for a test's TestMain: where the process was started as tacet node or
// tacet dealer, it answers as those do until SIGTERM, and then exits. In any
// other process it does nothing.
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

// Moods is the file in a daemon's folder with how a fake is to behave: dies, deaf (does not answer)
// or stubborn (does not end).
const Moods = "Moods"

// Cores begins the line in which a fake says on how many cores it runs.
const Cores = "cores"

func run(command, config string) error {
	dir := filepath.Dir(config)
	mood, err := os.ReadFile(filepath.Join(dir, Moods))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	fmt.Println(Cores, runtime.GOMAXPROCS(0))
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	time.AfterFunc(time.Minute, func() { os.Exit(3) }) // whatever becomes of the test
	switch string(mood) {
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
	if string(mood) == "stubborn" {
		select {}
	}
	return nil
}

// addressOf reads a daemon's configuration, as it would.
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
