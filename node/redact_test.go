package node

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/tensor"
)

// logs returns what all nodes have logged.
type logs struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// stateFiles returns the contents of all files in a node's state folder.
func (c *testCluster) stateFiles(node string) string {
	c.t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join(c.dir, node, "state"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return all.String()
}

// TestElementsNotRevealed checks that no message quotes an element that cannot be shared or names its
// index, except the owner's log, which names the index.
func TestElementsNotRevealed(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, k := range []struct{ file, element, at string }{{"x.npy", "e+30", "element [2]"}, {"x.csv", "hush", "line 1, column 3"}} {
		for _, owner := range []string{"alice", "bob"} {
			t.Run(owner+" "+k.file, func(t *testing.T) {
				c := newCluster(t, "alice", "bob")
				defer c.stop()
				rank := map[string]int{"alice": 0, "bob": 1}[owner]
				path := filepath.Join(c.dir, owner, "data", k.file)
				spoil := func() {
					bad := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{4}}, Data: []float32{1, 2, 1.25e30, 4}}
					err := npy.WriteFile(path, bad)
					if k.file == "x.csv" {
						err = os.WriteFile(path, []byte("1,2,hush,4\n"), 0o600)
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				submission := func(s *api.Submission) *api.Submission {
					s.Inputs[rank].Name = k.file
					return s
				}
				var said []string
				service := c.service("alice", "bob")
				service.Inputs[1-rank].Resident, service.Inputs[rank].Resident = true, false
				if k.file == "x.csv" { // valid until a request names it again
					if err := os.WriteFile(path, []byte("1,2,3,4\n"), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				if err := c.submit(submission(service), "carol"); err != nil {
					t.Fatal(err)
				}
				c.opened(service)
				spoil()
				for _, v := range c.ask(service) {
					if v.State != api.Failed {
						t.Errorf("the request is %s at %s", v.State, v.Node)
					}
					said = append(said, v.Error)
				}
				s := submission(c.submission("alice", "bob"))
				if err := c.submit(s, "carol"); err != nil {
					t.Fatal(err)
				}
				for _, p := range s.Parties {
					j := c.wait(s.ID, p)
					if j.State != api.Failed || !strings.Contains(j.Error, "an input of "+owner+" holds an element that cannot be shared") {
						t.Errorf("%s: the job is %s (%s)", p, j.State, j.Error)
					}
					said = append(said, j.Error, c.stateFiles(p))
				}
				for _, text := range append(said, c.log.String()) {
					if strings.Contains(text, k.element) {
						t.Errorf("the element is in %.300q", text)
					}
				}
				for _, text := range said {
					if strings.Contains(text, k.at) {
						t.Errorf("the element's place is in %.300q", text)
					}
				}
				if !strings.Contains(c.log.String(), k.at) {
					t.Errorf("the log does not say %q", k.at)
				}
			})
		}
	}
}

// TestUnknownSubmitterLearnsNothing checks that a submitter that no rule names gets the same message whether an
// input exists or not.
func TestUnknownSubmitterLearnsNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	answers := map[string]bool{}
	for _, name := range []string{"x.npy", "nothing.npy"} {
		s := c.submission("alice", "bob")
		s.Inputs[1].Name = name
		s.Inputs = append(s.Inputs, api.Input{Kept: "model", Args: []int{0}})
		_, err := c.as("mallory", "bob").Submit(t.Context(), s)
		var refused *api.Refused
		if !errors.As(err, &refused) || refused.Status != http.StatusForbidden {
			t.Errorf("with input %s: %v", name, err)
			continue
		}
		answers[refused.Reason] = true
	}
	if len(answers) != 1 {
		t.Errorf("the answers differ: %v", answers)
	}
}
