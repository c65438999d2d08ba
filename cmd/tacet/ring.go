package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
)

// ringBits is the value of --ring.
type ringBits int

// UnmarshalText reads a number, or auto.
func (r *ringBits) UnmarshalText(text []byte) error {
	if string(text) == "auto" {
		*r = job.AutoRing
		return nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 0 {
		return fmt.Errorf("want 32, 64, 128 or auto, got %q", text)
	}
	*r = ringBits(n)
	return nil
}

func (r ringBits) String() string {
	if r == job.AutoRing {
		return "auto"
	}
	return strconv.Itoa(int(r))
}

// chooseRing sets the ring of a job with ring auto: the narrowest one that holds all values of a run
// in clear and is exact enough for the job's expect; if there is none, the one with the fewest inexact
// operations.
func chooseRing(a app, j *job.Job, p *hlo.Program) error {
	if j.Ring != job.AutoRing {
		return nil
	}
	least, best, fraction := -1, 0, 0
	for _, bits := range []int{32, 64, 128} {
		j.Apply(job.Override{Ring: &bits})
		spec, err := j.RunSpec(p)
		if err != nil {
			if bits < 128 && j.Fraction > 0 {
				continue // the job's fraction bits may not fit
			}
			return badUsage{err}
		}
		r, err := tacet.Check(a.ctx, spec, tolerance(j))
		if err != nil {
			return failed(a.ctx, err)
		}
		need := r.Ring()
		if need == 0 || need > bits {
			continue
		}
		if least < 0 || len(r.Divergences) < least {
			least, best, fraction = len(r.Divergences), bits, spec.Fraction
		}
		if least == 0 {
			break
		}
	}
	if best == 0 {
		return errors.New("ring auto: no ring holds all values (--ranges lists them; scale the inputs, or take fewer fraction bits)")
	}
	j.Apply(job.Override{Ring: &best})
	a.say(fmt.Sprintf("ring: %d bits, %d of them fraction, chosen by these inputs' values (--ring %d chooses it without reading them)", best, fraction, best))
	return nil
}
