package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/job/npy"
)

// A GPT-2 of one layer, written by `export.py gpt2-tiny`, generates the tokens that the same model generates in JAX, from a prompt and
// then with the cache, which forgets its first token in the last request.
func TestGenerate(t *testing.T) {
	a, err := npy.OpenArchive("testdata/gpt2-tiny/expected.npz")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	want, err := a.Read("tokens")
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := tacet.Slice[int32](want)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	got, err := generate(t.Context(), "testdata/gpt2-tiny", len(tokens), &out)
	if err != nil || !slices.Equal(got, tokens) {
		t.Errorf("generated %v (%v), want %v", got, err, tokens)
	}
	if lines := strings.Count(out.String(), "\n"); lines != len(tokens) {
		t.Errorf("%d lines for %d tokens:\n%s", lines, len(tokens), &out)
	}
	if _, err := generate(t.Context(), "testdata", 1, &out); err == nil || !strings.Contains(err.Error(), "job.yaml") {
		t.Errorf("a folder without a job: %v", err)
	}
}
