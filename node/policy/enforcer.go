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
	"github.com/tacet-mpc/tacet/jsonlimit"
)

// Enforcer applies a policy and counts the runs that it allows. It is safe for concurrent use. Open makes an
// Enforcer.
type Enforcer struct {
	path string

	mu     sync.Mutex
	policy *Policy
	used   counts
}

// countStructure bounds the structural characters (package jsonlimit) of the file of counts: a start time, which has one, takes more
// than 20 bytes there and 24 in memory, so that it is generous to rules with a high rate.
const countStructure = 1 << 22

// count is the count of one rule.
type count struct {
	Runs int `json:"runs"`
	// StartsBy holds the start times of each submitter's latest runs, at most as many as the rule's rate allows.
	StartsBy map[string][]time.Time `json:"starts_by,omitempty"`
	// Starts holds those of all submitters together, as earlier builds have written them: they count for each.
	Starts []time.Time `json:"starts,omitempty"`
}

// counts is the content of the file of counts: by rule name, runs and requests, and sessions of
// correlations that were made ahead of time.
type counts struct {
	Rules   map[string]*count `json:"rules"`
	Offline map[string]*count `json:"offline,omitempty"`
}

// of returns the counts that limit s.
func (c *counts) of(s Submission) map[string]*count {
	if s.Offline {
		return c.Offline
	}
	return c.Rules
}

func (c *count) runs() int {
	if c == nil {
		return 0
	}
	return c.Runs
}

// within returns the number of a submitter's runs that started less than a period before now. Start times after now,
// left by a clock that was set back, count too.
func (c *count) within(by string, period time.Duration, now time.Time) int {
	if c == nil {
		return 0
	}
	return len(recent(c.StartsBy[by], period, now)) + len(recent(c.Starts, period, now))
}

// recent returns the times that are less than a period before now, or after it.
func recent(starts []time.Time, period time.Duration, now time.Time) (out []time.Time) {
	for _, t := range starts {
		if now.Sub(t) < period {
			out = append(out, t)
		}
	}
	return out
}

// Open returns an enforcer of policy p, with the counts of its rules from the file at path. The file need not
// exist yet. A file that cannot be read is an error, because counting from 0 again would allow more runs than
// the owner did.
func Open(p *Policy, path string) (*Enforcer, error) {
	k := &Enforcer{policy: p, path: path, used: counts{map[string]*count{}, map[string]*count{}}}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the policy's counts: %w", err)
	}
	d := json.NewDecoder(jsonlimit.Reader(bytes.NewReader(text), jsonlimit.Of(countStructure)))
	d.DisallowUnknownFields()
	var c counts
	if err := d.Decode(&c); err != nil {
		return nil, fmt.Errorf("the policy's counts: %s: %w (restore it; without it, every rule's runs start at 0)", path, err)
	}
	for _, x := range []struct{ from, to map[string]*count }{{c.Rules, k.used.Rules}, {c.Offline, k.used.Offline}} {
		for name, n := range x.from {
			if n == nil || n.Runs < 0 {
				return nil, fmt.Errorf("the policy's counts: %s: rule %q: not a count (restore it; without it, every rule's runs start at 0)", path, name)
			}
			x.to[name] = n
		}
	}
	return k, nil
}

// Replace puts another policy into force. Rules with the name of an earlier rule keep its count.
func (k *Enforcer) Replace(p *Policy) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.policy = p
}

// Policy returns the policy in force.
func (k *Enforcer) Policy() *Policy {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.policy
}

// Judge returns the decision about a submission, without counting a run.
func (k *Enforcer) Judge(s Submission) Decision {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.policy.judge(s, &k.used)
}

// Start judges a submission again, since other runs may have started since Judge. If the decision is Allowed, or
// is NeedsApproval and an admin has approved the job (approved), the run may start, and Start counts it. The
// count is on stable storage when Start returns. After an error the run must not start.
func (k *Enforcer) Start(s Submission, approved bool) (Decision, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	d := k.policy.judge(s, &k.used)
	if d.Verdict == Denied || d.Verdict == NeedsApproval && !approved {
		return d, nil
	}
	rules := k.policy.Rules
	r := &rules[slices.IndexFunc(rules, func(r Rule) bool { return r.Name == d.Rule })]
	if r.Runs == 0 && r.Rate.Runs == 0 {
		return d, nil
	}
	used := k.used.of(s)
	before := used[r.Name]
	after := &count{Runs: before.runs() + 1}
	if r.Rate.Runs > 0 {
		after.StartsBy = map[string][]time.Time{}
		if before != nil {
			after.Starts = recent(before.Starts, r.Rate.Per, s.Now)
			for by, starts := range before.StartsBy {
				if starts = recent(starts, r.Rate.Per, s.Now); len(starts) > 0 {
					after.StartsBy[by] = starts[max(0, len(starts)-r.Rate.Runs):]
				}
			}
		}
		after.StartsBy[s.By] = append(slices.Clip(after.StartsBy[s.By]), s.Now.UTC())
	}
	used[r.Name] = after
	text, err := json.MarshalIndent(k.used, "", " ")
	if err == nil {
		err = durable.WriteFile(k.path, append(text, '\n'), 0o600)
	}
	if err != nil {
		// The count may be on disk or not, so it stays counted in memory.
		return Decision{}, fmt.Errorf("the policy's counts: %w", err)
	}
	return d, nil
}
