package main

import (
	"fmt"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
)

// checkpointFlag is the flag for how often a job's loops are set aside.
type checkpointFlag struct {
	Checkpoint *int `placeholder:"N" help:"Set aside after every N turns of a loop what it carries, as shares, so that a job that breaks off can go on from there (--resume)."`
}

// apply replaces what the job file says.
func (f checkpointFlag) apply(j *job.Job) error {
	if f.Checkpoint == nil {
		return nil
	}
	if *f.Checkpoint < 1 {
		return badUsage{fmt.Errorf("--checkpoint: want 1 turn or more, got %d", *f.Checkpoint)}
	}
	j.Checkpoint = *f.Checkpoint
	return nil
}

// resumed is the id of the job that a submission goes on from; "" for none.
func (c *submitCmd) resumed(a app, j *job.Job) (string, error) {
	if c.Resume == "" {
		return "", nil
	}
	if j.Checkpoint == 0 {
		return "", badUsage{fmt.Errorf("--resume: say after how many turns of a loop it is to be set aside: --checkpoint N, or checkpoint: {every: N} in %s", j.File)}
	}
	jobs, err := c.find(a, c.Resume, nil)
	if err != nil {
		return "", err
	}
	return jobs[0].ID, nil
}

// howToResume adds to the error of a job that broke off how to go on.
func (c *submitCmd) howToResume(jobs []api.Job, err error) error {
	again := c.args()
	if c.Checkpoint != nil {
		again += fmt.Sprintf(" --checkpoint %d", *c.Checkpoint)
	}
	for _, j := range jobs {
		if j.Aside != "" {
			return fmt.Errorf("%w (%s has set aside %s: tacet submit %s --resume %.8s goes on from where all have)", err, j.Node, j.Aside, again, j.ID)
		}
	}
	return err
}

// checkpoints are those of a run whose parties are all in this process; nil for
// none.
func (c *runCmd) checkpoints(a app, j *job.Job, m *meter) (*party.Checkpoints, error) {
	if err := c.apply(j); err != nil {
		return nil, err
	}
	switch {
	case c.Resume == "" && c.Checkpoint == nil:
		return nil, nil // the job file's are for nodes
	case c.Resume == "":
		return nil, badUsage{fmt.Errorf("--checkpoint: say in which folder: --resume DIR")}
	case c.Store != "":
		return nil, badUsage{fmt.Errorf("--resume and --store: what is made ahead of time is for runs from their beginning")}
	case j.Checkpoint == 0:
		return nil, badUsage{fmt.Errorf("--resume: say after how many turns of a loop it is to be set aside: --checkpoint N, or checkpoint: {every: N} in %s", j.File)}
	}
	say := notices(a, m)
	return &party.Checkpoints{
		Every: j.Checkpoint, Folder: c.Resume, Resume: true,
		Seen: func(x party.Checkpoint) {
			if x.Err != nil {
				say(fmt.Sprintf("warning: %s is not set aside at %s: %v", x.Place(), x.Party, x.Err))
			}
		},
		Resumed: func(x party.Checkpoint) error {
			if x.ID != "" {
				say(fmt.Sprintf("goes on from %s", x.Place()))
			}
			return nil
		},
	}, nil
}
