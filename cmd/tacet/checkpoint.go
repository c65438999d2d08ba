package main

import (
	"fmt"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party/resume"
)

// checkpointFlag is the flag for the number of loop iterations between two checkpoints.
type checkpointFlag struct {
	Checkpoint *int `placeholder:"N" help:"Write a checkpoint after every N iterations of a loop: its live-in values, as shares. A job that fails can be resumed from there (--resume)."`
}

// apply overrides the job file's setting.
func (f checkpointFlag) apply(j *job.Job) error {
	if f.Checkpoint == nil {
		return nil
	}
	if *f.Checkpoint < 1 {
		return badUsage{fmt.Errorf("--checkpoint: want 1 iteration or more, got %d", *f.Checkpoint)}
	}
	j.Checkpoint = *f.Checkpoint
	return nil
}

// resumed returns the id of the job that --resume names; "" without it.
func (c *submitCmd) resumed(a app, j *job.Job) (string, error) {
	if c.Resume == "" {
		return "", nil
	}
	if j.Checkpoint == 0 {
		return "", badUsage{fmt.Errorf("--resume needs the number of iterations between checkpoints: --checkpoint N, or checkpoint: {every: N} in %s",
			j.File)}
	}
	jobs, err := c.find(a, c.Resume, nil)
	if err != nil {
		return "", err
	}
	return jobs[0].ID, nil
}

// howToResume adds to the error of a failed job the command that resumes it.
func (c *submitCmd) howToResume(jobs []api.Job, err error) error {
	again := c.args()
	if c.Checkpoint != nil {
		again += fmt.Sprintf(" --checkpoint %d", *c.Checkpoint)
	}
	for _, j := range jobs {
		if j.NewestCheckpoint != "" {
			return fmt.Errorf("%w (newest checkpoint of %s: %s; tacet submit %s --resume %.8s resumes from the newest one that all nodes have)",
				err, j.Node, j.NewestCheckpoint, again, j.ID)
		}
	}
	return err
}

// checkpoints returns the checkpoint settings of a run with all parties in this process; nil for no
// checkpoints.
func (c *runCmd) checkpoints(a app, j *job.Job, m *meter) (*resume.Checkpoints, error) {
	if err := c.apply(j); err != nil {
		return nil, err
	}
	switch {
	case c.Resume == "" && c.Checkpoint == nil:
		return nil, nil // checkpoint in the job file alone applies to nodes
	case c.Resume == "":
		return nil, badUsage{fmt.Errorf("--checkpoint needs a folder: --resume DIR")}
	case c.Store != "":
		return nil, badUsage{fmt.Errorf("--resume and --store exclude each other: stored correlations are for runs from their beginning")}
	case c.PairState != "":
		return nil, badUsage{fmt.Errorf("--resume and --pair-state exclude each other")}
	case j.Checkpoint == 0:
		return nil, badUsage{fmt.Errorf("--resume needs the number of iterations between checkpoints: --checkpoint N, or checkpoint: {every: N} in %s",
			j.File)}
	}
	say := notices(a, m)
	return &resume.Checkpoints{
		Every: j.Checkpoint, Folder: c.Resume, Resume: true,
		Written: func(x resume.Checkpoint) {
			if x.Err != nil {
				say(fmt.Sprintf("warning: checkpoint at %s not written by %s: %v", x.Place(), x.Party, x.Err))
			}
		},
		Resumed: func(x resume.Checkpoint) error {
			if x.ID != "" {
				say(fmt.Sprintf("resumes from %s", x.Place()))
			}
			return nil
		},
	}, nil
}
