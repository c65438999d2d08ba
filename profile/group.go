package profile

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
)

// Grouping says what each row of a table of costs is about.
type Grouping string

// What each row of a table of costs is about.
const (
	ByOp    Grouping = "op"    // an operation of the program
	ByLine  Grouping = "line"  // a line of the program text
	ByLayer Grouping = "layer" // a layer of the model (by names in the program text), or a function
)

// Group has the cost of all operations of a line or a layer. Bytes, messages and seconds are summed over all
// parties.
type Group struct {
	Name     string `json:"name"`       // the line ("model.mlir:12") or the name of the layer
	Bytes    int64  `json:"bytes_sent"` // bytes sent online
	Messages int64  `json:"messages"`
	// rounds on the longest chain of dependent messages; those of all groups add up to the online phase's rounds
	Rounds  int     `json:"rounds"`
	Offline int64   `json:"offline_bytes"` // bytes of corrections
	Seconds float64 `json:"seconds"`       // local computation
	order   int     // position in the program
}

// Groups returns the costs of the operations' sites, summed by line or by layer. It returns the groups with a
// cost in program order.
func (r *Report) Groups(by Grouping) []Group {
	at := map[string]*Group{}
	var out []*Group
	l := r.layers()
	for _, o := range r.Ops {
		for _, s := range o.Sites {
			name, order := line(o.Loc), o.ID
			if by == ByLayer {
				name, order = l.layerOf(o, s)
			}
			g := at[name]
			if g == nil {
				g = &Group{Name: name, order: order}
				at[name] = g
				out = append(out, g)
			}
			g.order = min(g.order, order)
			g.Bytes += sum(s.BytesSent)
			g.Messages += sum(s.Messages)
			g.Rounds += s.PathRounds
			g.Offline += s.OfflineBytes
			g.Seconds += s.Seconds
		}
	}
	var groups []Group
	for _, g := range out {
		if g.Bytes > 0 || g.Offline > 0 || g.Rounds > 0 {
			groups = append(groups, *g)
		}
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(a.order, b.order) })
	return groups
}

var column = regexp.MustCompile(`:[0-9]+$`)

// line returns a location without its column.
func line(loc string) string {
	if strings.Count(loc, ":") < 2 {
		return loc
	}
	return column.ReplaceAllString(loc, "")
}

// layers assigns operations to layers. If the program text names its operations (as JAX does with
// debug_info), the layer is the path in an operation's name. Otherwise a layer begins at each
// convolution or dot of a function and ends before the next one; a function without any belongs to
// the layer of its call.
type layers struct {
	*Report
	contractions map[int][]Op // contractions by frame, in program order
	at           map[int]*Op  // operations by id
}

func (r *Report) layers() layers {
	l := layers{r, map[int][]Op{}, r.ops()}
	for _, o := range r.Ops {
		if !hlo.Has(o.Op, hlo.Contraction) {
			continue
		}
		for _, s := range o.Sites {
			if sum(s.BytesSent) > 0 || s.OfflineBytes > 0 {
				l.contractions[s.Frame] = append(l.contractions[s.Frame], o)
			}
		}
	}
	return l
}

// layerOf returns the name of an operation's layer at one of its sites, and the id of the operation that
// begins the layer.
func (l layers) layerOf(o Op, s Site) (name string, order int) {
	if name, order := l.named(o, s.Frame); name != "" {
		return name, order
	}
	frame, id := s.Frame, o.ID
	for range len(l.Frames) + 1 { // bounded, because frames read from a file may form a cycle
		in := l.contractions[frame]
		for i := len(in) - 1; i >= 0; i-- {
			if in[i].ID <= id {
				return fmt.Sprintf("%s  %s", strings.TrimPrefix(in[i].Op, "stablehlo."), line(in[i].Loc)), in[i].ID
			}
		}
		if frame < 0 || frame >= len(l.Frames) || l.Frames[frame].Outer < 0 {
			break
		}
		frame, id = l.Frames[frame].Outer, l.Frames[frame].Op
	}
	return "before the first layer", -1
}

// named returns the path in the operation's JAX name, without the jitted functions at its start and
// the operation at its end, or the jitted function if nothing else remains. A name that does not
// start with a jitted function is relative to the name of the call that leads to the frame. It
// returns "" if the program has no names.
func (l layers) named(o Op, frame int) (path string, order int) {
	var parts []string
	name, order := o.Name, o.ID
	for range len(l.Frames) + 1 { // bounded, because frames read from a file may form a cycle
		parts = append(levels(name), parts...)
		if strings.HasPrefix(name, "jit(") {
			return withoutJit(parts), order
		}
		if frame < 0 || frame >= len(l.Frames) || l.at[l.Frames[frame].Op] == nil {
			break
		}
		call := l.at[l.Frames[frame].Op]
		name, order, frame = call.Name, call.ID, l.Frames[frame].Outer
	}
	return "", 0
}

// withoutJit joins a path's elements without the leading jitted functions.
func withoutJit(parts []string) string {
	for len(parts) > 1 && strings.HasPrefix(parts[0], "jit(") {
		parts = parts[1:]
	}
	return strings.Join(parts, "/")
}

// costOf returns the component of the group's cost that by sorts by.
func (g Group) costOf(by Order) float64 {
	switch by {
	case ByRounds:
		return float64(g.Rounds)
	case ByOffline:
		return float64(g.Offline)
	case BySeconds:
		return g.Seconds
	}
	return float64(g.Bytes)
}

// PrintGroups prints at most so many groups (most), the most expensive first, or in program order if by is
// ProgramOrder.
func PrintGroups(w io.Writer, groups []Group, by Order, most int) error {
	if len(groups) == 0 {
		_, err := fmt.Fprintln(w, "no operation has a cost")
		return err
	}
	groups = slices.Clone(groups)
	if by != ProgramOrder {
		slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.costOf(by), a.costOf(by)) })
	}
	rest := max(0, len(groups)-most)
	t := table(w)
	row(t, "bytes sent", "messages", "rounds", "offline", "seconds", "where")
	for _, g := range groups[:len(groups)-rest] {
		row(t, g.Bytes, g.Messages, g.Rounds, g.Offline, seconds(g.Seconds), g.Name)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print groups: %w", err)
	}
	if rest > 0 {
		fmt.Fprintf(w, "and %d more\n", rest)
	}
	return nil
}
