package profile

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// Grouping is what a table has a row for.
type Grouping string

// The groupings of a table.
const (
	ByOp    Grouping = "op"    // an operation of the program
	ByLine  Grouping = "line"  // a line of the program's text
	ByLayer Grouping = "layer" // a layer or function
)

// Group is what the operations of a line or a layer cost together, bytes and
// messages of all parties.
type Group struct {
	Name     string  `json:"name"`
	Bytes    int64   `json:"bytes_sent"`
	Messages int64   `json:"messages"`
	Rounds   int     `json:"rounds"` // on the longest path: those of all groups add up to the online phase's
	Offline  int64   `json:"offline_bytes"`
	Seconds  float64 `json:"seconds"`
	order    int     // place in the program
}

// Groups adds up the operations' sites by line or layer, in the program's
// order, those that cost something.
func (r *Report) Groups(by Grouping) []Group {
	at := map[string]*Group{}
	var out []*Group
	l := r.layers()
	for _, o := range r.Ops {
		for _, s := range o.Sites {
			name, order := line(o.Loc), o.ID
			if by == ByLayer {
				name, order = l.of(o, s)
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

// line is a place without its column.
func line(loc string) string {
	if strings.Count(loc, ":") < 2 {
		return loc
	}
	return column.ReplaceAllString(loc, "")
}

// layers says which layer operations belong to. Where the text names them, as
// JAX does with debug_info, it is the path of names that an operation stands
// in. Elsewhere a layer begins at each convolution or dot of a function, and
// lasts until the next; functions without one belong where they are called.
type layers struct {
	*Report
	begin map[int][]Op // contractions by frame, in order
	at    map[int]*Op  // operations by id
}

func (r *Report) layers() layers {
	l := layers{r, map[int][]Op{}, r.ops()}
	for _, o := range r.Ops {
		if o.Op != "stablehlo.convolution" && o.Op != "stablehlo.dot_general" && o.Op != "stablehlo.dot" {
			continue
		}
		for _, s := range o.Sites {
			if sum(s.BytesSent) > 0 || s.OfflineBytes > 0 {
				l.begin[s.Frame] = append(l.begin[s.Frame], o)
			}
		}
	}
	return l
}

// of names the layer of an operation at one of its sites, and its place in the
// program.
func (l layers) of(o Op, s Site) (name string, order int) {
	if name, order := l.named(o, s.Frame); name != "" {
		return name, order
	}
	frame, id := s.Frame, o.ID
	for range len(l.Frames) + 1 { // a file may have circles
		in := l.begin[frame]
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

// named is the path in JAX's name of an operation in a frame, without the jitted
// function that it begins with and the operation that it ends with; that function
// where nothing is left. A name that begins with no jitted function goes on from
// the name of the call that leads to the frame. It is "" where there are no names.
func (l layers) named(o Op, frame int) (path string, order int) {
	var parts []string
	name, order := o.Name, o.ID
	for range len(l.Frames) + 1 { // a file may have circles
		parts = append(levels(name), parts...)
		if strings.HasPrefix(name, "jit(") {
			return jitless(parts), order
		}
		if frame < 0 || frame >= len(l.Frames) || l.at[l.Frames[frame].Op] == nil {
			break
		}
		call := l.at[l.Frames[frame].Op]
		name, order, frame = call.Name, call.ID, l.Frames[frame].Outer
	}
	return "", 0
}

// jitless joins a path without the jitted functions that it begins with.
func jitless(parts []string) string {
	for len(parts) > 1 && strings.HasPrefix(parts[0], "jit(") {
		parts = parts[1:]
	}
	return strings.Join(parts, "/")
}

// of is the group's cost in what is sorted by.
func (g Group) of(by Order) float64 {
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

// PrintGroups prints the dearest groups, at most the given number of them; in
// the program's order if by is InOrder.
func PrintGroups(w io.Writer, groups []Group, by Order, most int) error {
	if len(groups) == 0 {
		_, err := fmt.Fprintln(w, "no operation costs anything")
		return err
	}
	groups = slices.Clone(groups)
	if by != InOrder {
		slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.of(by), a.of(by)) })
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
