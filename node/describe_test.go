package node

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// TestDescribe checks who learns which types, and that a refusal does not say whether an input exists.
func TestDescribe(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", `admins: [root]
rules:
  - {name: told, submitters: [carol], programs: any, inputs: [x.npy, none.npy, broken.npy], describe: true}
  - {name: silent, submitters: [carol, dave], programs: any, inputs: any}
`)
	data := filepath.Join(c.dir, "bob", "data")
	for name, text := range map[string]string{"y.npy": "", "broken.npy": "no array"} {
		if err := os.WriteFile(filepath.Join(data, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.start("bob", []string{"alice", "bob"}, nil)

	for _, name := range []string{"x.npy", filepath.Join(data, "x.npy")} {
		for _, who := range []string{"carol", "root"} {
			got, err := c.as(who, "bob").InputTypes(t.Context(), name)
			if err != nil || got.Name != "x.npy" || len(got.Arrays) != 1 || got.Arrays[0].Type != "tensor<4xf32>" || got.Arrays[0].DType != "f32" {
				t.Errorf("%s, %s: %+v, %v", who, name, got, err)
			}
		}
	}
	for _, k := range []struct {
		who, name, says string
		status          int
	}{
		{"dave", "x.npy", `does not let dave learn types and shapes of the input "x.npy"`, http.StatusForbidden},
		{"dave", "z.npy", `does not let dave learn types and shapes of the input "z.npy"`, http.StatusForbidden},
		{"carol", "y.npy", "does not let carol", http.StatusForbidden},
		{"carol", "../policy.yaml", "does not let carol", http.StatusForbidden},
		{"mallory", "x.npy", "does not let mallory", http.StatusForbidden},
		{"carol", "none.npy", `bob has no input "none.npy"`, http.StatusNotFound},
		{"carol", "broken.npy", `the input "broken.npy" of bob has no types`, http.StatusBadRequest},
		{"root", "../policy.yaml", "bob has no input", http.StatusNotFound},
	} {
		_, err := c.as(k.who, "bob").InputTypes(t.Context(), k.name)
		if !refusedAs(err, k.status) || !strings.Contains(err.Error(), k.says) {
			t.Errorf("%s, %s: %v, want %d %q", k.who, k.name, err, k.status, k.says)
		}
	}
}
