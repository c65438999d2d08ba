package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/party"
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

// chooseRing gives a job that leaves its ring open the narrowest one that holds
// all values of a run in clear and is exact enough for what the job expects; if
// none is, the one in which the fewest operations are not.
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
				continue // the job's fraction bits may have no room in it
			}
			return badUsage{err}
		}
		r, err := party.Check(a.ctx, spec, tolerance(j))
		if err != nil {
			return failed(a.ctx, err)
		}
		need := r.Ring()
		if need == 0 || need > bits {
			continue
		}
		if least < 0 || len(r.Off) < least {
			least, best, fraction = len(r.Off), bits, spec.Fraction
		}
		if least == 0 {
			break
		}
	}
	if best == 0 {
		return errors.New("ring auto: no ring holds all values (--ranges lists them; scale the inputs, or take fewer fraction bits)")
	}
	j.Apply(job.Override{Ring: &best})
	fmt.Fprintf(a.stderr, "tacet: ring: %d bits, %d of them fraction, for these inputs' values, which were looked at (--ring %d does not look)\n", best, fraction, best)
	return nil
}
