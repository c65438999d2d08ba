package protocol_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/mpc/protocols"
)

// descriptor is one that could be registered, but for what a test changes.
func descriptor(change func(*protocol.Descriptor)) *protocol.Descriptor {
	d := &protocol.Descriptor{
		Name: "fresh", Summary: "for tests", Roles: []string{"computes"}, Clear: true, Least: 1, Most: 2, Rings: []int{64},
		New: func(context.Context, protocol.Config) protocol.Session { return nil },
	}
	change(d)
	return d
}

func init() { protocol.Announce("later") }

func TestRegisterPanics(t *testing.T) {
	for want, change := range map[string]func(*protocol.Descriptor){
		`"semi2k" is registered twice`: func(d *protocol.Descriptor) { d.Name = protocols.Default },
		`"later" is registered twice`:  func(d *protocol.Descriptor) { d.Name = "later" },
		"lacks a name":                 func(d *protocol.Descriptor) { d.Name = "" },
		"constructor":                  func(d *protocol.Descriptor) { d.New = nil },
		"0 to 2 computing parties":     func(d *protocol.Descriptor) { d.Least = 0 },
		"what its supplier needs":      func(d *protocol.Descriptor) { d.Supply = protocol.BetweenParties },
		"or has more":                  func(d *protocol.Descriptor) { d.Dealing = &protocol.Dealing{} },
		"or none in shares":            func(d *protocol.Descriptor) { d.Clear = false },
	} {
		t.Run(want, func(t *testing.T) {
			defer func() {
				if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), want) {
					t.Errorf("panics with %v", r)
				}
			}()
			protocol.Register(descriptor(change))
		})
	}
	defer func() {
		if recover() == nil {
			t.Error("a built protocol is announced")
		}
	}()
	protocol.Announce(protocols.Default)
}

func TestFind(t *testing.T) {
	for _, name := range protocol.Names() {
		if d, err := protocol.Find(name); err != nil || d.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	all := strings.Join(protocol.Names(), ", ")
	for name, want := range map[string]string{
		"later": "protocol later is not built yet (there are " + all + ")",
		"spdz":  `no protocol "spdz" (there are ` + all + ")",
	} {
		_, err := protocol.Find(name)
		var unknown *protocol.UnknownError
		if !errors.As(err, &unknown) || err.Error() != want || unknown.Planned != (name == "later") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if !slices.Contains(protocol.Names(), protocols.Default) || !slices.Contains(protocol.Names(), protocols.Alone) {
		t.Error("a default is no protocol")
	}
}

func TestOfflineGraph(t *testing.T) {
	g := protocol.OfflineGraph{{Name: "a", Rounds: 2, Sent: []int64{1, 10}}, {Name: "b", Rounds: 1, Sent: []int64{100, 0}, Dealt: 1000}}
	if g.Rounds() != 3 || g.Bytes() != 1111 || !reflect.DeepEqual(g.BySender(3), []int64{101, 10, 0}) {
		t.Errorf("%d rounds, %d bytes, %v", g.Rounds(), g.Bytes(), g.BySender(3))
	}
	for name, want := range map[string]protocol.OfflineGraph{
		"plain":  nil,
		"semi2k": {{Name: "seeds"}, {Name: "corrections", Rounds: 1, Dealt: 9}},
		"aby3":   {{Name: "seeds"}, {Name: "corrections", Rounds: 1, Sent: []int64{0, 0, 9}}},
	} {
		d, err := protocol.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.DealtGraph(3, 9); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
		if got := d.DealtGraph(3, 0); got.Rounds() != 0 {
			t.Errorf("%s: nothing is dealt in %d rounds", name, got.Rounds())
		}
	}
}
