package node

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/tasks"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/version"
)

// fuzzedID is the id of the job of fuzz tests: its submission's digest is always the same.
var fuzzedID = strings.Repeat("0f", 16)

// fuzzedNode starts alice's node, with a job of that id that bob leads, whose node does not exist.
func fuzzedNode(t *testing.T) (*testCluster, *Node, *api.Submission) {
	t.Helper()
	c := newCluster(t)
	if err := os.MkdirAll(filepath.Join(c.dir, "alice", "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeInput(t, filepath.Join(c.dir, "alice", "data"))
	c.write("alice", "policy.yaml", anything)
	c.start("alice", []string{"alice", "bob"}, nil)
	n := c.nodes["alice"]
	s := c.submission("bob", "alice")
	s.ID = fuzzedID
	if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return c, n, s
}

// writeInput writes the input x.npy into a folder.
func writeInput(t *testing.T, dir string) {
	t.Helper()
	x := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{4}}, Data: []float32{1, 2, -1, 0}}
	if err := npy.WriteFile(filepath.Join(dir, "x.npy"), x); err != nil {
		t.Fatal(err)
	}
}

// answers checks that a node is alive: it lists its jobs, each in a valid state.
func answers(t *testing.T, c *testCluster) {
	t.Helper()
	jobs, _, err := c.as("carol", "alice").Jobs(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if !j.State.Valid() || j.State == api.Done || j.State.Final() && j.Error == "" {
			t.Errorf("%+v", j)
		}
	}
}

// FuzzSessionMessages sends two messages about the session of a job to a node, as the party that leads it: the
// node answers or refuses, and stays as it was.
func FuzzSessionMessages(f *testing.F) {
	kinds := []string{"reserve", "start", "requests", "release"}
	text := func(v any) []byte {
		b, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		return b
	}
	c := &testCluster{}
	s := c.submission("bob", "alice")
	s.ID = fuzzedID
	reserve := api.Reserve{Version: version.Release, Digest: s.Digest(), Try: 1}
	whole := reserve
	whole.Owners = []int{0, 1, -1}
	start := api.Start{Session: correlation.NewSessionID().String(), Owners: []int{0, 1, -1}}
	f.Add(uint8(0), uint8(0), text(reserve), text(whole))
	f.Add(uint8(0), uint8(1), text(whole), text(start))
	f.Add(uint8(2), uint8(3), []byte(`{"requests":[{"request":"1","digest":"2"},{"request":"1","digest":"2"}]}`), text(api.Release{Try: 1, Reason: "\x1b[2J"}))
	for _, owners := range [][]int{{}, {0}, {0, 1, -1, 0}, {1 << 62, -2, 5}, {1, 0, -1}, {-1, -1, -1}} {
		whole.Owners, start.Owners, start.Stay = owners, owners, []int{0, 7, -1}
		f.Add(uint8(0), uint8(1), text(whole), text(start))
		f.Add(uint8(1), uint8(0), text(start), text(whole))
	}
	f.Add(uint8(0), uint8(3), []byte(`{"try":-9223372036854775808}`), []byte(`{"try":9223372036854775807}`))
	f.Fuzz(func(t *testing.T, first, second uint8, a, b []byte) {
		c, n, _ := fuzzedNode(t)
		defer c.stop()
		for _, m := range []struct {
			kind uint8
			text []byte
		}{{first, a}, {second, b}} {
			r := httptest.NewRequestWithContext(context.WithValue(t.Context(), callerKey{}, pki.Caller{Name: "bob"}), http.MethodPost,
				"/v1/sessions/"+fuzzedID+"/"+kinds[int(m.kind)%len(kinds)], bytes.NewReader(m.text))
			w := httptest.NewRecorder()
			n.routes().ServeHTTP(w, r)
			var refused api.Error
			switch {
			case w.Code == http.StatusOK, w.Code == http.StatusProcessing: // a heartbeat came first
			case w.Code == http.StatusInternalServerError, json.Unmarshal(w.Body.Bytes(), &refused) != nil, refused.Error == "":
				t.Errorf("%s %.200q: %d %.200q", r.URL.Path, m.text, w.Code, w.Body)
			}
		}
		answers(t, c)
	})
}

// FuzzDataConnection opens data connections with arbitrary first messages, as bob and as a party of no job. A
// dialler likewise reads arbitrary answers.
func FuzzDataConnection(f *testing.F) {
	message := func(v any) []byte {
		var b bytes.Buffer
		if err := writeJSON(&b, v); err != nil {
			f.Fatal(err)
		}
		return b.Bytes()
	}
	f.Add(message(dialRequest{version.Release, version.Protocol, fuzzedID, "", 1, 0}))
	f.Add(message(dialRequest{version.Release, version.Protocol, fuzzedID, "s", 0, 1}))
	f.Add(message(dialRequest{version.Release, version.Protocol, fuzzedID, "s", 1 << 40, 1}))
	f.Add(message(dialRequest{"\x1b[2J", -1, strings.Repeat("x", 1000), "", -1, -1}))
	f.Add(message(dialReply{Wait: true, Protocol: version.Protocol}))
	f.Add(message(dialReply{Error: strings.Repeat("no ", 1000)}))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, '{'})
	f.Add([]byte{0, 0, 0, 4, 'n', 'u', 'l', 'l'})
	f.Fuzz(func(t *testing.T, text []byte) {
		c, n, _ := fuzzedNode(t)
		defer c.stop()
		a, b := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			n.acceptSessionConn(pki.Caller{Conn: b, Name: "bob", Proto: SessionProto})
		}()
		a.SetDeadline(time.Now().Add(busyWait))
		go func() {
			a.Write(text)
			if len(text) < 4 {
				a.Close()
			}
		}()
		var reply dialReply
		if int64(len(text)) >= 4 && len(text)-4 >= int(uint32(text[0])<<24|uint32(text[1])<<16|uint32(text[2])<<8|uint32(text[3])) {
			if err := readJSON(a, &reply); err != nil || reply.Error == "" && !reply.Wait {
				t.Errorf("%q: %+v, %v", text, reply, err)
			}
		}
		a.Close()
		<-done
		answers(t, c)
		var k dialReply
		readJSON(bytes.NewReader(text), &k) // as the dialler does
	})
}

// FuzzKept reads arbitrary files of kept results, and plans a job with what they hold.
func FuzzKept(f *testing.F) {
	good := fmt.Sprintf(`[{"ID":"1-0","Result":0,"Type":{"DType":%d,"Shape":[]},"Protocol":"semi2k","Parties":["alice","bob"],"Computing":2,"Rank":0,`+
		`"Fraction":18,"Ring":64,"Scale":18,"Bound":40,"Words":[7]}]`, tensor.F32)
	whole := strings.NewReplacer(fmt.Sprintf(`"DType":%d`, tensor.F32), fmt.Sprintf(`"DType":%d`, tensor.I32), `"Ring":64`, `"Ring":32`,
		`"Scale":18`, `"Scale":0`, `"Bound":40`, `"Bound":31`).Replace(good)
	f.Add([]byte(good))
	f.Add([]byte(whole))
	for _, change := range [][2]string{
		{`"Ring":`, `"Ring":0,"Rank":`}, {`"Ring":`, `"Ring":-`}, {`"Ring":`, `"Ring":10995116277`}, {`"Words":[7]`, `"Words":[]`},
		{`"Words":[7]`, `"Words":[1,2,3]`}, {`"Shape":[]`, `"Shape":[4]`}, {`"Shape":[]`, `"Shape":[-1,4294967296,4294967296]`}, {`"DType":`, `"DType":9`},
		{`"Scale":`, `"Scale":-5,"Rank":`}, {`"Bound":`, `"Bound":-`}, {`"Bound":`, `"Bound":40`}, {`"Rank":0`, `"Rank":9`}, {`[{`, `[null,{`}, {`"Rank":0`, `"Rank":1`},
	} {
		f.Add([]byte(strings.Replace(good, change[0], change[1], 1)))
		f.Add([]byte(strings.Replace(whole, change[0], change[1], 1)))
	}
	for _, text := range []string{"", "[]", "null", "[null]", "{}", "[{}]"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		planned := 0
		c := &testCluster{t: t, dir: t.TempDir()}
		k := c.config("alice", []string{"alice", "bob"})
		if err := os.MkdirAll(filepath.Join(k.State, keptFolder), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(k.keptFile("model"), text, 0o600); err != nil {
			t.Fatal(err)
		}
		c.write("alice", "policy.yaml", anything)
		p, err := policy.Read(k.Policy, "alice")
		if err != nil {
			t.Fatal(err)
		}
		rules, err := policy.Open(p, filepath.Join(k.State, "counts.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, program := range []string{chainProgram, strings.ReplaceAll(chainProgram, "f32", "i32")} {
			s := c.submission("alice", "bob")
			s.Program.Text, s.Public = []byte(program), nil
			s.Inputs = []api.Input{{Kept: "model", Args: []int{0}}, {Owner: "bob", Name: "x.npy", Args: []int{1}}}
			n := &Node{config: k, policy: rules, log: slog.New(slog.DiscardHandler), ctx: t.Context()}
			_, task, err := n.read(t.Context(), s, "carol", time.Now(), true)
			if err != nil {
				continue
			}
			spec, err := n.spec(task, task.resolved, []int{party.Kept, 1}, nil)
			if err != nil {
				continue
			}
			_, err = party.Plan(t.Context(), spec)
			if err == nil {
				planned++
			}
		}
		if valid := string(text) == good || string(text) == whole; valid && planned != 1 {
			t.Error("valid shares are not used")
		}
	})
}

// FuzzRestore starts a node with an arbitrary job.json, submission.json and, if it is not empty, request.json: it
// starts, and lists only jobs that it can handle.
func FuzzRestore(f *testing.F) {
	c := &testCluster{}
	s := c.submission("alice", "bob")
	s.ID = fuzzedID
	s.Inputs[1].Resident = true
	submission, err := json.Marshal(s)
	if err != nil {
		f.Fatal(err)
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, state := range []api.State{api.Pending, api.Queued, api.Running, api.Done, api.Failed, "gone", ""} {
		for _, serve := range []bool{false, true} {
			j := api.Job{ID: fuzzedID, Node: "alice", Parties: []string{"alice", "bob"}, State: state, Submitter: "carol", Submitted: at, Serve: serve,
				Results: 3, Arguments: []api.Argument{{}}}
			text, err := json.Marshal(record{Job: j, Format: recordFormat, Sent: s.Digest()})
			if err != nil {
				f.Fatal(err)
			}
			own := bytes.Replace(submission, []byte(`"reveals":0`), fmt.Appendf(nil, `"reveals":0,"serve":%v`, serve), 1)
			f.Add(text, own, []byte{})
			f.Add(text, own, []byte(`{"id":"`+fuzzedID+`","state":"done","results":9}`))
			f.Add(text, own, []byte("null"))
			f.Add(bytes.Replace(text, []byte(`"parties":["alice","bob"]`), []byte(`"parties":["eve"]`), 1), own, []byte{})
			f.Add(text, []byte("null"), []byte("{"))
			f.Add(text, bytes.Replace(own, []byte(`"alice"`), []byte(`"alice","alice"`), 1), []byte{})
		}
	}
	f.Add([]byte("null"), []byte("{"), []byte{})
	f.Fuzz(func(t *testing.T, job, submission, request []byte) {
		c := &testCluster{t: t, dir: t.TempDir(), wires: newWires(), nodes: map[string]*Node{}, stops: map[string]func(){}}
		k := c.config("alice", []string{"alice", "bob"})
		folder := filepath.Join(k.State, jobsFolder, fuzzedID)
		for _, dir := range []string{filepath.Join(folder, requestsFolder, fuzzedID), k.Data[0]} {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		writeInput(t, k.Data[0])
		c.write("alice", "policy.yaml", anything)
		files := map[string][]byte{jobFile: job, submissionFile: submission}
		if len(request) > 0 {
			files[filepath.Join(requestsFolder, fuzzedID, requestFile)] = request
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		n, err := New(k, c.wires.port("alice"), nil, slog.New(slog.NewTextHandler(&c.log, nil)))
		if err != nil {
			t.Fatalf("job.json %.300q, submission.json %.300q: %v", job, submission, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			n.Serve(ctx)
		}()
		c.nodes["alice"], c.stops["alice"] = n, func() { cancel(); <-done }
		defer c.stop()
		jobs, _, err := c.as("admin", "alice").Jobs(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range jobs {
			if !j.State.Valid() || j.ID != fuzzedID {
				t.Errorf("%+v", j)
			}
			if _, err := c.as("admin", "alice").RequestStatus(t.Context(), j.ID, fuzzedID); err != nil {
				var refused *api.Refused
				if !errors.As(err, &refused) {
					t.Error(err)
				}
			}
			if !j.State.Final() {
				_, err := c.as("admin", "alice").Cancel(t.Context(), j.ID)
				if now, _ := c.as("admin", "alice").Job(t.Context(), j.ID); !now.State.Final() { // it may have ended by itself
					t.Errorf("it is %s and cannot be cancelled: %v", now.State, err)
				}
			}
		}
		if len(jobs) == 0 {
			if aside, err := os.ReadDir(filepath.Join(k.State, brokenFolder)); err != nil || len(aside) != 1 {
				t.Errorf("the job is gone: %v, %v", aside, err)
			}
		}
	})
}

// FuzzTask checks tasks of any text, whose programs are of the given length: each is refused, since no text is the program of a
// task, or the task's columns are known.
func FuzzTask(f *testing.F) {
	for _, kind := range tasks.Kinds {
		text, err := json.Marshal(hostileTask(kind))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, uint16(4096))
		f.Add(bytes.ReplaceAll(text, []byte("alice."), []byte("alice.*")), uint16(100))
		f.Add(bytes.ReplaceAll(text, []byte("21"), []byte("1e9")), uint16(65535))
	}
	for _, method := range []string{"psi", "hidden", "aligned"} {
		f.Add([]byte(`{"fit":"glm","family":"gaussian","link":"identity","target":"bob.y","features":["alice.x"],"rows":21,"iterations":2,"hessians":2,"condition":10,`+
			`"join":{"method":"`+method+`","kind":"left","on":{"alice":["id"],"bob":["id"]},"keeper":"bob","rows":{"alice":20,"bob":21},"aggregate":{"bob.*":"sum"}}}`), uint16(4096))
		f.Add([]byte(`{"fit":"stats","columns":["alice.x"],"rows":3,"join":{"method":"`+method+`","on":{"alice":[],"carol":["id","id"]},"rows":{"carol":-1,"alice":1e9}}}`), uint16(900))
	}
	f.Add([]byte(`{"fit":"predict","kept":"m","features":["alice.x","alice.x"],"link":"log","growth":{"trees":1,"depth":-1}}`), uint16(900))
	f.Fuzz(func(t *testing.T, text []byte, size uint16) {
		task := &api.Task{}
		if api.ReadMessage(bytes.NewReader(text), api.MaxMessage, task) != nil {
			return
		}
		s := &api.Submission{
			Task: task, Parties: []string{"alice", "bob"}, Program: api.Program{Name: "task.mlir", Text: make([]byte, size)}, Ring: 64, Fraction: 20,
		}
		if s.CheckTexts() != nil {
			return
		}
		_, w := task.String(), &resolvedJob{sub: s}
		if w.checkTask() != nil {
			return
		}
		config := &Config{}
		config.Name = "alice"
		w.columns(config)
		w.keys(config)
		if w.buildTask() == nil {
			t.Errorf("a program of zeros is that of %s", text)
		}
	})
}
