package main

import (
	"strings"
	"testing"
)

// GPT-2s of one layer, written by export.py, generate the tokens that they generate in JAX, from a prompt and then with the cache. The
// cache of gpt2-tiny forgets its first token in the last request; gpt2-tiny-sample draws tokens until its text ends at the fourth; the
// best text of gpt2-tiny-beam ends at the sixth of ten steps, and is one more request.
func TestGenerate(t *testing.T) {
	for folder, n := range map[string]int{"gpt2-tiny": 6, "gpt2-tiny-generate": 8, "gpt2-tiny-sample": 8, "gpt2-tiny-beam": 10} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			tokens, err := generate(t.Context(), "testdata/"+folder, n, &out)
			if err != nil {
				t.Fatal(err)
			}
			requests := n
			if folder == "gpt2-tiny-beam" {
				requests++
			}
			if lines := strings.Count(out.String(), "\n"); lines != requests || len(tokens) != n {
				t.Errorf("%d tokens, and %d lines for %d:\n%s", len(tokens), lines, n, &out)
			}
			if err := compare("testdata/"+folder+"/expected.npz", tokens, &out); err != nil {
				t.Error(err)
			}
			tokens[2]++
			if err := compare("testdata/"+folder+"/expected.npz", tokens, &out); err == nil || !strings.Contains(err.Error(), "token 2 is") {
				t.Errorf("another token: %v", err)
			}
		})
	}
	var out strings.Builder
	if _, err := generate(t.Context(), "testdata", 1, &out); err == nil || !strings.Contains(err.Error(), "job.yaml") {
		t.Errorf("a folder without a job: %v", err)
	}
}
