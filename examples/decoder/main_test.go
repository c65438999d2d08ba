package main

import (
	"strings"
	"testing"
)

// The service writes the text on which the decoder was trained, and ends where it does. A letter takes about the bytes of one
// step: the cache is not opened again.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), ".", "the part", &out); err != nil {
		t.Fatal(err)
	}
	const want = "the parties keep shares of the cache and of the weights, and one of them learns the text.\n" +
		"a letter: 25982 bytes a party in 121 rounds\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	for beginning, want := range map[string]string{"The part": "does not know 'T'", "the": "begins with 3 letters"} {
		if err := run(t.Context(), ".", beginning, &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", beginning, err)
		}
	}
}
