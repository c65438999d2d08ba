package tacet_test

import (
	"context"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/tacet-mpc/tacet/cluster/local"
)

// startCluster starts nodes of alice and bob and a dealer as processes on this
// machine, and puts a job for them beside cluster.yaml. down stops them.
func startCluster() (dir string, down func()) {
	top, err := os.MkdirTemp("", "tacet-example")
	if err != nil {
		log.Fatal(err)
	}
	program := filepath.Join(top, "tacet")
	if out, err := exec.Command("go", "build", "-o", program, "./cmd/tacet").CombinedOutput(); err != nil {
		log.Fatalf("%v: %s", err, out)
	}
	dir = filepath.Join(top, "cluster")
	if _, _, err := local.Up(context.Background(), local.Options{Dir: dir, Program: program, Wait: time.Minute}); err != nil {
		log.Fatal(err)
	}
	writeFile(dir, "score.mlir", score)
	writeFile(dir, "x.csv", "1,0,2\n0,3,1\n")
	writeFile(dir, "w.csv", "0.5\n-1\n0.25\n")
	writeFile(dir, "job.yaml", `program: score.mlir
parties: [alice, bob]
inputs:
  - {owner: alice, file: x.csv, arg: 0}
  - {owner: bob, file: w.csv, arg: 1}
outputs:
  reveal: [alice]
`)
	return dir, func() {
		if _, err := local.Down(dir, 10*time.Second); err != nil {
			log.Print(err)
		}
		if err := os.RemoveAll(top); err != nil {
			log.Print(err)
		}
	}
}
