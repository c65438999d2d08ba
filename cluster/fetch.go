package cluster

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Bounds of what a node may send, in bytes. A node belongs to another organisation, and its answers are
// checked like any text from outside.
const (
	maxReport  = 64 << 20
	maxResults = 8 << 30
)

// Fetch fetches the results and the report of a finished job from the node of client c. The results are in the
// program's order, and nil if the node's party learns none. A node that does not permit the client to fetch
// gives an *api.Refused.
func Fetch(ctx context.Context, c *api.Client, id string) ([]*tensor.Array, *profile.Report, error) {
	j, err := c.Job(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return fetch(c.Name(), "", j.Results, j.Reveals,
		func(b *bounded) error { return c.Report(ctx, id, b) },
		func(b *bounded) error { return c.Results(ctx, id, b) })
}

// fetch fetches a report, and n results of a program if n is not 0, from a node. program is the name of one of a service's
// further programs, or "" for the first one; reveals is what the node announces of the job.
func fetch(
	node, program string, n int, reveals []api.Learned, reportTo, resultsTo func(*bounded) error,
) ([]*tensor.Array, *profile.Report, error) {
	text := bounded{max: maxReport, what: node + ": the report"}
	if err := reportTo(&text); err != nil {
		return nil, nil, err
	}
	report, err := profile.Parse(text.Bytes())
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", node, err)
	}
	if n == 0 {
		return nil, report, nil
	}
	types, size, err := resultTypes(program, n, reveals)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: results: %w", node, err)
	}
	b := bounded{max: size, what: node + ": the archive of the results"}
	if err := resultsTo(&b); err != nil {
		return nil, nil, err
	}
	results, err := arrays(b.Bytes(), types)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: results: %w", node, err)
	}
	return results, report, nil
}

// bounded is a buffer that refuses more than max bytes.
type bounded struct {
	bytes.Buffer
	max  int64
	what string
}

func (b *bounded) Write(p []byte) (int, error) {
	if int64(b.Len())+int64(len(p)) > b.max {
		return 0, fmt.Errorf("%s is longer than %d bytes, the maximum", b.what, b.max)
	}
	return b.Buffer.Write(p)
}

// resultTypes returns the types of n results of a program, as a node announces them, and the maximum size of an archive
// of such results. program is as for fetch.
func resultTypes(program string, n int, reveals []api.Learned) (types []string, size int64, err error) {
	const header, element = 4 << 10, 16 // maximum bytes of an array's header and its entry, and of an element
	of := api.ResultOf(program)
	for _, r := range reveals {
		text, ok := strings.CutPrefix(r.What, fmt.Sprintf("%sresult %d: ", of, len(types)))
		if !ok {
			continue
		}
		elements := int64(1)
		for dims := strings.TrimPrefix(text, "tensor<"); ; {
			dim, rest, more := strings.Cut(dims, "x")
			k, err := strconv.ParseInt(dim, 10, 64)
			if !more || err != nil {
				break
			}
			if k < 0 || k > 0 && elements > maxResults/k {
				return nil, 0, fmt.Errorf("the node announces %.100q, which is above the maximum of %d bytes", text, int64(maxResults))
			}
			elements, dims = elements*k, rest
		}
		types = append(types, text)
		if size += header + element*elements; size > maxResults {
			return nil, 0, fmt.Errorf("the node announces results above the maximum of %d bytes", int64(maxResults))
		}
	}
	if n != len(types) {
		return nil, 0, fmt.Errorf("the node says that it has %d results, and announces the types of %d", n, len(types))
	}
	return types, size, nil
}

// arrays reads results of these types from the .npy files of a zip archive. The types are checked before
// memory is taken for the arrays.
func arrays(b []byte, types []string) ([]*tensor.Array, error) {
	a, err := npy.NewArchive(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	if k := len(a.Names()); k != len(types) {
		return nil, fmt.Errorf("the archive has %d files for %d results", k, len(types))
	}
	out := make([]*tensor.Array, len(types))
	for i, want := range types {
		name := fmt.Sprintf("out%d", i)
		t, err := a.Type(name)
		if err != nil {
			return nil, err
		}
		if t.String() != want {
			return nil, fmt.Errorf("result %d has type %v, but the node announced %.100q", i, t, want)
		}
		if out[i], err = a.Read(name); err != nil {
			return nil, err
		}
	}
	return out, nil
}
