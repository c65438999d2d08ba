// Models generates tokens with a service that export.py wrote, both parties and the dealer in this process:
//
//	python export.py gpt2-service
//	go run . out/gpt2-service 8
//
// Alice's prompt fills a cache, which stays as shares; each further request continues by the token that Alice finds most probable
// (greedily). Alice alone learns the logits, so she may as well draw tokens from them. Each request reports its time and traffic.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/job/npy"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: models FOLDER TOKENS")
	}
	n, err := strconv.Atoi(os.Args[2])
	if err != nil || n < 1 {
		log.Fatalf("%q is no number of tokens", os.Args[2])
	}
	if _, err := generate(context.Background(), os.Args[1], n, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// generate returns n tokens after the prompt in dir, and writes what each costs to out.
func generate(ctx context.Context, dir string, n int, out io.Writer) ([]int32, error) {
	s, err := spec(ctx, filepath.Join(dir, "job.yaml"))
	if err != nil {
		return nil, err
	}
	prompt, err := array(filepath.Join(dir, "prompt.npy"))
	if err != nil {
		return nil, err
	}
	v, err := tacet.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	args := make([]*tacet.Array, len(s.Args))
	args[0] = prompt
	var tokens []int32
	for program := "prompt"; len(tokens) < n; program = "" {
		start := time.Now()
		o, err := v.EvaluateProgram(ctx, program, args...)
		if err != nil {
			return nil, err
		}
		logits, err := tacet.Float32s(o.Results[0])
		if err != nil {
			return nil, err
		}
		best := 0
		for i, x := range logits {
			if x > logits[best] {
				best = i
			}
		}
		tokens = append(tokens, int32(best))
		if args[0], err = tacet.NewArray(tokens[len(tokens)-1:], 1, 1); err != nil {
			return nil, err
		}
		r := o.Report
		fmt.Fprintf(out, "token %d: %.2f s, of which online %.2f; %d bytes a party online in %d rounds, %d dealt\n",
			best, time.Since(start).Seconds(), r.Online.Seconds, r.Online.BytesSent[0], r.Online.Rounds, r.Offline.BytesSent)
	}
	return tokens, nil
}

// array reads a .npy file.
func array(path string) (*tacet.Array, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := npy.NewReader(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r.Array()
}

// spec reads the job.
func spec(ctx context.Context, path string) (tacet.Spec, error) {
	j, err := tacet.LoadJob(path)
	if err != nil {
		return tacet.Spec{}, err
	}
	p, err := j.ReadProgram(ctx)
	if err != nil {
		return tacet.Spec{}, err
	}
	return j.ServiceSpec(p)
}
