package maps

import (
	"slices"
	"testing"
)

func TestCut(t *testing.T) {
	// An image of 10 elements and six overlapping parts of it, concatenated, also with another
	// vector; the half of these; and a repetition of that.
	steps := map[string]Node[string]{
		"image": {Size: 10},
		"other": {Size: 3},
		"open":  {Free: true},
		"empty": {},
		"half":  {Size: 5, Depth: 1, From: []string{"image"}},
		"twice": {Size: 10, Depth: 2, From: []string{"half"}},
		"tiles": {Size: 24, Depth: 2, From: []string{"1", "2", "3", "4", "5", "6"}},
		"both":  {Size: 27, Depth: 3, From: []string{"tiles", "other"}},
		"mixed": {Size: 7, Depth: 1, From: []string{"open", "other"}},
		"known": {Size: 7, Depth: 1, From: []string{"open"}},
		"sums":  {Size: 2, Depth: 1, From: []string{"image"}},
		"same":  {Size: 10, Depth: 1, From: []string{"image"}},
	}
	for _, part := range []string{"1", "2", "3", "4", "5", "6"} {
		steps[part] = Node[string]{Size: 4, Depth: 1, From: []string{"image"}}
	}
	for _, c := range []struct {
		of, least []string
		size      int
	}{
		{[]string{"image"}, []string{"image"}, 10},
		{[]string{"open"}, nil, 0},
		{[]string{"empty"}, []string{"empty"}, 0},
		{[]string{"half"}, []string{"half"}, 5},
		{[]string{"twice"}, []string{"half"}, 5},
		{[]string{"1", "2"}, []string{"1", "2"}, 8},
		{[]string{"tiles"}, []string{"image"}, 10},
		{[]string{"both"}, []string{"other", "image"}, 13},
		{[]string{"both", "half"}, []string{"other", "image"}, 13},
		{[]string{"mixed"}, []string{"other"}, 3},
		{[]string{"known"}, nil, 0},
		{[]string{"sums"}, []string{"sums"}, 2},
		{[]string{"same"}, []string{"same"}, 10},
		{[]string{"sums", "same", "open"}, []string{"image"}, 10},
		{[]string{"twice", "half"}, []string{"half"}, 5},
	} {
		least, size := Cut(c.of, func(s string) Node[string] { return steps[s] })
		slices.Sort(least)
		slices.Sort(c.least)
		if size != c.size || !slices.Equal(least, c.least) {
			t.Errorf("%v: %v, %d; want %v, %d", c.of, least, size, c.least, c.size)
		}
	}
}
