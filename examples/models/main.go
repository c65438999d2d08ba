// Models generates tokens with a service that export.py wrote, both parties and the dealer in this process:
//
//	python export.py gpt2-generate
//	go run . out/gpt2-generate 20
//
// Alice's prompt fills a cache, which stays as shares; each further request continues by one token. The programs of gpt2-generate and
// gpt2-sample choose the token, greedily or by sampling, and keep it as state; Alice learns it. Those of gpt2-service reveal the logits to
// Alice, who continues by the token that she finds most probable. Those of gpt2-beam search for the best text, which Alice learns by
// one more request, at the end. Each request reports its time and traffic, and tokens are compared
// with those in clear (expected.npz).
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
	tokens, err := generate(context.Background(), os.Args[1], n, os.Stdout)
	if err == nil {
		err = compare(filepath.Join(os.Args[1], "expected.npz"), tokens, os.Stdout)
	}
	if err != nil {
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
	args := make([]*tacet.Array, len(s.Args))
	for i, a := range s.Args {
		args[i] = a.Data
	}
	args[0] = prompt
	v, err := tacet.Open(ctx, s)
	if err != nil {
		return nil, err
	}
	defer v.Close()
	for _, p := range s.Programs {
		if p.Name == "best" {
			return search(ctx, v, args, n, out)
		}
	}
	var tokens []int32
	for program := "prompt"; len(tokens) < n; program = "" {
		start := time.Now()
		o, err := v.EvaluateProgram(ctx, program, args...)
		if err != nil {
			return nil, err
		}
		token, chosen, err := next(o.Results[0])
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, token)
		if !chosen {
			if args[0], err = tacet.NewArray([]int32{token}, 1, 1); err != nil {
				return nil, err
			}
		}
		cost(out, fmt.Sprintf("token %d", token), start, o.Report)
	}
	return tokens, nil
}

// search returns the tokens of the best text after at most n steps of a search that v goes on with.
func search(ctx context.Context, v *tacet.Service, args []*tacet.Array, n int, out io.Writer) ([]int32, error) {
	ask := func(what, program string) ([]*tacet.Array, error) {
		start := time.Now()
		o, err := v.EvaluateProgram(ctx, program, args...)
		if err != nil {
			return nil, err
		}
		cost(out, what, start, o.Report)
		return o.Results, nil
	}
	ended := []bool{false}
	for program, i := "prompt", 1; i <= n && !ended[0]; program, i = "", i+1 {
		results, err := ask(fmt.Sprintf("step %d", i), program)
		if err != nil {
			return nil, err
		}
		if ended, err = tacet.Slice[bool](results[1]); err != nil {
			return nil, err
		}
	}
	results, err := ask("best text", "best")
	if err != nil {
		return nil, err
	}
	return tacet.Slice[int32](results[0])
}

// cost writes what a request cost.
func cost(out io.Writer, what string, start time.Time, r *tacet.Report) {
	fmt.Fprintf(out, "%s: %.2f s, of which online %.2f; %d bytes a party online in %d rounds, %d dealt\n",
		what, time.Since(start).Seconds(), r.Online.Seconds, r.Online.BytesSent[0], r.Online.Rounds, r.Offline.BytesSent)
}

// next returns the token of a request's first result. chosen reports whether the program has chosen it; otherwise the result
// has the logits, and the token is the most probable one.
func next(result *tacet.Array) (token int32, chosen bool, err error) {
	if !result.DType.IsFloat() {
		ids, err := tacet.Slice[int32](result)
		if err != nil {
			return 0, true, err
		}
		return ids[0], true, nil
	}
	logits, err := tacet.Float32s(result)
	if err != nil {
		return 0, false, err
	}
	best := 0
	for i, x := range logits {
		if x > logits[best] {
			best = i
		}
	}
	return int32(best), false, nil
}

// compare writes how many of the tokens are those that path has, which are the first ones in clear.
func compare(path string, tokens []int32, out io.Writer) error {
	a, err := npy.OpenArchive(path)
	if err != nil {
		return err
	}
	defer a.Close()
	t, err := a.Read("tokens")
	if err != nil {
		return err
	}
	want, err := tacet.Slice[int32](t)
	if err != nil {
		return err
	}
	n := min(len(want), len(tokens))
	for i := range n {
		if tokens[i] != want[i] {
			return fmt.Errorf("token %d is %d, in clear %d (logits that are nearly equal may be taken for each other)", i, tokens[i], want[i])
		}
	}
	_, err = fmt.Fprintf(out, "%d tokens, as in clear\n", n)
	return err
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
