package timing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/fixed"
	"github.com/tacet-mpc/tacet/ring"
)

// repetitions is the number of times that each measurement is made at least, and measuring how long that goes on: the first ones wait for
// memory from the kernel and for the clock of cores that were idle. The minimum is used, because other load on the machine only adds time.
const (
	repetitions = 7
	measuring   = 50 * time.Millisecond
)

// Calibrate measures this machine and returns its profile. It takes about a second. The machine should be idle
// meanwhile.
func Calibrate(ctx context.Context) (Machine, error) {
	m := Machine{Name: machineName(), Cores: runtime.GOMAXPROCS(0)}
	if err := m.measureGraph(ctx); err != nil {
		return m, err
	}
	if err := m.measureMessages(ctx); err != nil {
		return m, err
	}
	m.Wake, m.Fresh = wake(), fresh()
	m.measureKernels()
	return m, ctx.Err()
}

// fastest returns the minimum of several measurements.
func fastest(measure func() float64) float64 {
	least, start := math.Inf(1), time.Now()
	for i := 0; i < repetitions || time.Since(start) < measuring; i++ {
		least = min(least, measure())
	}
	return max(0, least)
}

// per returns the time in seconds of one of the n repetitions that f performs.
func per(n int, f func()) float64 {
	return fastest(func() float64 {
		start := time.Now()
		f()
		return time.Since(start).Seconds() / float64(n)
	})
}

// perOnAllCores returns the processor time in seconds of one of the n repetitions that f performs on all cores. Processor time does not
// depend on whether the machine gives all of them to this process at the same time.
func perOnAllCores(n int, f func()) float64 {
	return fastest(func() float64 {
		start := time.Now()
		before, ok := processorSeconds()
		f()
		if after, _ := processorSeconds(); ok {
			return (after - before) / float64(n)
		}
		return time.Since(start).Seconds() / float64(n) * float64(runtime.GOMAXPROCS(0))
	})
}

// measureGraph measures building and running steps that do no work. The steps are built while the first
// one waits for a message.
func (m *Machine) measureGraph(ctx context.Context) error {
	const n = 4096
	m.Build, m.Step = math.Inf(1), math.Inf(1)
	for i, begun := 0, time.Now(); i < repetitions || time.Since(begun) < measuring; i++ {
		err := pair(ctx, link.Shape{}, func(a, b *flow.Graph) {
			last := message(a.Op(0, &flow.Cost{}, "message"), 0, 8, nil)
			op := a.Op(1, &flow.Cost{}, "step")
			start := time.Now()
			for range n {
				before := last
				last = flow.Do(op, 0, func() int { return before.Get() + 1 }, before)
			}
			m.Build = min(m.Build, time.Since(start).Seconds()/n)
			start = time.Now()
			message(b.Op(0, &flow.Cost{}, "message"), 1, 8, nil)
			a.Wait()
			m.Step = min(m.Step, time.Since(start).Seconds()/n)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pair builds the graphs of two parties and waits for both.
func pair(ctx context.Context, shape link.Shape, build func(a, b *flow.Graph)) error {
	ends := link.Shaped(2, shape)
	defer ends[0].Close()
	defer ends[1].Close()
	var accounts [2]flow.Account
	a, b := flow.New(ctx, link.Online, ends[0], &accounts[0]), flow.New(ctx, link.Online, ends[1], &accounts[1])
	build(a, b)
	if err := errors.Join(a.Wait(), b.Wait()); err != nil {
		return fmt.Errorf("timing: measure the machine: %w", err)
	}
	return nil
}

// message adds an exchange of size bytes with the other party.
func message(op *flow.Op, rank, size int, after []flow.Dep) *flow.Future[int] {
	peer := []int{1 - rank}
	return flow.Exchange(op, 0, flow.ExchangeSpec{To: peer, From: peer, Size: size, Pack: func() ring.Payload {
		return ring.Payload{Len: size, Data: make([]byte, size)}
	}}, func([]ring.Payload) (int, error) { return 0, nil }, after...)
}

// rounds measures the seconds per round of n sequential exchanges of size bytes.
func rounds(ctx context.Context, shape link.Shape, n, size int) (float64, error) {
	least := math.Inf(1)
	for range repetitions {
		start := time.Now()
		err := pair(ctx, shape, func(a, b *flow.Graph) {
			for rank, g := range []*flow.Graph{a, b} {
				op := g.Op(0, &flow.Cost{}, "message")
				var last []flow.Dep
				for range n {
					last = []flow.Dep{message(op, rank, size, last)}
				}
			}
		})
		if err != nil {
			return 0, err
		}
		least = min(least, time.Since(start).Seconds()/float64(n))
	}
	return least, nil
}

// measureMessages measures rounds of short messages, of long messages, and over a line with latency.
func (m *Machine) measureMessages(ctx context.Context) error {
	short, err := rounds(ctx, link.Shape{}, 512, 8)
	if err != nil {
		return err
	}
	const size = 1 << 20
	long, err := rounds(ctx, link.Shape{}, 4, size)
	if err != nil {
		return err
	}
	const way = time.Millisecond / 2
	waiting, err := rounds(ctx, link.Shape{RoundTrip: 2 * way}, 32, 8)
	if err != nil {
		return err
	}
	m.Message = max(0, short-2*m.Step)
	m.Copy = max(0, long-short) / size
	m.Timer = max(0, waiting-way.Seconds()-short)
	return nil
}

// wakings is the number of times that waking is measured.
const wakings = 201

// wake measures the seconds until a goroutine begins on a core whose thread sleeps, while the one that started it keeps its own core. It
// is the median: the shortest times are those in which the thread did not sleep yet.
func wake() float64 {
	if runtime.GOMAXPROCS(0) == 1 { // no goroutine begins beside another
		return 0
	}
	var times []float64
	for range wakings {
		for start := time.Now(); time.Since(start) < asleep; {
		}
		var began atomic.Int64
		start := time.Now()
		go func() { began.Store(int64(time.Since(start))) }()
		for began.Load() == 0 && time.Since(start) < longestWake {
		}
		times = append(times, min(time.Since(start), longestWake).Seconds())
	}
	slices.Sort(times)
	return times[len(times)/2]
}

const (
	asleep      = 4 * flow.Spin // a thread without work for as long sleeps
	longestWake = 10 * time.Millisecond
)

// measureKernels measures local work by kind.
func (m *Machine) measureKernels() {
	const n = 1 << 12
	z := ring.Z(64)
	prg := ring.NewPRG(ring.Seed{1})
	vec := func(r ring.Ring, n int) ring.Vec {
		v := ring.New(r, n)
		prg.Vec(v, 1, 0)
		return v
	}
	// A convolution of a typical size, of an image model's layer: packing operands takes little of its time.
	const side, channels = 14, 256
	layer := ring.Conv{
		Batch: 1, InChannels: channels, OutChannels: channels, Groups: 1,
		In: []int{side, side}, Kernel: []int{3, 3}, Out: []int{side, side},
		Stride: []int{1, 1}, PadLow: []int{1, 1}, InDilate: []int{1, 1}, KernelDilate: []int{1, 1},
	}
	image, kernel := vec(z, side*side*channels), vec(z, 9*channels*channels)
	m.Product = perOnAllCores(int(layer.Products()), func() { ring.Convolve(ring.New(z, image.Len()), image, kernel, layer) })
	// A run's vectors are larger than the caches, and most are in memory that was used before.
	const large = 1 << 21
	p, q := vec(z, large), vec(z, large)
	m.Byte = perOnAllCores(8*large, func() {
		sum := p.UninitialisedLike(z, large)
		ring.Add(sum, p, q)
		sum.Free()
	})
	const block = 1 << 10 // as passes over blocks have
	cached := vec(z, block)
	m.Cached = per(64*8*block, func() {
		for range 64 {
			ring.Add(cached, cached, p.Slice(0, block))
		}
	})
	narrow := vec(ring.Z(20), n)
	m.Packed = per(2*n, func() {
		var w ring.Writer
		w.Vec(narrow)
		rd := ring.NewReader(w.Payload())
		rd.Stream(narrow.Ring(), n).Read(narrow, 0)
	})
	// A row times matrices that together are larger than caches near the cores: the products take less time than reading.
	const depth, columns, matrices = 512, 2048, 8
	weights, row, result := vec(z, depth*columns*matrices), vec(z, depth), ring.New(z, columns)
	m.Read = perOnAllCores(8*weights.Len(), func() {
		for i := range matrices {
			ring.MatMul(result, row, weights.Slice(i*depth*columns, (i+1)*depth*columns), 1, 1, depth, columns)
		}
	})
	x := vec(z, n)
	m.Stream = per(8*n, func() { prg.Vec(x, 2, 0) })
	const chunk = 512
	// Dealt values are unpacked where they are used, as from a correction.
	packed := func(r ring.Ring) ring.Stream {
		rd := ring.NewReader(ring.PayloadOf(vec(r, chunk)))
		return rd.Stream(r, chunk)
	}
	term := ring.Z(28)
	sum, room, cosines, sines := ring.New(term, chunk), ring.New(term, chunk), packed(term), packed(term)
	var phases [chunk]uint64
	var cos, sin [chunk]int64
	for i := range phases {
		phases[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	wave := fixed.NewWave(12345<<30, 54321<<30, 20)
	m.Wave = per(chunk, func() {
		wave.At(3, phases[:], cos[:], sin[:])
		ring.MulAddSmall(sum, cosines.Part(room, 0, chunk), cos[:])
		ring.MulAddSmall(sum, sines.Part(room, 0, chunk), sin[:])
	})
	const exponent = 189 // bits of most exponentials: three words
	cyclic := ring.M(exponent)
	power, powers, dealt := ring.New(cyclic, chunk), ring.New(cyclic, chunk), packed(cyclic)
	var mantissa [chunk]uint64
	var rot [chunk]uint16
	m.Power = per(chunk, func() {
		for i := range mantissa {
			whole, part := fixed.PhaseOf(phases[i:i+1], [2]uint64{12345 << 30, 54321 << 30}, 40).Split(exponent)
			mantissa[i], rot[i] = fixed.Exp2(part)>>32, uint16(whole)
		}
	})
	m.Cyclic = per(3*cyclic.Words()*chunk, func() { // rotated, multiplied and added
		ring.MulAddRotated(power, dealt.Part(powers, 0, chunk), mantissa[:], rot[:])
	})
	const digit = 4        // as most comparisons have
	const looked = 1 << 18 // tables and digits are larger than the caches near the cores
	table := ring.NewBits((1<<digit - 1) * looked)
	less, equal := ring.NewBits(looked), ring.NewBits(looked)
	m.Lookup = per(looked, func() { ring.LookUpDigit(less, equal, table, p.Slice(0, looked), 8, digit, true) })
}
