package party

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party/report"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/profile"
)

// Service is a program that stays and evaluates requests. Resident arguments (Arg.Resident, and public
// ones) are shared once; each request brings the others. A Service is used by one goroutine at a
// time.
//
// # How requests are kept apart
//
// All requests of one program walk alike, since its control flow depends on public, resident values
// only: the i-th operation instance of one request is the i-th of every request.
// The instances of a request are numbered from the end of the previous request's, so no mask,
// correlation or message of two requests has the same id. A correlation source refuses ids of other
// requests, and the dealer refuses manifests that contain them. If one party knows a vector,
// and the vector depends on nothing but resident values, it keeps its mask and masked value from
// the service's opening; no other vector does. Whether a value is resident is propagated like its visibility, so all parties agree
// on it.
//
// So several requests can be evaluated side by side (Evaluate), whatever the program is, and their
// rounds overlap: messages to a peer that are queued at the same time are sent in one write, and
// steps share the process's workers. Each request has its own inputs, costs and results, and
// nothing of one depends on the data of another, unless it reads state.
//
// A service with several programs (Spec.Programs) opens each in turn, with instances of its own. A program that reads the vector of a
// resident argument which an earlier one has shared gets it with its mask; other vectors that stay have masks of
// their own. Requests of all programs read and replace the same states.
type Service struct {
	programs      []*servedProgram // the first is Spec.Program
	openingReport *profile.Report
	close         func()
	lifetime      context.Context // ends when another party aborts
	endLife       context.CancelCauseFunc
	lost          chan error
	err           error // the error that ended the service

	firstOp    uint32 // number of the first operation instance of the next prepared request
	agreements uint32 // number of agreements that the parties have started
	// lastPrepared is the newest request whose correlations have been requested; nil before the first.
	lastPrepared *execution

	ahead atomic.Pointer[[]*ahead] // of prepared requests that are not being evaluated, for Lead
}

// ErrExhausted is the error of a service that has evaluated so many requests that no operation numbers are left:
// masks are drawn by operation number, and none may be used twice.
var ErrExhausted = errors.New("party: the service has used up its operation numbers (open a new service)")

// Open opens a service: it shares the resident arguments, and requests the correlations of the first request.
// Data of other arguments is ignored. If seat is nil, all parties are in this process. Otherwise the service is
// this party's side, and closing the service closes seat.Link. The end of ctx ends the service. A spec with
// Store, PairState or Checkpoints, or with a protocol in cleartext, is an error of kind unsupported.
func Open(ctx context.Context, s Spec, seat *Seat) (*Service, error) {
	s, err := s.Resolve()
	if err != nil {
		return nil, err
	}
	if s.Store != "" {
		return nil, problem.Refusef("a service takes its correlated randomness from a live dealer, not from a store")
	}
	if s.PairState != "" {
		return nil, problem.Refusef("a service keeps nothing for later sessions (leave out PairState)")
	}
	if s.Checkpoints != nil {
		return nil, problem.Refusef("a service writes no checkpoints")
	}
	if s.clear() {
		return nil, problem.Refusef("protocol %s shares nothing, so it has no resident inputs", s.Protocol)
	}
	if err := s.checkPrograms(); err != nil {
		return nil, err
	}
	all := s
	s.Args, s.served, s.Programs = withoutRequestData(s.Args), s.Programs, nil
	v := &Service{lost: make(chan error, 1), programs: []*servedProgram{{}}}
	rank := -1
	if seat != nil {
		seat := *seat
		seat.service = true
		rank = seat.Rank
		v.lifetime, v.endLife = seat.withPeerAbort(ctx, s.online())
		if v.programs[0].opening, err = s.seated(v.lifetime, seat, needsResident(rank)); err != nil {
			seat.Link.Abort(err.Error())
			v.endLife(nil)
			return nil, err
		}
		v.close = seat.Link.Close
	} else {
		if v.programs[0].opening, err = s.execute(ctx, needsResident(rank)); err != nil {
			return nil, err
		}
		v.lifetime, v.endLife = context.WithCancelCause(ctx)
		v.close = v.opening().connect()
		v.opening().setProviders(v.lifetime)
	}
	for _, p := range all.Programs {
		l, err := v.furtherExecution(v.lifetime, all, p.Name, needsResident(rank))
		if err != nil {
			return nil, v.fail(err)
		}
		v.programs = append(v.programs, &servedProgram{name: p.Name, opening: l})
	}
	if err := v.open(v.lifetime); err != nil {
		return nil, v.fail(err)
	}
	return v, nil
}

// withoutRequestData returns a copy of args without the data that requests bring.
func withoutRequestData(args []Arg) []Arg {
	out := slices.Clone(args)
	for i, a := range out {
		if a.Owner != Public && !a.Resident {
			out[i].Data = nil
		}
	}
	return out
}

func (v *Service) open(ctx context.Context) error {
	l := v.opening()
	err := l.step(ctx, link.Setup, "plan", func(ctx context.Context, x *session) error {
		if err := x.planOpening(ctx); err != nil {
			return err
		}
		if l.distributed {
			x.allowTraffic(1)
		}
		return x.handshake(ctx, l.seeds)
	})
	if err == nil {
		err = l.each(ctx, func(ctx context.Context, x *session) error { return x.awaitOffline(ctx) })
	}
	if err == nil {
		err = l.step(ctx, link.Input, "input", func(ctx context.Context, x *session) error { return x.shareInputs(ctx) })
	}
	if err == nil {
		err = v.complete(ctx, l)
	}
	if err != nil {
		return err
	}
	if l.distributed {
		v.watch()
	}
	for i, p := range v.programs {
		if i > 0 {
			if err := v.openFurther(ctx, p.opening); err != nil {
				return err
			}
		}
		p.opening.residentOf()
		v.firstOp += p.ids()
		if l.distributed {
			if err := p.opening.exchangeTallies(ctx); err != nil {
				return err
			}
		}
	}
	v.openingReport = v.openedReport()
	return v.requestCorrelations(ctx, v.programs[0], 1)
}

// planOpening plans the sharing of resident inputs. The terms contain the manifest digest of a
// whole request.
func (s *session) planOpening(ctx context.Context) error {
	if err := s.prepare(ctx); err != nil {
		return err
	}
	digest := s.plan.digest()
	s.inputs = s.inputs.Staying()
	f := &prediction{Costs: report.Costs{Ops: exec.NewCosts(s.spec.Program)}, ids: s.plan.ids, manifestDigest: &digest}
	input := s.newDryRunGraph(ctx, link.Input, f)
	c, rec := s.dryConfig()
	s.newProtocolSession(ctx, c).ShareInputs(input)
	if err := input.Wait(); err != nil {
		return err
	}
	f.Rounds[link.Input] = input.Rounds()
	f.setManifest(rec.Manifest())
	f.demand = c.Demand
	if err := s.predictOffline(f, c); err != nil {
		return err
	}
	s.plan, s.measured.Ops = f, exec.NewCosts(s.spec.Program)
	return nil
}

// Opened returns the report of the costs of Open: the handshake, the resident inputs, and the correlations for
// them.
func (v *Service) Opened() *profile.Report { return v.openingReport }

// watch reports connections that end while the service waits for requests, on Lost.
func (v *Service) watch() {
	x := v.opening().sessions[0]
	for _, i := range x.others() {
		x.link.Await(i, link.Key{Phase: link.Setup, Step: stepNever}, func(_ link.Message, err error) {
			select {
			case v.lost <- nameParty(err, v.opening().spec.Parties):
			default: // another loss was reported before
			}
		})
	}
}

// Lost returns a channel that receives one error when the connection to some party has ended; the service then
// cannot evaluate further requests. A service without a seat never sends to it.
func (v *Service) Lost() <-chan error { return v.lost }

// fail ends the service with an error and returns the error that ended it first.
func (v *Service) fail(err error) error {
	if v.err != nil {
		return v.err
	}
	v.err = nameParty(peerAbort(v.lifetime, err), v.opening().spec.Parties)
	if v.opening().distributed {
		v.opening().sessions[0].link.Abort(v.err.Error())
	}
	v.end()
	return v.err
}

// Abort ends the service and sends the reason to the other parties. It has no effect if the service has ended.
func (v *Service) Abort(reason error) {
	if v.err == nil {
		v.fail(reason)
	}
}

// Close ends the service and closes its connections. It has no effect if the service has ended.
func (v *Service) Close() {
	if v.err == nil {
		v.err = errors.New("party: the service is closed")
		v.end()
	}
}

func (v *Service) end() {
	for _, l := range v.allPrepared() {
		l.close() // its correlations will not be used
	}
	for _, p := range v.programs {
		p.opening.close()
	}
	v.close()
	v.endLife(nil)
	awaitCollection()
}
