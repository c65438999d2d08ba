package local

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/node"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/pki"
)

// TestMain is the program that clusters of these tests consist of, too: it
// answers as nodes and dealers do, unless a file named moods in its folder says
// how else it is to behave.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && (os.Args[1] == "node" || os.Args[1] == "dealer") && os.Args[2] == "--config" {
		if err := fake(os.Args[1], os.Args[3]); err != nil {
			fmt.Fprintln(os.Stderr, "tacet: error:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// moods is the file with how a fake is to behave: dies, deaf (does not answer)
// or stubborn (does not end).
const moods = "moods"

func fake(command, config string) error {
	dir := filepath.Dir(config)
	mood, err := os.ReadFile(filepath.Join(dir, moods))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
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
	go http.Serve(tls.NewListener(l, id.Server(api.Proto, dealerProto)), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		api.Answer(w, api.Health{Name: id.Name()})
	}))
	<-ended
	if string(mood) == "stubborn" {
		select {}
	}
	return nil
}

// addressOf reads a daemon's configuration: a node's as nodes do.
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
	dir := filepath.Dir(filepath.Dir(config))
	c, err := cluster.Read(filepath.Join(dir, clusterFile))
	if err != nil {
		return "", pki.Files{}, err
	}
	return c.Dealer.Address, pki.Files{
		Cert: filepath.Join(dir, "dealer.crt"), Key: filepath.Join(dir, "dealer.key"), CA: filepath.Join(dir, "ca.crt"),
	}, nil
}
