package party

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// table is a dealer of one session that parties reach by a call.
type table struct {
	seeds []ring.Seed
	n     int
	fails error // what Receive ends with, if not nil
}

func newTable(parties, computing int) *table {
	d := &table{n: computing}
	for range parties {
		d.seeds = append(d.seeds, ring.NewSeed())
	}
	return d
}

func (d *table) Begin(ctx context.Context, t remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	ctx, stop := context.WithCancel(ctx)
	a := &atTable{table: d, ctx: ctx, stop: stop, rank: t.Rank}
	return a, a.Next(f)
}

type atTable struct {
	*table
	ctx  context.Context
	stop context.CancelFunc
	rank int
	form *correlation.Manifest

	turns correlation.ManifestSequence
}

func (a *atTable) Seed() ring.Seed { return a.seeds[a.rank] }
func (a *atTable) Close() error    { a.stop(); return nil }
func (a *atTable) Next(f *correlation.Manifest) error {
	a.form = f
	return a.turns.Admit(f)
}
func (a *atTable) Receive(put func(correlation.ID, []byte)) error {
	if a.fails != nil {
		return a.fails
	}
	return correlation.NewLocal(a.n, a.seeds).Deal(a.ctx, a.form, func(id correlation.ID, data []byte) error {
		put(id, data)
		return nil
	})
}

// jointly has every party of a spec join with nothing but its own data.
func jointly(t *testing.T, s Spec, ends []*link.Endpoint, d offline.Dealer, change func(rank int, s *Spec)) ([]*Outcome, []error) {
	t.Helper()
	id := correlation.NewSessionID()
	outs, errs := make([]*Outcome, len(ends)), make([]error, len(ends))
	var wg sync.WaitGroup
	for rank := range ends {
		own := s
		own.Args = slices.Clone(s.Args)
		for i, a := range own.Args {
			if a.Owner != Public && a.Owner != rank {
				own.Args[i].Data = nil
			}
		}
		own.Program = parsedJoint(t)
		if change != nil {
			change(rank, &own)
		}
		wg.Go(func() {
			outs[rank], errs[rank] = Join(t.Context(), own, Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: d})
			ends[rank].Close()
		})
	}
	wg.Wait()
	return outs, errs
}

const jointText = `func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %b: tensor<2xf32>) -> (tensor<4x2xf32>, tensor<i32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<2xf32>) -> tensor<4x2xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x2xf32>
  %3 = stablehlo.logistic %2 : tensor<4x2xf32>
  %c = stablehlo.constant dense<7> : tensor<i32>
  return %3, %c : tensor<4x2xf32>, tensor<i32>
}`

func parsedJoint(t *testing.T) *hlo.Program {
	t.Helper()
	p, err := hlo.Parse("joint.mlir", []byte(jointText))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func jointSpec(t *testing.T, protocol string, parties int) Spec {
	s := Spec{
		Program: parsedJoint(
			t,
		), Protocol: protocol, Ring: 64, Fraction: 18, Computing: parties, Network: "none", Reveal: []int{1}, Set: map[string]string{},
	}
	for i := range parties {
		s.Parties = append(s.Parties, fmt.Sprintf("p%d", i))
	}
	for i, p := range s.Program.Main.Body.Params {
		a := tensor.NewArray(p.Type)
		for j, d := 0, a.Data.([]float32); j < len(d); j++ {
			d[j] = float32(j%5-2) / 4
		}
		s.Args = append(s.Args, Arg{Owner: i % parties, Data: a})
	}
	return s
}

// TestJoin checks that results and costs of distributed parties equal those in one process.
func TestJoin(t *testing.T) {
	for _, c := range []struct {
		protocol string
		parties  int
	}{{"semi2k", 2}, {"semi2k", 3}, {"aby3", 3}} {
		t.Run(fmt.Sprintf("%s-%d", c.protocol, c.parties), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			s := jointSpec(t, c.protocol, c.parties)
			whole := s
			together, err := Run(t.Context(), whole)
			if err != nil {
				t.Fatal(err)
			}
			outs, errs := jointly(t, s, link.Memory(c.parties), newTable(c.parties, c.parties), nil)
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			for rank, out := range outs {
				if learns := slices.Contains(s.Reveal, rank); (out.Results != nil) != learns {
					t.Errorf("party %d has results: %v, learns them: %v", rank, out.Results != nil, learns)
				}
				if got, want := costsOf(t, out.Report), costsOf(t, together.Report); !bytes.Equal(got, want) {
					t.Errorf("party %d reports\n%s\nwhere one process has\n%s", rank, got, want)
				}
			}
			got, want := outs[1].Results[0].Floats(), together.Results[0].Floats()
			for i := range want {
				if d := got[i] - want[i]; d > 2e-5 || d < -2e-5 {
					t.Errorf("result %d is %v, together %v", i, got[i], want[i])
				}
			}
		})
	}
}

// costsOf is what of a report is no matter of time.
func costsOf(t *testing.T, r *profile.Report) []byte {
	t.Helper()
	c := *r
	c.PeakMemoryBytes, c.Setup = 0, profile.Phase{}
	for _, p := range []*float64{&c.Input.Seconds, &c.Online.Seconds, &c.Output.Seconds, &c.Offline.Seconds} {
		*p = 0
	}
	c.Ops = slices.Clone(c.Ops)
	for i := range c.Ops {
		c.Ops[i].Seconds = 0
		c.Ops[i].Sites = slices.Clone(c.Ops[i].Sites)
		for j := range c.Ops[i].Sites {
			c.Ops[i].Sites[j].Seconds = 0
		}
	}
	text, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestJoinDiffers gives one party a different spec: all parties get an error that names the
// difference.
func TestJoinDiffers(t *testing.T) {
	for name, change := range map[string]func(*Spec){
		"fraction": func(s *Spec) { s.Fraction = 16 },
		"reveal":   func(s *Spec) { s.Reveal = []int{0} },
		"owner of argument 0": func(s *Spec) {
			s.Args[0], s.Args[1] = Arg{Owner: 1, Data: s.Args[0].Data}, Arg{Owner: 0, Data: s.Args[1].Data}
		},
		"range of argument 0": func(s *Spec) {
			s.Args = slices.Clone(s.Args)
			s.Args[0].Range = &pattern.Interval{Lo: -1, Hi: 1}
		},
		"set exp.mode": func(s *Spec) { s.Set = map[string]string{"exp.mode": "taylor"} },
		"network":      func(s *Spec) { s.Network = "lan" },
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			_, errs := jointly(t, jointSpec(t, "semi2k", 2), link.Memory(2), newTable(2, 2), func(rank int, s *Spec) {
				if rank == 1 {
					full := jointSpec(t, "semi2k", 2)
					s.Args = full.Args
					change(s)
				}
			})
			found := false
			for rank, err := range errs {
				if err == nil {
					t.Fatalf("party %d has not noticed", rank)
				}
				found = found || strings.Contains(err.Error(), "differ in "+name)
			}
			if !found {
				t.Errorf("nobody names %s: %v", name, errs)
			}
		})
	}
}

// TestJoinDealerFails checks that an error of the dealer ends the run at all parties.
func TestJoinDealerFails(t *testing.T) {
	defer goleak.VerifyNone(t)
	d := newTable(2, 2)
	d.fails = errors.New("out of randomness")
	_, errs := jointly(t, jointSpec(t, "semi2k", 2), link.Memory(2), d, nil)
	if errs[1] == nil || !strings.Contains(errs[1].Error(), "dealer: out of randomness") {
		t.Errorf("who gets corrections: %v", errs[1])
	}
	if errs[0] == nil {
		t.Error("the other has not noticed")
	}
}

// TestJoinLost checks that errors name the lost party and the message that was awaited.
func TestJoinLost(t *testing.T) {
	defer goleak.VerifyNone(t)
	ends := link.Memory(2)
	s := jointSpec(t, "semi2k", 2)
	d := newTable(2, 2)
	_, errs := jointly(t, s, ends, d, func(rank int, s *Spec) {
		if rank == 1 {
			s.Progress = func(p Progress) {
				if p.Phase == "online" {
					ends[1].Close()
				}
			}
		}
	})
	var lost *LostError
	if !errors.As(errs[0], &lost) || lost.Party != "p1" || lost.Round == 0 || !strings.Contains(lost.Where, "joint.mlir") {
		t.Errorf("party 0: %v", errs[0])
	}
}

// stalled is a dealer that deals nothing, nor says why.
type stalled struct {
	*table
	asked chan struct{} // closed when somebody waits for corrections
}

func (d stalled) Begin(ctx context.Context, t remote.Participant, f *correlation.Manifest) (offline.DealerSession, error) {
	a, err := d.table.Begin(ctx, t, f)
	return atStalled{a.(*atTable), d.asked}, err
}

type atStalled struct {
	*atTable
	asked chan struct{}
}

func (a atStalled) Receive(func(correlation.ID, []byte)) error {
	close(a.asked)
	<-a.ctx.Done()
	return a.ctx.Err()
}

// TestJoinHeedsAborts: a party that waits for the dealer alone hears that
// another has given up.
func TestJoinHeedsAborts(t *testing.T) {
	ends := link.Memory(2)
	d := stalled{newTable(2, 2), make(chan struct{})}
	id := correlation.NewSessionID()
	s := jointSpec(t, "semi2k", 2)
	ctx, stop := context.WithCancelCause(t.Context())
	go func() {
		<-d.asked
		stop(errors.New("the owner has had enough"))
	}()
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for rank, ctx := range []context.Context{ctx, t.Context()} {
		own := s
		own.Program = parsedJoint(t)
		wg.Go(func() {
			_, errs[rank] = Join(ctx, own, Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: d})
			ends[rank].Close()
		})
	}
	wg.Wait()
	if errs[0] == nil || errs[1] == nil || errs[1].Error() != "p0 gave up: "+errs[0].Error() {
		t.Errorf("%v; %v", errs[0], errs[1])
	}
}

// TestPeerReasonWait checks that a party that learns from the dealer that another party's run has
// ended reports that party's reason.
func TestPeerReasonWait(t *testing.T) {
	ends := link.Memory(2)
	d := newTable(2, 2)
	d.fails = &remote.EndError{Reason: "p0 has ended it: its run has ended"}
	id := correlation.NewSessionID()
	s := jointSpec(t, "semi2k", 2)
	ctx, stop := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { stop(errors.New("the owner has had enough")) })
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for rank, dealer := range []offline.Dealer{stalled{newTable(2, 2), make(chan struct{})}, d} {
		ctx, own := []context.Context{ctx, t.Context()}[rank], s
		own.Program = parsedJoint(t)
		wg.Go(func() {
			_, errs[rank] = Join(ctx, own, Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: dealer})
			ends[rank].Close()
		})
	}
	wg.Wait()
	if errs[0] == nil || errs[1] == nil || errs[1].Error() != "p0 gave up: "+errs[0].Error() {
		t.Errorf("%v; %v", errs[0], errs[1])
	}
}

// TestAbortedBefore: a party that aborts before another one has begun is named, whatever that one begins.
func TestAbortedBefore(t *testing.T) {
	defer goleak.VerifyNone(t)
	for name, begin := range map[string]func(ctx context.Context, s Spec, seat Seat) error{
		"a run": func(ctx context.Context, s Spec, seat Seat) error { _, err := Join(ctx, s, seat); return err },
		"a resumed run": func(ctx context.Context, s Spec, seat Seat) error {
			s.Checkpoints = &resume.Checkpoints{Folder: t.TempDir(), Every: 1, Resume: true}
			_, err := Join(ctx, s, seat)
			return err
		},
		"a stored session": StoreOffline,
		"a service":        func(ctx context.Context, s Spec, seat Seat) error { _, err := Open(ctx, s, &seat); return err },
	} {
		ends := link.Memory(2)
		ends[0].Abort("enough")
		gone := make(chan error, 1)
		ends[1].Await(0, link.Key{Op: 1}, func(_ link.Message, err error) { gone <- err })
		<-gone
		s := jointSpec(t, "semi2k", 2)
		if name == "a stored session" {
			s.Store = t.TempDir()
		}
		err := begin(t.Context(), s, Seat{Rank: 1, Link: ends[1], Session: correlation.NewSessionID(), Dealer: newTable(2, 2)})
		var lost *LostError
		if !errors.As(err, &lost) || err.Error() != "p0 gave up: enough" {
			t.Errorf("%s: %v", name, err)
		}
		ends[0].Close()
		ends[1].Close()
	}
}

// TestOtherPartyLost: the loss of a party that computes nothing online ends what the
// others do, whatever that is; that of another ends it where it is awaited, and
// one that has left has finished.
func TestOtherPartyLost(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, c := range []struct {
		name    string
		rank    int
		leaves  func(e *link.Endpoint, c net.Conn)
		because string // "" if nothing ends
	}{
		{"one that does not compute is lost", 2, func(_ *link.Endpoint, c net.Conn) { c.Close() }, "link: party 2: the connection broke off"},
		{"one that computes is lost", 1, func(_ *link.Endpoint, c net.Conn) { c.Close() }, ""},
		{"one that does not compute leaves", 2, func(e *link.Endpoint, _ net.Conn) { e.Close() }, ""},
		{"one that computes gives up", 1, func(e *link.Endpoint, _ net.Conn) { e.Abort("enough") }, "link: party 1: enough"},
	} {
		conns := make([]io.ReadWriteCloser, 3)
		var others [3]*link.Endpoint
		var far [3]net.Conn
		for rank := 1; rank < 3; rank++ {
			conns[rank], far[rank] = net.Pipe()
			others[rank] = link.NewEndpoint(1, []io.ReadWriteCloser{far[rank], nil}) // it has this connection alone
		}
		e := link.NewEndpoint(0, conns)
		ctx, end := Seat{Rank: 0, Link: e}.withPeerAbort(t.Context(), 2)
		gone := make(chan error)
		e.Await(c.rank, link.Key{Op: 1}, func(_ link.Message, err error) { go func() { gone <- err }() })
		c.leaves(others[c.rank], far[c.rank])
		if err := <-gone; err == nil {
			t.Errorf("%s: nothing was noticed", c.name)
		}
		for _, o := range others[1:] {
			o.Close()
		}
		e.Close()
		if err := context.Cause(ctx); (err == nil) != (c.because == "") || err != nil && err.Error() != c.because {
			t.Errorf("%s: %v, want %q", c.name, err, c.because)
		}
		end(nil)
	}
}
