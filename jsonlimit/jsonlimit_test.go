package jsonlimit

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestLimits checks what is counted, whether the text arrives at once or byte by byte.
func TestLimits(t *testing.T) {
	for text, c := range map[string]struct{ structure, depth int }{
		`1`:                          {0, 0},
		`[]`:                         {1, 1},
		`[{},{},{}]`:                 {6, 2},
		`{"a":[1,2],"b":{"c":null}}`: {5, 2},
		`"{[,\"{[,\\"`:               {0, 0},
		`{"\\":"[","x\"":","}`:       {2, 1},
		`[[[[0]]],[[0]]]`:            {7, 4},
	} {
		if n := Structure([]byte(text)); n != c.structure {
			t.Errorf("%s has %d structural characters, want %d", text, n, c.structure)
		}
		for _, over := range []Limits{{c.structure, c.depth}, {c.structure - 1, c.depth}, {c.structure, c.depth - 1}} {
			fits := over == Limits{c.structure, c.depth}
			if over.Structure < 0 {
				continue
			}
			var v any
			_, errPieces := io.ReadAll(Reader(iotest.OneByteReader(strings.NewReader(text)), over))
			for how, err := range map[string]error{
				"at once":        Unmarshal([]byte(text), over, &v),
				"byte by byte":   errPieces,
				"by the decoder": json.NewDecoder(Reader(strings.NewReader(text), over)).Decode(&v),
			} {
				if !fits && !errors.As(err, new(*Error)) || fits && err != nil {
					t.Errorf("%s with %+v, %s: %v", text, over, how, err)
				}
			}
		}
	}
}

// FuzzLimits checks that a text that is decoded has at most as many elements as its limit says.
func FuzzLimits(f *testing.F) {
	for _, s := range []string{`[1,2,3]`, `{"a":["\"",{}]}`, `[[],[],[[]]]`, `"\\`, `{"a":1,"a":2}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		const limit = 8
		var v any
		if Unmarshal(text, Limits{limit, 4}, &v) != nil {
			return
		}
		// Each list or object has a bracket, and each element after its first a comma.
		if n := elements(v); n > 2*limit+1 {
			t.Errorf("%s: %d values", text, n)
		}
	})
}

func elements(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			n += elements(x)
		}
	case map[string]any:
		for _, x := range v {
			n += elements(x)
		}
	}
	return n
}
