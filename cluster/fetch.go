package cluster

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Fetch fetches a finished job's results and report from a node. The results are nil if the node's
// party learns none.
func Fetch(ctx context.Context, c *api.Client, id string) ([]*tensor.Array, *profile.Report, error) {
	j, err := c.Job(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	return fetch(c.Name(), j.Results,
		func(b *bytes.Buffer) error { return c.Report(ctx, id, b) },
		func(b *bytes.Buffer) error { return c.Results(ctx, id, b) })
}

// fetch fetches a report, and n results if n is not 0, from a node.
func fetch(node string, n int, reportTo, resultsTo func(*bytes.Buffer) error) ([]*tensor.Array, *profile.Report, error) {
	var text bytes.Buffer
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
	var b bytes.Buffer
	if err := resultsTo(&b); err != nil {
		return nil, nil, err
	}
	results, err := arrays(b.Bytes(), n)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: results: %w", node, err)
	}
	return results, report, nil
}

// arrays reads n results from the .npy files of a zip archive.
func arrays(b []byte, n int) ([]*tensor.Array, error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Array, n)
	for i := range out {
		f, err := z.Open(fmt.Sprintf("out%d.npy", i))
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(f)
		f.Close()
		if err != nil {
			return nil, err
		}
		r, err := npy.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			return nil, err
		}
		if out[i], err = r.Array(); err != nil {
			return nil, err
		}
	}
	return out, nil
}
