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

// keysOf makes the keys of one owner and set that the other party does not have yet, or has of fewer bits.
func (k *maker) keysOf(m *Material, r KeyRequest, s KeySizes) flow.Dep {
	there := k.state.sizes(r)
	base := he.Derive(k.keys, "keys of an owner", uint64(r.Owner), uint64(r.Set))
	seed := func(base he.Seed, order int) he.Seed { return he.Derive(base, "key", uint64(order)) }
	secret := flow.Resolved[*ownSecret](nil)
	if k.rank == r.Owner {
		secret = step(k, keyStream, func() (*ownSecret, error) {
			draw := he.Draw(k.random)
			if before := k.state.own[r.Set]; before != nil {
				draw = before.secret
			}
			return &ownSecret{draw, he.Of(r.Set).NewSecret(draw)}, nil
		})
	}
	messages := []flow.Dep{secret}
	made := map[int]keyMessage{} // by order
	got := map[int]*flow.Future[[]byte]{}
	send := func(order, size int) {
		if there[order] >= size {
			return
		}
		made[order] = keyMessage{size: size, seed: base}
		got[order] = k.message(1, r.Owner, keyBytes(r.Set, order, size), func() []byte {
			k.op.Spend(flow.Stream, keyStream)
			key := secret.Get().key
			if order == 0 {
				return key.Public(seed(base, 0), he.Draw(k.random), size)
			}
			return key.Switch(he.Of(r.Set).Element(order), seed(base, order), he.Draw(k.random), size)
		}, secret)
		messages = append(messages, got[order])
	}
	send(0, s.Public)
	for _, order := range s.Orders {
		send(order, s.Switch)
	}
	if k.rank == r.Owner {
		return step(k, keyStream, func() (_ struct{}, _ error) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.secrets[r.Set] = secret.Get().key
			if k.keep {
				m.next.keepOwn(r.Set, secret.Get().seed, made)
			}
			return struct{}{}, nil
		}, messages...)
	}
	p := Peer{Switch: map[int]*he.Switch{}}
	var read []flow.Dep
	for _, order := range append([]int{0}, s.Orders...) { // each as soon as it is there
		read = append(read, step(k, keyStream, func() (_ struct{}, err error) {
			var public *he.Public
			var turn *he.Switch
			key, x := k.state.peer[r.Set][order], he.Of(r.Set)
			if message, ok := made[order]; ok {
				key = message
				key.data = got[order].Get()
			}
			if order == 0 {
				public, err = x.ReadPublic(seed(key.seed, 0), key.size, key.data)
			} else {
				turn, err = x.ReadSwitch(x.Element(order), seed(key.seed, order), key.size, key.data)
			}
			if err != nil {
				return struct{}{}, fmt.Errorf("keys of party %d: %w", r.Owner, err)
			}
			m.mu.Lock()
			defer m.mu.Unlock()
			if order == 0 {
				p.Public = public
			} else {
				p.Switch[order] = turn
			}
			if k.keep {
				m.next.keepPeer(r.Set, order, key)
			}
			return struct{}{}, nil
		}, deps(got[order])...))
	}
	return step(k, 0, func() (_ struct{}, _ error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.peers[r.Set] = p
		return struct{}{}, nil
	}, read...)
}

// deps lists a result that is not nil.
func deps(x *flow.Future[[]byte]) []flow.Dep {
	if x == nil {
		return nil
	}
	return []flow.Dep{x}
}

// ownSecret is a secret key and the seed that determines it.
type ownSecret struct {
	seed he.Seed
	key  *he.Secret
}
