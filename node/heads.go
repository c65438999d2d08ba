package node

import (
	"crypto"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/node/audit"
)

// headsFile holds the signed heads of the peers' audit logs that this node has kept.
const headsFile = "heads.json"

// signerOf returns what signs the heads of this party's audit log: the key of the network's certificate,
// nil if it has none.
func signerOf(c *Config, net Network) *audit.Signer {
	if n, ok := net.(keyed); ok && n.Key() != nil {
		return &audit.Signer{Party: c.Name, Key: currentKey{n}}
	}
	return nil
}

// keyed is a network whose certificate has a key that signs.
type keyed interface{ Key() crypto.Signer }

// currentKey signs with the key that the certificate has now: a reload may have replaced it.
type currentKey struct{ keyed }

func (k currentKey) Public() crypto.PublicKey { return k.Key().Public() }

func (k currentKey) Sign(rand io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	return k.Key().Sign(rand, digest, opts)
}

// Key returns the key of the node's certificate.
func (n *tlsNetwork) Key() crypto.Signer { return n.id.Key() }

// keptHeads are the signed heads of other parties' audit logs, in a file: of each party the newest one, and
// before it those whose logs were longer, if the party's log has become shorter.
type keptHeads struct {
	path string

	mu      sync.Mutex
	byParty map[string][]*audit.Head
}

// maxHeads bounds the heads of a party that are kept.
const maxHeads = 20

func openHeads(path string) (*keptHeads, error) {
	k := &keptHeads{path: path, byParty: map[string][]*audit.Head{}}
	var err error
	k.byParty, err = audit.ReadHeads(path)
	if errors.Is(err, fs.ErrNotExist) {
		k.byParty, err = map[string][]*audit.Head{}, nil
	}
	return k, err
}

// keep keeps a party's head. It reports whether the party's log is the one that an earlier head names, or
// may be: it has not become shorter, or another one of the same length.
func (k *keptHeads) keep(h *audit.Head) (follows bool, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	heads := slices.Clone(k.byParty[h.Party])
	follows = true
	if len(heads) > 0 {
		last := heads[len(heads)-1]
		follows = h.Lines > last.Lines || h.Lines == last.Lines && h.Hash == last.Hash
	}
	if follows && len(heads) > 0 {
		heads[len(heads)-1] = h
	} else {
		heads = append(heads, h)
		heads = heads[max(0, len(heads)-maxHeads):]
	}
	k.byParty[h.Party] = heads
	text, err := json.MarshalIndent(k.byParty, "", " ")
	if err == nil {
		err = durable.WriteFile(k.path, append(text, '\n'), 0o600)
	}
	return follows, err
}

// askHeads asks the other parties of a job for the signed heads of their audit logs, and keeps them.
func (n *Node) askHeads(parties []string) {
	for _, name := range parties {
		if name == n.config.Name {
			continue
		}
		h, err := n.peer(name).AuditHead(n.ctx)
		if err == nil {
			err = h.Verify()
		}
		if err == nil && h.Party != name {
			err = fmt.Errorf("it is the head of %.40q", h.Party)
		}
		if err != nil {
			n.log.Debug("no signed head of an audit log", "node", name, "error", err.Error())
			continue
		}
		follows, err := n.heads.keep(&h)
		if err != nil {
			n.log.Warn("cannot keep the signed head of an audit log", "node", name, "error", err.Error())
		}
		if !follows {
			n.log.Warn("the audit log of a peer is shorter than before: it was cut, restored from a backup, or broken and begun anew",
				"node", name, "lines", h.Lines)
		}
	}
}

// auditHead returns the signed head of this node's audit log, for its peers, who are known by their name as
// a party, and admins, who are known by their identity.
func (n *Node) auditHead(party, caller string) (*audit.Head, error) {
	if _, peer := n.config.Peers[party]; !peer && !n.policy.Policy().IsAdmin(caller) {
		return nil, refuse(http.StatusForbidden, "%s is neither a peer nor an admin of %s", caller, n.config.Name)
	}
	h := n.audit.Signed()
	if h == nil {
		return nil, refuse(http.StatusNotFound, "%s does not sign its audit log", n.config.Name)
	}
	return h, nil
}
