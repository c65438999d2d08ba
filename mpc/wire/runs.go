package wire

import (
	"encoding/binary"
	"fmt"

	"github.com/tacet-mpc/tacet/tensor"
)

// None is the entry of a list of positions (AppendRuns) for an element without a position.
const None = tensor.Fill

// AppendRunList appends a list of positions that is given in runs.
func AppendRunList(b []byte, list []tensor.Run) []byte {
	var runs []byte
	next := 0
	for _, r := range list {
		if r.N > 0 {
			runs, next = appendRun(runs, r, next)
		}
	}
	return AppendBlob(b, runs)
}

// appendRun appends a run; next is the position that would continue the previous one. It returns the
// position that would continue this one.
func appendRun(b []byte, r tensor.Run, next int) ([]byte, int) {
	if r.From == None {
		return binary.AppendUvarint(b, uint64(r.N-1)<<1|1), next
	}
	b = binary.AppendUvarint(b, uint64(r.N-1)<<1)
	b = binary.AppendVarint(b, int64(r.From-next))
	if r.N == 1 {
		return b, r.From
	}
	return binary.AppendVarint(b, int64(r.Step)), r.From + r.N*r.Step
}

// AppendRuns appends the positions in index, each None or non-negative, to b as runs of equal steps.
//
// A run is encoded as 2·(length − 1), plus 1 if it is a run of None. For other runs, the difference between its first
// position and the one that would have continued the previous run follows, and the step if the run is longer than 1.
func AppendRuns(b []byte, index []int32) []byte {
	var runs []byte
	next := 0
	for len(index) > 0 {
		n, step := 1, 0
		switch {
		case index[0] == None:
			for n < len(index) && index[n] == None {
				n++
			}
		case len(index) > 1 && index[1] != None:
			step = int(index[1]) - int(index[0])
			for n < len(index) && index[n] != None && int(index[n])-int(index[n-1]) == step {
				n++
			}
		}
		runs, next = appendRun(runs, tensor.Run{From: int(index[0]), Step: step, N: n}, next)
		index = index[n:]
	}
	return AppendBlob(b, runs)
}

// Runs reads a list of n positions below in, or None, that AppendRuns wrote, and checks it. It keeps the encoding;
// the function that it returns makes the list, a new one at each call.
func (d *Decoder) Runs(n, in int) func() []int32 {
	runs, _ := d.RunList(n, in)
	if d.err != nil {
		return nil
	}
	return func() []int32 { return tensor.Positions(runs(), n) }
}

// RunList is Runs in runs, and their number.
func (d *Decoder) RunList(n, in int) (runs func() []tensor.Run, count int) {
	blob := d.Blob()
	d.Spend(n)
	if d.err != nil {
		return nil, 0
	}
	total := 0
	err := eachRun(blob, func(r tensor.Run) error {
		// Nothing overflows: positions and steps are below 2^33 in magnitude, counts below 2^32.
		last := r.From + (r.N-1)*r.Step
		if r.N > n-total || r.From != None && (min(r.From, last) < 0 || max(r.From, last) >= in) {
			return fmt.Errorf("a run of %d positions from %d with step %d, where %d positions below %d remain", r.N, r.From, r.Step, n-total, in)
		}
		total += r.N
		count++
		return nil
	})
	if err == nil && total != n {
		err = fmt.Errorf("%d positions where %d are expected", total, n)
	}
	if err != nil {
		d.Failf("%v", err)
		return nil, 0
	}
	return func() []tensor.Run {
		out := make([]tensor.Run, 0, count)
		eachRun(blob, func(r tensor.Run) error {
			out = append(out, r)
			return nil
		})
		return out
	}, count
}

// eachRun decodes runs and calls f with each.
func eachRun(blob []byte, f func(tensor.Run) error) error {
	next := 0
	for len(blob) > 0 {
		head, n := binary.Uvarint(blob)
		if n <= 0 || head>>1 >= maxLen {
			return fmt.Errorf("a run of malformed length")
		}
		blob = blob[n:]
		r := tensor.Run{From: None, Step: 1, N: int(head>>1) + 1}
		if head&1 == 0 {
			from, n := binary.Varint(blob)
			if n <= 0 || from < -2*maxLen || from > 2*maxLen {
				return fmt.Errorf("a run with a malformed start")
			}
			blob = blob[n:]
			r.From = next + int(from)
			if r.From < 0 || r.From > maxLen {
				return fmt.Errorf("a run from %d", r.From)
			}
			if r.N > 1 {
				step, n := binary.Varint(blob)
				if n <= 0 || step < -maxLen || step > maxLen {
					return fmt.Errorf("a run with a malformed step")
				}
				blob = blob[n:]
				r.Step = int(step)
			}
			if err := f(r); err != nil {
				return err
			}
			next = r.From
			if r.N > 1 {
				next += r.N * r.Step
			}
			continue
		}
		if err := f(r); err != nil {
			return err
		}
	}
	return nil
}
