package wire

import (
	"encoding/binary"
	"fmt"
)

// run is a part of a list of positions: from, from+step, …, count of them; or count times None.
type run struct {
	from, step, count int
	none              bool
}

// None is the entry of a list of positions (AppendRuns) for an element without a position.
const None = -1

// AppendRuns appends the positions in index, each None or non-negative, to b as runs of equal steps.
//
// A run is encoded as 2·(length − 1), plus 1 if it is a run of None. For other runs, the difference between its first
// position and the one that would have continued the previous run follows, and the step if the run is longer than 1.
func AppendRuns(b []byte, index []int32) []byte {
	var runs []byte
	next := int64(0)
	for len(index) > 0 {
		n, step := 1, int64(0)
		switch {
		case index[0] == None:
			for n < len(index) && index[n] == None {
				n++
			}
		case len(index) > 1 && index[1] != None:
			step = int64(index[1]) - int64(index[0])
			for n < len(index) && index[n] != None && int64(index[n])-int64(index[n-1]) == step {
				n++
			}
		}
		if index[0] == None {
			runs = binary.AppendUvarint(runs, uint64(n-1)<<1|1)
		} else {
			runs = binary.AppendUvarint(runs, uint64(n-1)<<1)
			runs = binary.AppendVarint(runs, int64(index[0])-next)
			if n > 1 {
				runs = binary.AppendVarint(runs, step)
			}
			next = int64(index[0]) + int64(n)*step
		}
		index = index[n:]
	}
	return AppendBlob(b, runs)
}

// Runs reads a list of n positions below in, or None, that AppendRuns wrote, and checks it. It keeps the encoding;
// the function that it returns makes the list, a new one at each call.
func (d *Decoder) Runs(n, in int) func() []int32 {
	blob := d.Blob()
	d.Spend(n)
	if d.err != nil {
		return nil
	}
	total := 0
	err := eachRun(blob, func(r run) error {
		// Nothing overflows: positions and steps are below 2^33 in magnitude, counts below 2^32.
		last := r.from + (r.count-1)*r.step
		if r.count > n-total || !r.none && (min(r.from, last) < 0 || max(r.from, last) >= in) {
			return fmt.Errorf("a run of %d positions from %d with step %d, where %d positions below %d remain", r.count, r.from, r.step, n-total, in)
		}
		total += r.count
		return nil
	})
	if err == nil && total != n {
		err = fmt.Errorf("%d positions where %d are expected", total, n)
	}
	if err != nil {
		d.Failf("%v", err)
		return nil
	}
	return func() []int32 {
		out := make([]int32, 0, n)
		eachRun(blob, func(r run) error {
			for i := range r.count {
				if r.none {
					out = append(out, None)
				} else {
					out = append(out, int32(r.from+i*r.step))
				}
			}
			return nil
		})
		return out
	}
}

// eachRun decodes runs and calls f with each.
func eachRun(blob []byte, f func(run) error) error {
	next := 0
	for len(blob) > 0 {
		head, n := binary.Uvarint(blob)
		if n <= 0 || head>>1 >= maxLen {
			return fmt.Errorf("a run of malformed length")
		}
		blob = blob[n:]
		r := run{count: int(head>>1) + 1, none: head&1 == 1}
		if !r.none {
			from, n := binary.Varint(blob)
			if n <= 0 || from < -2*maxLen || from > 2*maxLen {
				return fmt.Errorf("a run with a malformed start")
			}
			blob = blob[n:]
			r.from = next + int(from)
			if r.from < 0 || r.from > maxLen {
				return fmt.Errorf("a run from %d", r.from)
			}
			if r.count > 1 {
				step, n := binary.Varint(blob)
				if n <= 0 || step < -maxLen || step > maxLen {
					return fmt.Errorf("a run with a malformed step")
				}
				blob = blob[n:]
				r.step = int(step)
			}
			if err := f(r); err != nil {
				return err
			}
			next = r.from + r.count*r.step
			continue
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}
