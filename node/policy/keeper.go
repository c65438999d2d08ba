package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/durable"
)

// Keeper applies a policy and counts the runs that it let start.
type Keeper struct {
	path string

	mu     sync.Mutex
	policy *Policy
	rules  map[string]*count
}

// count is what was counted for a rule.
type count struct {
	Runs int `json:"runs"`
	// Starts are the times of the latest runs, as many as the rule's rate asks
	// about.
	Starts []time.Time `json:"starts,omitempty"`
}

// counts is the file.
type counts struct {
	Rules map[string]*count `json:"rules"`
}

func (c *count) runs() int {
	if c == nil {
		return 0
	}
	return c.Runs
}

// within counts the runs that started less than a period before now. Those
// later than now, by a clock that has been set back since, count too.
func (c *count) within(period time.Duration, now time.Time) int {
	if c == nil {
		return 0
	}
	n := 0
	for _, t := range c.Starts {
		if now.Sub(t) < period {
			n++
		}
	}
	return n
}

// Open reads what a policy's rules have counted from a file, which need not
// exist yet. A file that cannot be read is an error: counting from 0 again
// would give away what the owner did not.
func Open(p *Policy, path string) (*Keeper, error) {
	k := &Keeper{policy: p, path: path, rules: map[string]*count{}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the policy's counts: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var c counts
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("the policy's counts: %s: %w (restore it; without it, every rule's runs start at 0)", path, err)
	}
	for name, n := range c.Rules {
		if n == nil || n.Runs < 0 {
			return nil, fmt.Errorf("the policy's counts: %s: rule %q: not a count (restore it; without it, every rule's runs start at 0)", path, name)
		}
		k.rules[name] = n
	}
	return k, nil
}

// Replace applies another policy from now on. What was counted for a rule counts
// for the other's rule of the same name.
func (k *Keeper) Replace(p *Policy) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.policy = p
}

// Policy is what applies now.
func (k *Keeper) Policy() *Policy {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.policy
}

// Judge says what is to be done with a submission; it counts nothing.
func (k *Keeper) Judge(s Submission) Decision {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.policy.judge(s, k.rules)
}

// Start judges once more, for what else has started since, and counts the run
// where it may start: where the decision is Allowed, or NeedsApproval and an
// admin approved. Such a run is counted on disk when Start returns; on an
// error nothing may start.
func (k *Keeper) Start(s Submission, approved bool) (Decision, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	d := k.policy.judge(s, k.rules)
	if d.Verdict == Denied || d.Verdict == NeedsApproval && !approved {
		return d, nil
	}
	rules := k.policy.Rules
	r := &rules[slices.IndexFunc(rules, func(r Rule) bool { return r.Name == d.Rule })]
	if r.Runs == 0 && r.Rate.Runs == 0 {
		return d, nil
	}
	before := k.rules[r.Name]
	after := &count{Runs: before.runs() + 1}
	if r.Rate.Runs > 0 {
		if before != nil {
			after.Starts = slices.Clone(before.Starts[max(0, len(before.Starts)-r.Rate.Runs+1):])
		}
		after.Starts = append(after.Starts, s.Now.UTC())
	}
	k.rules[r.Name] = after
	text, err := json.MarshalIndent(counts{k.rules}, "", " ")
	if err == nil {
		err = durable.WriteFile(k.path, append(text, '\n'), 0o600)
	}
	if err != nil {
		// Whether the count is on disk is unknown: it stays counted here.
		return Decision{}, fmt.Errorf("the policy's counts: %w", err)
	}
	return d, nil
}
