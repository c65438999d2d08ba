package link

import (
	"io"
	"strconv"
	"sync"
	"testing"
	"time"
)

// ways are the ways to connect two parties, from the cheapest to the nodes'.
var ways = []struct {
	name    string
	connect func(b *testing.B) []*Endpoint
}{
	{"memory", func(b *testing.B) []*Endpoint { return Memory(2) }},
	{"pipe", func(b *testing.B) []*Endpoint { return piped(2, Shape{}) }},
	{"tcp", func(b *testing.B) []*Endpoint { return wired(2, unbounded) }},
	{"tls", func(b *testing.B) []*Endpoint { return encrypted(b) }},
	{"tls+heartbeat", func(b *testing.B) []*Endpoint {
		return encrypted(b, Heartbeat{Interval: time.Second, Timeout: 5 * time.Second})
	}},
}

// encrypted is two parties over TLS, directly connected.
func encrypted(t testing.TB, options ...Option) []*Endpoint {
	ids := identities(t)
	x, y, err := dialled()
	if err != nil {
		t.Fatal(err)
	}
	a, b := secure(t, ids[0], ids[1], x, y)
	return []*Endpoint{
		newEndpoint(0, []io.ReadWriteCloser{nil, a}, unbounded, options...),
		newEndpoint(1, []io.ReadWriteCloser{b, nil}, unbounded, options...),
	}
}

var sizes = []int{100, 1e6}

// BenchmarkRound is a message there and one back.
func BenchmarkRound(b *testing.B) {
	each(b, func(b *testing.B, ends []*Endpoint, data []byte) {
		back := make(chan error)
		for i := range uint32(b.N) {
			k := Key{Online, i, 0}
			ends[1].Await(0, k, func(_ Message, err error) { ends[1].Send(0, k, 1, data) })
			ends[0].Await(1, k, func(_ Message, err error) { go func() { back <- err }() })
			ends[0].Send(1, k, 0, data)
			if err := <-back; err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkStream is messages in one direction, as many as fit.
func BenchmarkStream(b *testing.B) {
	each(b, func(b *testing.B, ends []*Endpoint, data []byte) {
		var wg sync.WaitGroup
		wg.Add(b.N)
		for i := range uint32(b.N) {
			ends[1].Await(0, Key{Online, i, 0}, func(_ Message, err error) {
				if err != nil {
					b.Error(err)
				}
				wg.Done()
			})
		}
		for i := range uint32(b.N) {
			ends[0].Send(1, Key{Online, i, 0}, 0, data)
		}
		wg.Wait()
	})
}

func each(b *testing.B, f func(b *testing.B, ends []*Endpoint, data []byte)) {
	for _, size := range sizes {
		for _, way := range ways {
			b.Run(way.name+"/"+strconv.Itoa(size), func(b *testing.B) {
				ends := way.connect(b)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				b.ResetTimer()
				f(b, ends, make([]byte, size))
				b.StopTimer()
				closeAll(b, ends)
			})
		}
	}
}

// BenchmarkShaped is a round of five parties over a simulated network, each a message to each other: a millisecond and little more, if
// parties that wait for one do not keep others from running.
func BenchmarkShaped(b *testing.B) {
	const parties = 5
	ends := Shaped(parties, Shape{1e9, 2 * time.Millisecond})
	defer closeAll(b, ends)
	data := make([]byte, 1000)
	for i := range uint32(b.N) {
		var wg sync.WaitGroup
		k := Key{Online, i, 0}
		for me, e := range ends {
			for to := range ends {
				if to == me {
					continue
				}
				wg.Add(1)
				e.Await(to, k, func(_ Message, err error) {
					if err != nil {
						b.Error(err)
					}
					wg.Done()
				})
			}
		}
		for me, e := range ends {
			for to := range ends {
				if to != me {
					e.Send(to, k, 0, data)
				}
			}
		}
		wg.Wait()
	}
}
