// Decoder continues a text letter by letter with another party's weights, as a service of two programs in one process:
//
//	go run . "the part"
//
// Alice has the first eight letters, Bob the weights. One request of prompt.mlir fills the cache of keys and values; each request
// of step.mlir continues by one letter, which Alice learns at once. The cache, and the letter that step.mlir begins with, stay
// as shares from one request to the next. The end of the text is a result of its own, and how many requests there are
// is known to both parties: Alice stops at the end. export.py trains the decoder and writes the programs. Among nodes:
//
//	tacet serve job.yaml
//	tacet request ID --program prompt --input alice:prompt.npy
//	tacet request ID --repeat 100 --until 1
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/tacet-mpc/tacet"
)

func main() {
	beginning := "the part"
	if len(os.Args) > 1 {
		beginning = os.Args[1]
	}
	if err := run(context.Background(), ".", beginning, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

const (
	promptLetters = 8
	most          = 100 // letters of a text
)

// run writes a text with the given beginning to out, and then what a letter costs. dir has what export.py wrote.
func run(ctx context.Context, dir, beginning string, out io.Writer) error {
	letters, err := os.ReadFile(filepath.Join(dir, "letters.txt"))
	if err != nil {
		return err
	}
	ids, err := numbers(string(letters), beginning)
	if err != nil {
		return err
	}
	s, err := spec(ctx, filepath.Join(dir, "job.yaml"))
	if err != nil {
		return err
	}
	v, err := tacet.Open(ctx, s)
	if err != nil {
		return err
	}
	defer v.Close()
	args := make([]*tacet.Array, len(s.Args))
	if args[0], err = tacet.NewArray(ids, promptLetters); err != nil {
		return err
	}
	fmt.Fprint(out, beginning)
	o, err := v.EvaluateProgram(ctx, "prompt", args...)
	if err != nil {
		return err
	}
	args[0] = s.Args[0].Data // step.mlir does not read it
	for n := promptLetters; ; n++ {
		letter, err := tacet.Slice[int32](o.Results[0])
		if err != nil {
			return err
		}
		end, err := tacet.Slice[bool](o.Results[1])
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%c", letters[letter[0]])
		if end[0] || n == most {
			break
		}
		if o, err = v.Evaluate(ctx, args...); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "\na letter: %d bytes a party in %d rounds\n", o.Report.Online.BytesSent[0], o.Report.Online.Rounds)
	return nil
}

// numbers returns the places of a text's letters in the decoder's alphabet.
func numbers(letters, text string) ([]int32, error) {
	var out []int32
	for _, c := range text {
		i := strings.IndexRune(letters, c)
		if i < 0 {
			return nil, fmt.Errorf("the decoder does not know %q (its letters: %q)", c, letters)
		}
		out = append(out, int32(i))
	}
	if len(out) != promptLetters {
		return nil, fmt.Errorf("the text begins with %d letters, and the prompt takes %d", len(out), promptLetters)
	}
	return out, nil
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
