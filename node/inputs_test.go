package node

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/tensor"
	"go.uber.org/goleak"
)

// inputsConfig returns a configuration with data folders: data, which holds x.npz, sub/y.npz and the links
// in.npz (to x.npz), out.npz and outside; and linked, a link to the folder elsewhere, which holds z.npz.
func inputsConfig(t *testing.T) (c *Config, dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, folder := range []string{"data/sub", "elsewhere", "secret/inner"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"data/x.npz", "data/sub/y.npz", "elsewhere/z.npz", "secret/s.npz"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"data/in.npz": "x.npz", "data/out.npz": "../secret/s.npz", "data/outside": "../secret", "linked": "elsewhere",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	c = &Config{
		Data: []string{filepath.Join(dir, "data"), filepath.Join(dir, "linked")}, State: filepath.Join(dir, "state"), Store: filepath.Join(dir, "store"),
		Catalogue: map[string]string{"customers": filepath.Join(dir, "secret", "s.npz")},
	}
	c.Name = "alice"
	return c, dir
}

// TestFindInput checks which names find which files.
func TestFindInput(t *testing.T) {
	c, dir := inputsConfig(t)
	for _, k := range []struct{ name, folder, want string }{
		{"x.npz", "", "x.npz"},
		{"sub/y.npz", "", "sub/y.npz"},
		{"sub/../x.npz", "", "x.npz"},
		{"in.npz", "", "x.npz"},
		{"z.npz", "", "z.npz"},
		{"customers", "", "customers"},
		{dir + "/data/x.npz", "", "x.npz"},
		{dir + "/data/sub/../x.npz", "", "x.npz"},
		{dir + "/linked/z.npz", "", "z.npz"},
		{dir + "/elsewhere/z.npz", "", "z.npz"},
		{"../data/x.npz", dir + "/jobs", "x.npz"},
		{"x.npz", dir + "/data", "x.npz"},
		{"out.npz", "", ""},
		{"outside/s.npz", "", ""},
		{"sub", "", ""},
		{dir + "/secret/s.npz", "", ""},
		{dir + "/data/../secret/s.npz", "", ""},
		{dir + "/data", "", ""},
		{"../secret/s.npz", dir + "/data", ""},
		{"", "", ""},
	} {
		found, err := c.findInput(api.Input{Name: k.name, Folder: k.folder})
		if err != nil != (k.want == "") || found.name != k.want {
			t.Errorf("%q in %q: %q, %v; want %q", k.name, k.folder, found.name, err, k.want)
		}
	}
}

// TestFindInputOutside checks that what a name finds does not depend on what exists outside the data
// folders.
func TestFindInputOutside(t *testing.T) {
	c, dir := inputsConfig(t)
	for _, format := range []string{"/data/x.npz", "/data/sub/y.npz", "/secret/s.npz"} {
		for _, way := range [][2]string{{"/secret/..", "/nothing/.."}, {"/secret/inner/../..", "/secret/nothing/../.."}, {"/secret/s.npz/..", "/secret/t.npz/.."}} {
			there, err := c.findInput(api.Input{Name: dir + way[0] + format})
			gone, errGone := c.findInput(api.Input{Name: dir + way[1] + format})
			if there.name != gone.name || (err == nil) != (errGone == nil) {
				t.Errorf("%s: %q, %v through a folder that exists, and %q, %v through one that does not", format, there.name, err, gone.name, errGone)
			}
		}
	}
}

// TestRedactPaths checks that errors that others read name inputs as policies do.
func TestRedactPaths(t *testing.T) {
	c, dir := inputsConfig(t)
	odd := filepath.Join(dir, `da"ta`)
	c.Data = append(c.Data, odd)
	for text, want := range map[string]string{
		dir + "/data/sub/y.npz: argument 1 is not in the file":        "sub/y.npz: argument 1 is not in the file",
		"open " + dir + "/linked/z.npz: permission denied":            "open z.npz: permission denied",
		"open " + dir + "/elsewhere/z.npz: permission denied":         "open z.npz: permission denied",
		`"` + dir + `/data/x.npz"; ` + dir + "/data/in.npz":           `"x.npz"; in.npz`,
		dir + "/secret/s.npz: not an .npz archive":                    "customers: not an .npz archive",
		dir + "/state/jobs/1/job.json; " + dir + "/store/2":           "jobs/1/job.json; 2",
		fmt.Sprintf("%q is missing", filepath.Join(odd, "a.npz")):     `"a.npz" is missing`,
		"relative/data/x.npz and " + "x" + dir + "/data/x.npz remain": "relative/data/x.npz and " + "x" + dir + "/data/x.npz remain",
	} {
		if got := c.redactPaths(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestInputErrors checks that a submitter and the other party read the name of a file that cannot be used, and
// that the owner's log has its path.
func TestInputErrors(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	path := filepath.Join(c.dir, "bob", "data", "wide.npy")
	wide := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{5}}, Data: make([]float32, 5)}
	if err := npy.WriteFile(path, wide); err != nil {
		t.Fatal(err)
	}
	s := c.submission("alice", "bob")
	s.Inputs[1].Name = "wide.npy"
	_, err := c.as("carol", "bob").Submit(t.Context(), s)
	if err == nil || !strings.Contains(err.Error(), "bob: wide.npy: argument 1 ") || strings.Contains(err.Error(), c.dir) {
		t.Errorf("another shape: %v", err)
	}
	if log := c.log.String(); !strings.Contains(log, path) {
		t.Errorf("bob's log has no %s:\n%s", path, log)
	}
	s = c.submission("alice", "bob")
	if _, err := c.as("carol", "bob").Submit(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(c.dir, "bob", "data", "x.npy")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "alice"); j.State != api.Failed || !strings.Contains(j.Error, " x.npy: ") || strings.Contains(j.Error, c.dir) {
		t.Errorf("a file that was removed: %s (%s)", j.State, j.Error)
	}
}
