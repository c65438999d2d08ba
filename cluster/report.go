package cluster

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
)

// FetchReport fetches the report of a finished job from the node of client c, without its results.
func FetchReport(ctx context.Context, c *api.Client, id string) (*profile.Report, error) {
	text := bounded{max: maxReport, what: c.Name() + ": the report"}
	if err := c.Report(ctx, id, &text); err != nil {
		return nil, err
	}
	r, err := profile.Parse(text.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name(), err)
	}
	return r, nil
}

// ResultBytes returns the maximum number of bytes that the archive of a job's results takes, as its status announces
// them.
func ResultBytes(j api.Job) (int64, error) {
	_, size, err := resultTypes("", j.Results, j.Reveals)
	return size, err
}
