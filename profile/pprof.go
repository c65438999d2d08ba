package profile

import (
	"bytes"
	"fmt"
	"math"

	"github.com/google/pprof/profile"
)

// Pprof returns the report as a gzip-compressed profile for go tool pprof, with a sample for each
// site of an operation. Sample values are the bytes sent by all parties (comm), rounds, offline
// bytes (offline), nanoseconds of local computation (time) and rounds on the longest path (path).
func Pprof(r *Report) ([]byte, error) {
	b := &builder{
		functions: map[[2]string]*profile.Function{}, locations: map[call]*profile.Location{},
		out: &profile.Profile{
			SampleType: []*profile.ValueType{
				{Type: "comm", Unit: "bytes"}, {Type: "rounds", Unit: "count"}, {Type: "offline", Unit: "bytes"},
				{Type: "time", Unit: "nanoseconds"}, {Type: "path", Unit: "count"},
			},
			DefaultSampleType: "comm",
			DurationNanos:     nanos(r.Online.Seconds),
			Comments:          []string{r.title()},
			Mapping:           []*profile.Mapping{{ID: 1, File: r.Program, HasFunctions: true, HasFilenames: true, HasLineNumbers: true}},
		},
	}
	for i := range r.Ops {
		o := &r.Ops[i]
		for _, s := range o.Sites {
			values := []int64{sum(s.BytesSent), int64(s.Rounds), s.OfflineBytes, nanos(s.Seconds), int64(s.PathRounds)}
			if [5]int64(values) != ([5]int64{}) {
				b.add(values, r.stack(o, s.Frame))
			}
		}
	}
	var buf bytes.Buffer
	if err := b.out.CheckValid(); err != nil {
		return nil, fmt.Errorf("profile: make pprof: %w", err)
	}
	if err := b.out.Write(&buf); err != nil {
		return nil, fmt.Errorf("profile: make pprof: %w", err)
	}
	return buf.Bytes(), nil
}

// builder builds a profile. Samples share functions and locations.
type builder struct {
	out       *profile.Profile
	functions map[[2]string]*profile.Function // by name and file
	locations map[call]*profile.Location
}

func (b *builder) add(values []int64, stack []call) {
	s := &profile.Sample{Value: values}
	for _, c := range stack {
		s.Location = append(s.Location, b.location(c))
	}
	b.out.Sample = append(b.out.Sample, s)
}

func (b *builder) location(c call) *profile.Location {
	if l := b.locations[c]; l != nil {
		return l
	}
	at := [2]string{c.name, c.file}
	f := b.functions[at]
	if f == nil {
		f = &profile.Function{ID: uint64(len(b.functions) + 1), Name: c.name, SystemName: c.name, Filename: c.file}
		b.functions[at] = f
		b.out.Function = append(b.out.Function, f)
	}
	l := &profile.Location{
		ID:      uint64(len(b.locations) + 1),
		Mapping: b.out.Mapping[0],
		Line:    []profile.Line{{Function: f, Line: int64(c.line)}},
	}
	b.locations[c] = l
	b.out.Location = append(b.out.Location, l)
	return l
}

func nanos(seconds float64) int64 { return int64(math.Round(seconds * 1e9)) }
