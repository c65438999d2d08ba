package cheetah

import (
	"math"

	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// linear is a bilinear map as a convolution of an operand that is encrypted with weights that the other party has. Its
// channels are those of all groups and phases: with a stride s, the elements whose place is j modulo s are phase j.
type linear struct {
	groups, ins, outs int // channels of a group, without phases, and outputs of a group
	dims              []dimension
	taps              []tap
	phases            int
	// Places in the operands and the result, of a place in the image (before padding) or among the outputs.
	encrypted func(at, group, channel int) int
	weight    func(tap, group, channel, out int) int
	result    func(at, group, out int) int
}

// dimension is one dimension of an image, the number of images being the first.
type dimension struct {
	in, out, stride, dilate int
	least, reach            int // the smallest shift of a tap, and the largest less the smallest
	share                   int // zeros before and after the image that neighbouring rows share
}

// tap is one place of the kernel.
type tap struct {
	phase  int   // among those that are used
	shift  []int // by dimension, less the smallest
	offset []int // by dimension, modulo the stride
}

// floorDiv returns ⌊a/b⌋ and the rest.
func floorDiv(a, b int) (int, int) {
	q, r := a/b, a%b
	if r < 0 {
		q, r = q-1, r+b
	}
	return q, r
}

// linearOf returns a bilinear map as a convolution of the left operand, or if right is true, of the right one; nil if there is none.
func linearOf(b maps.Bilinear, right bool) *linear {
	switch b := b.(type) {
	case maps.MatMul:
		l := &linear{groups: b.Batch, ins: b.K, outs: b.N, phases: 1}
		rows := b.M
		l.encrypted = func(at, g, ch int) int { return (g*b.M+at)*b.K + ch }
		l.weight = func(_, g, ch, out int) int { return (g*b.K+ch)*b.N + out }
		l.result = func(at, g, out int) int { return (g*b.M+at)*b.N + out }
		if right {
			rows, l.outs = b.N, b.M
			l.encrypted = func(at, g, ch int) int { return (g*b.K+ch)*b.N + at }
			l.weight = func(_, g, ch, out int) int { return (g*b.M+out)*b.K + ch }
			l.result = func(at, g, out int) int { return (g*b.M+out)*b.N + at }
		}
		l.dims = []dimension{{in: rows, out: rows, stride: 1, dilate: 1}}
		l.taps = []tap{{shift: []int{0}, offset: []int{0}}}
		return l
	case maps.Conv:
		if right {
			return nil
		}
		return linearConv(b.Conv)
	}
	return nil
}

// linearConv returns a convolution of the image.
func linearConv(c ring.Conv) *linear {
	l := &linear{groups: c.Groups, ins: c.InChannels / c.Groups, outs: c.OutChannels / c.Groups}
	l.encrypted = func(at, g, ch int) int { return at*c.InChannels + g*l.ins + ch }
	l.weight = func(t, g, ch, out int) int { return (t*l.ins+ch)*c.OutChannels + g*l.outs + out }
	l.result = func(at, g, out int) int { return at*c.OutChannels + g*l.outs + out }
	l.dims = []dimension{{in: c.Batch, out: c.Batch, stride: 1, dilate: 1}}
	kernel := []int{1}
	pad, step := []int{0}, []int{1}
	for d := range c.In {
		l.dims = append(l.dims, dimension{in: c.In[d], out: c.Out[d], stride: c.Stride[d], dilate: c.InDilate[d]})
		kernel, pad, step = append(kernel, c.Kernel[d]), append(pad, c.PadLow[d]), append(step, c.KernelDilate[d])
	}
	used := map[int]int{}
	for t := range tensor.Shape(c.Kernel).Size() {
		x := tap{shift: make([]int, len(l.dims)), offset: make([]int, len(l.dims))}
		phase, rest := 0, t
		for d := len(l.dims) - 1; d >= 0; d-- {
			x.shift[d], x.offset[d] = floorDiv(rest%kernel[d]*step[d]-pad[d], l.dims[d].stride)
			rest /= kernel[d]
			phase = phase*l.dims[d].stride + x.offset[d]
		}
		if _, ok := used[phase]; !ok {
			used[phase] = len(used)
		}
		x.phase = used[phase]
		l.taps = append(l.taps, x)
	}
	l.phases = len(used)
	for d := range l.dims {
		l.bound(d)
	}
	return l
}

// bound sets the range of shifts in a dimension, takes the smallest one off, and counts zeros that rows share.
func (l *linear) bound(d int) {
	x := &l.dims[d]
	x.least = math.MaxInt
	most := math.MinInt
	for _, t := range l.taps {
		x.least, most = min(x.least, t.shift[d]), max(most, t.shift[d])
	}
	x.reach = most - x.least
	for _, t := range l.taps {
		t.shift[d] -= x.least
	}
	size := x.out + x.reach
	empty := func(at int) bool {
		for _, t := range l.taps {
			if l.dims[d].image(at, t.offset[d]) >= 0 {
				return false
			}
		}
		return true
	}
	before, after := 0, 0
	for before < size && empty(before) {
		before++
	}
	for after < size && empty(size-1-after) {
		after++
	}
	if d > 0 {
		x.share = min(before, after, size-1)
	}
}

// image returns the place in the image of a place of the padded one, in a phase; −1: padding.
func (x dimension) image(at, offset int) int {
	i := x.stride*(at+x.least) + offset
	if i < 0 || i%x.dilate != 0 || i/x.dilate >= x.in {
		return -1
	}
	return i / x.dilate
}

// layout says how a linear map is done by ciphertexts.
type layout struct {
	*linear
	set   int
	need  he.Need
	sizes he.Sizes
	// stride is the distance of neighbouring positions: the number of channels of a ciphertext, up to a power of two.
	stride int
	block  []int // outputs of a block by dimension: each block of the image has its own ciphertexts
	steps  []int // by dimension: the distance, in positions, of neighbours
	span   int   // positions of a block
	// outputs is the number of outputs that automorphisms put between positions, copies that of groups of these outputs. The
	// products of a group begin apart coefficients after those of the one before it. If apart is N/copies, each coefficient is sent with
	// zeros at all multiples of apart from it; else, with more than one copy, all coefficients are sent, zeros too.
	outputs, copies, apart int
	giants                 int    // the order of the group whose key does giant steps
	kinds                  []kind // what count returns; nil if traffic is to count them
}

// kind counts the blocks whose ciphertexts have the same number of positions.
type kind struct{ positions, blocks int }

// channels is the number of all channels.
func (l *linear) channels() int { return l.groups * l.ins * l.phases }

// chunks is the number of ciphertexts of a block.
func (l *layout) chunks() int { return (l.channels() + l.stride - 1) / l.stride }

// each is the number of outputs of a response.
func (l *layout) each() int { return l.outputs * l.copies }

// answers is the number of responses of a block.
func (l *layout) answers() int { return (l.groups*l.outs + l.each() - 1) / l.each() }

// inputs returns the ciphertexts that a response needs: those with channels of its outputs' groups.
func (l *layout) inputs(answer int) (lo, hi int) {
	first := answer * l.each() / l.outs
	last := (min((answer+1)*l.each(), l.groups*l.outs) - 1) / l.outs
	group := l.ins * l.phases
	return first * group / l.stride, ((last+1)*group-1)/l.stride + 1
}

// blocks lists the first output of each block, by dimension.
func (l *layout) blocks() [][]int {
	out := [][]int{{}}
	for d, x := range l.dims {
		var next [][]int
		for _, b := range out {
			for at := 0; at < x.out; at += l.block[d] {
				next = append(next, append(append([]int{}, b...), at))
			}
		}
		out = next
	}
	return out
}

// number is the number of blocks.
func (l *layout) number() int {
	n := 1
	for d, size := range l.block {
		n *= (l.dims[d].out + size - 1) / size
	}
	return n
}

// extent is the number of outputs of a block in a dimension.
func (l *layout) extent(block []int, d int) int { return min(l.block[d], l.dims[d].out-block[d]) }

// sent returns the coefficients that the ciphertext of a chunk of a block sends, and for each its place in the encrypted
// operand, or −1 for zeros. at is nil if all are sent.
func (l *layout) sent(block []int, chunk int) (at, from []int32) {
	list := make([]int32, l.stride*l.span)
	for i := range list {
		list[i] = -2
	}
	group := l.ins * l.phases
	lo, hi := chunk*l.stride, min((chunk+1)*l.stride, l.channels())
	offsets := make([][]int, l.phases)
	for _, t := range l.taps {
		offsets[t.phase] = t.offset
	}
	place := make([]int, len(l.dims)) // of the padded image
	for i := range tensor.Shape(l.padded(block)).Size() {
		position, rest := 0, i
		for d := len(l.dims) - 1; d >= 0; d-- {
			size := l.extent(block, d) + l.dims[d].reach
			place[d] = rest % size
			position += place[d] * l.steps[d]
			place[d] += block[d]
			rest /= size
		}
		image := 0 // of the phase
		for q := lo; q < hi; q++ {
			g, phase, ch := q/group, q%group/l.ins, q%l.ins
			if ch == 0 || q == lo {
				image = 0
				for d, x := range l.dims {
					p := x.image(place[d], offsets[phase][d])
					if p < 0 {
						image = -1
						break
					}
					image = image*x.in + p
				}
			}
			to := &list[position*l.stride+q-lo]
			switch {
			case image >= 0:
				*to = int32(l.encrypted(image, g, ch))
			case *to == -2:
				*to = tensor.Fill
			}
		}
	}
	if l.copies > 1 && !l.spread() {
		full := make([]int32, he.Sets[l.set].N)
		for i := range full {
			full[i] = tensor.Fill
			if i < len(list) {
				full[i] = max(list[i], tensor.Fill)
			}
		}
		return nil, full
	}
	for copied := range l.copies {
		for i, f := range list {
			if f != -2 {
				if copied > 0 {
					f = tensor.Fill
				}
				at, from = append(at, int32(copied*l.apart+i)), append(from, f)
			}
		}
	}
	return at, from
}

// spread reports whether zeros are sent at multiples of apart only: a product at one of them then has a coefficient of its own group
// times what is wanted, and of all other groups zeros.
func (l *layout) spread() bool { return l.copies*l.apart == he.Sets[l.set].N }

// padded is the padded image of a block.
func (l *layout) padded(block []int) []int {
	var out []int
	for d, x := range l.dims {
		out = append(out, l.extent(block, d)+x.reach)
	}
	return out
}

// sentNumbers is the length of what sent returns.
func (l *layout) sentNumbers(positions, chunk int) int {
	if l.copies > 1 && !l.spread() {
		return he.Sets[l.set].N
	}
	return l.copies * positions * (min((chunk+1)*l.stride, l.channels()) - chunk*l.stride)
}

// positions is the number of distinct positions of a block with the given padded sizes.
func (l *layout) positions(padded []int) int {
	used := make([]bool, l.span)
	n := 0
	for i := range tensor.Shape(padded).Size() {
		position, rest := 0, i
		for d := len(padded) - 1; d >= 0; d-- {
			position += rest % padded[d] * l.steps[d]
			rest /= padded[d]
		}
		if !used[position] {
			used[position] = true
			n++
		}
	}
	return n
}

// arrange sets steps and span for the block sizes.
func (l *layout) arrange() {
	step := 1
	l.steps = make([]int, len(l.dims))
	l.span = 1
	for d := len(l.dims) - 1; d >= 0; d-- {
		x := l.dims[d]
		l.steps[d] = step
		size := l.block[d] + x.reach
		l.span += (size - 1) * step
		if l.block[d] == x.out {
			size -= x.share
		}
		step *= size
	}
}

// blockings returns block sizes: the whole image, and halves of it, one dimension after the other.
func (l *linear) blockings() (out [][]int) {
	block := make([]int, len(l.dims))
	for d, x := range l.dims {
		block[d] = x.out
	}
	for d := range block {
		for {
			out = append(out, append([]int{}, block...))
			if block[d] == 1 {
				break
			}
			block[d] = (block[d] + 1) / 2
		}
	}
	return out
}

// traffic is the number of bytes of uploads and responses, and of the keys that the layout takes.
type traffic struct{ upload, answer, keys int }

// count returns the kinds of blocks: those at the ends of dimensions are smaller.
func (l *layout) count() (out []kind) {
	known := map[int]int{} // by size: the place in out
	for _, b := range l.blocks() {
		padded, key := l.padded(b), 0
		for d, size := range padded {
			key = key*(l.dims[d].out+l.dims[d].reach+1) + size
		}
		at, ok := known[key]
		if !ok {
			at = len(out)
			known[key] = at
			out = append(out, kind{positions: l.positions(padded)})
		}
		out[at].blocks++
	}
	return out
}

// traffic counts the layout's bytes.
func (l *layout) traffic() (t traffic) {
	t = l.downloads()
	kinds := l.kinds
	if kinds == nil {
		kinds = l.count()
	}
	for _, k := range kinds {
		for chunk := range l.chunks() {
			t.upload += k.blocks * he.Bytes(l.sentNumbers(k.positions, chunk), l.sizes.Upload)
		}
	}
	return t
}

// downloads is traffic without uploads, which take the longest to count.
func (l *layout) downloads() (t traffic) {
	c := he.Sets[l.set]
	t.answer = l.number() * l.answers() * he.Bytes(c.N, l.sizes.Answer)
	t.keys = he.Bytes(c.N, l.sizes.Public)
	for _, order := range he.Keys(l.outputs, l.giants) {
		t.keys += c.SwitchBytes(order, l.sizes.Switch)
	}
	return t
}

// mostProducts bounds the products of polynomials of one contraction, about 0.3 ms each.
const mostProducts = 1 << 16

// What counts as bytes in a comparison of layouts: a product of polynomials, of about 0.15 ms of a core, and applying a switching key, of
// about 0.5 ms.
const (
	productBytes = 64
	switchBytes  = 50
)

// manyContractions is the number of contractions in a program from which on they take baby steps: the key of these serves all
// numbers of outputs and is as long as three others.
const manyContractions = 16

// giantsFor returns the order of the group whose key does giant steps: the smallest one there is, or if few contractions would
// share the key of baby steps, one with which there are none.
func giantsFor(outputs, sharing int) int {
	for _, order := range he.GiantOrders {
		if sharing >= manyContractions || outputs <= order {
			return order
		}
	}
	return he.GiantOrders[0]
}

// plan returns the layout with the fewest bytes, the keys divided by the number of contractions that share them; nil if no set
// of parameters has room. width, slack and weight are those of he.Need.
func (l *linear) plan(width, slack, weight, sharing int) (best *layout) {
	least := math.Inf(1)
	if l.channels() == 0 || l.groups*l.outs == 0 {
		return nil
	}
	outputs, blockings := ceilPower(l.groups*l.outs), l.blockings()
	kinds := make([][]kind, len(blockings)) // all sets have the same
	p := &planner{width, slack, weight, sharing, map[needOf]sizesOf{}}
	for i, set := range he.ContractionSets {
		c := he.Sets[set]
		for j, block := range blockings {
			x := &layout{linear: l, set: set, block: block, kinds: kinds[j]}
			x.arrange()
			// Channels that are not there have no weights: their coefficients are not sent, and make room for outputs.
			for x.stride = min(max(ceilPower(l.channels()), outputs), c.N); x.stride > 0; x.stride /= 2 {
				room := c.N / x.stride / x.span
				if room == 0 {
					continue
				}
				for x.outputs = 1; x.outputs <= min(x.stride, outputs, he.MostOutputs); x.outputs *= 2 {
					x.giants = giantsFor(x.outputs, sharing)
					try := func(copies, apart int) {
						x.copies, x.apart = copies, apart
						if cost := p.cost(x, least); cost < least {
							y := *x
							least, best = cost, &y
						}
					}
					most := (l.groups*l.outs + x.outputs - 1) / x.outputs
					for _, copies := range []int{1, min(room, most)} {
						try(copies, x.span*x.stride)
					}
					for copies := 2; copies <= min(room, ceilPower(most)); copies *= 2 {
						try(copies, c.N/copies)
					}
				}
			}
			kinds[j] = x.kinds
		}
		if next := i + 1; best != nil && next < len(he.ContractionSets) && he.Sets[he.ContractionSets[next]].N > 8192 {
			break // polynomials of more coefficients take more bytes
		}
	}
	return best
}

// planner plans layouts for a contraction: width, slack and weight are those of he.Need, and keys are divided by sharing.
type planner struct {
	width, slack, weight, sharing int
	sizes                         map[needOf]sizesOf // those that were asked for: many layouts need the same
}

// needOf is a need of ciphertexts of a set.
type needOf struct {
	set  int
	need he.Need
}

// sizesOf is what he.Set.Sizes returns.
type sizesOf struct {
	he.Sizes
	ok bool
}

// cost sets need and sizes of a layout and returns what it costs: infinity if the set has no room, or if that is at least least.
func (p *planner) cost(l *layout, least float64) float64 {
	lo, hi := l.inputs(0)
	l.need = he.Need{
		Width: p.width, Slack: p.slack, Weight: p.weight, Terms: l.copies * len(l.taps) * min(l.stride, l.ins), Inputs: max(1, hi-lo),
		Outputs: l.outputs, Giants: l.giants,
	}
	if l.answers() > 1 {
		for a := range l.answers() {
			lo, hi := l.inputs(a)
			l.need.Inputs = max(l.need.Inputs, hi-lo)
		}
	}
	answers := l.number() * l.answers()
	work := answers*l.outputs*l.need.Inputs*productBytes + answers*he.Switches(l.outputs, l.giants)*switchBytes
	if answers*l.outputs*l.need.Inputs > mostProducts || float64(work) >= least {
		return math.Inf(1)
	}
	asked := needOf{l.set, l.need}
	sizes, known := p.sizes[asked]
	if !known {
		sizes.Sizes, sizes.ok = he.Sets[l.set].Sizes(l.need)
		p.sizes[asked] = sizes
	}
	if l.sizes = sizes.Sizes; !sizes.ok {
		return math.Inf(1)
	}
	total := func(t traffic) float64 {
		return float64(t.upload) + float64(t.answer) + float64(t.keys)/float64(p.sharing) + float64(work)
	}
	if total(l.downloads()) >= least {
		return math.Inf(1)
	}
	if l.kinds == nil {
		l.kinds = l.count()
	}
	return total(l.traffic())
}

// ceilPower returns the smallest power of two that is at least n.
func ceilPower(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}

// plain returns the weights of the outputs of a response, for the ciphertext of a chunk, as runs of channels' numbers in the other operand.
// Outputs beyond l.outputs are copies: they have their places beside the first ones.
func (l *layout) plain(answer, chunk int) (from []int32, runs []he.Run) {
	n := he.Sets[l.set].N
	group := l.ins * l.phases
	lo, hi := chunk*l.stride, min((chunk+1)*l.stride, l.channels())
	for o := range l.outputs {
		from = append(from, int32(len(runs)))
		for copied := range l.copies {
			index := answer*l.each() + copied*l.outputs + o
			if index >= l.groups*l.outs {
				break
			}
			g, out := index/l.outs, index%l.outs
			for t, x := range l.taps {
				shift := 0
				for d, s := range x.shift {
					shift += s * l.steps[d]
				}
				begin := g*group + x.phase*l.ins // the first channel of the group's phase
				first, last := max(lo, begin), min(hi, begin+l.ins)
				if first >= last {
					continue
				}
				at := l.weight(t, g, first-begin, out)
				run := he.Run{Count: int32(last - first), First: int32(at), Step: int32(l.weight(t, g, first-begin+1, out) - at)}
				place := copied*l.apart - shift*l.stride - (first - lo)
				run.Place = int32((place + 2*n) % (2 * n))
				runs = append(runs, run)
			}
		}
	}
	return append(from, int32(len(runs))), runs
}

// wanted returns the coefficients of a response that are results, and for each its place in the result.
func (l *layout) wanted(block []int, answer int) (at, to []int32) {
	sizes := make([]int, len(l.dims))
	for d := range sizes {
		sizes[d] = l.extent(block, d)
	}
	for i := range tensor.Shape(sizes).Size() {
		position, rest, image, scale := 0, i, 0, 1
		for d := len(l.dims) - 1; d >= 0; d-- {
			o := rest % sizes[d]
			rest /= sizes[d]
			position += o * l.steps[d]
			image += (o + block[d]) * scale
			scale *= l.dims[d].out
		}
		for j := range l.each() {
			index := answer*l.each() + j
			if index >= l.groups*l.outs {
				break
			}
			at = append(at, int32(j/l.outputs*l.apart+position*l.stride+j%l.outputs))
			to = append(to, int32(l.result(image, index/l.outs, index%l.outs)))
		}
	}
	return at, to
}
