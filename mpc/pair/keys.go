package pair

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// Peer holds the other party's public key and switching keys for a set of package he.
type Peer struct {
	Public *he.Public
	Switch map[int]*he.Switch // by the order of the group
}

// Secret returns this party's secret key for he.Sets[set]; nil if the Demand lacks it.
func (m *Material) Secret(set int) *he.Secret { return m.secrets[set] }

// Peer returns the other party's keys for he.Sets[set]; the zero Peer if the Demand lacks them.
func (m *Material) Peer(set int) Peer { return m.peers[set] }

// keySeed is the seed of what keys have in common at both parties. Requests of a service have their own.
func keySeed(c protocol.Config) he.Seed {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint32(append([]byte("tacet: keys of encryption"), c.Common[:]...), c.First))
	return he.Seed(sum[:he.SeedBytes])
}

// keyStream is the work of a polynomial of a key, in bytes of pseudo-random streams that take as long.
const keyStream = 1 << 20

// encryption makes the keys of the demand and sends them: a message for each key. It returns a result for each set.
func (k *maker) encryption(m *Material) (done []flow.Dep) {
	m.secrets, m.peers = map[int]*he.Secret{}, map[int]Peer{}
	for _, r := range k.demand.keyRequests() {
		done = append(done, k.keysOf(m, r, k.demand.keys[r]))
	}
	return done
}

// keysOf makes the keys of one owner and set.
func (k *maker) keysOf(m *Material, r KeyRequest, s KeySizes) flow.Dep {
	c := he.Sets[r.Set]
	seed := func(order int) he.Seed {
		return he.Derive(k.keys, "key", uint64(r.Owner), uint64(r.Set), uint64(order))
	}
	var secret *flow.Future[*he.Secret]
	if k.rank == r.Owner {
		secret = step(k, keyStream, func() (*he.Secret, error) { return he.Of(r.Set).NewSecret(he.Draw(k.random)), nil })
	}
	messages := []flow.Dep{}
	send := func(size int, pack func() []byte) *flow.Future[[]byte] {
		f := k.message(1, r.Owner, size, func() []byte { k.op.Spend(flow.Stream, keyStream); return pack() }, secret)
		messages = append(messages, f)
		return f
	}
	public := send(c.PublicBytes(s.Public), func() []byte { return secret.Get().Public(seed(0), he.Draw(k.random), s.Public) })
	var switches []*flow.Future[[]byte]
	for _, order := range s.Orders {
		switches = append(switches, send(c.SwitchBytes(s.Switch), func() []byte {
			return secret.Get().Switch(he.Of(r.Set).Element(order), seed(order), he.Draw(k.random), s.Switch)
		}))
	}
	return step(k, keyStream*int64(len(messages)), func() (_ struct{}, err error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if k.rank == r.Owner {
			m.secrets[r.Set] = secret.Get()
			return struct{}{}, nil
		}
		x := he.Of(r.Set)
		p := Peer{Switch: map[int]*he.Switch{}}
		if p.Public, err = x.ReadPublic(seed(0), s.Public, public.Get()); err != nil {
			return struct{}{}, fmt.Errorf("keys of party %d: %w", r.Owner, err)
		}
		for i, order := range s.Orders {
			if p.Switch[order], err = x.ReadSwitch(x.Element(order), seed(order), s.Switch, switches[i].Get()); err != nil {
				return struct{}{}, fmt.Errorf("keys of party %d: %w", r.Owner, err)
			}
		}
		m.peers[r.Set] = p
		return struct{}{}, nil
	}, messages...)
}
