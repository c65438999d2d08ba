package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/profile"
)

// axis is a setting with the values to compare.
type axis struct {
	key    string
	values []string
}

// maxVariants is the maximum number of plans in one comparison.
const maxVariants = 64

// axes parses KEY=VALUE,VALUE,….
func axes(texts []string) ([]axis, error) {
	var out []axis
	all := 1
	for _, text := range texts {
		key, values, ok := strings.Cut(text, "=")
		a := axis{key, strings.Split(values, ",")}
		if !ok || key == "" || slices.Contains(a.values, "") {
			return nil, fmt.Errorf("--compare: want KEY=VALUE,VALUE such as ring=64,128, got %q", text)
		}
		if slices.ContainsFunc(out, func(b axis) bool { return b.key == key }) {
			return nil, fmt.Errorf("--compare: %s is given twice", key)
		}
		out = append(out, a)
		if all *= len(a.values); all > maxVariants {
			return nil, fmt.Errorf("--compare: more than %d combinations", maxVariants)
		}
	}
	return out, nil
}

// combinations returns all choices of one value for each axis.
func combinations(axes []axis) [][]string {
	out := [][]string{nil}
	for _, a := range axes {
		var next [][]string
		for _, before := range out {
			for _, v := range a.values {
				next = append(next, append(slices.Clone(before), a.key+"="+v))
			}
		}
		out = next
	}
	return out
}

// with returns the settings with some of them changed, given as KEY=VALUE.
func (s settings) with(choices []string) (settings, error) {
	s.Set = maps.Clone(s.Set)
	if s.Set == nil {
		s.Set = map[string]string{}
	}
	for _, c := range choices {
		key, value, _ := strings.Cut(c, "=")
		n, err := strconv.Atoi(value)
		switch key {
		case "protocol":
			s.Protocol, err = value, nil
		case "ring":
			s.Ring = (*ringBits)(&n)
		case "fraction":
			s.Fraction = &n
		case "parties":
			s.Parties = &n
		default:
			s.Set[key], err = value, nil
		}
		if err != nil {
			return s, fmt.Errorf("--compare: %s: %q is not a number", key, value)
		}
	}
	return s, nil
}

// compare plans the job under every combination of settings and shows the plans
// side by side.
func (c *planCmd) compare(a app, texts []string) error {
	axes, err := axes(texts)
	if err != nil {
		return badUsage{err}
	}
	var variants []profile.Variant
	var first error
	for _, choices := range combinations(axes) {
		s, err := c.settings.with(choices)
		if err != nil {
			return badUsage{err}
		}
		v := profile.Variant{Settings: choices}
		if v.Plan, err = c.plan(a, &s); err != nil {
			if a.ctx.Err() != nil {
				return err
			}
			v.Refused = oneLine(err)
			if first == nil {
				first = err
			}
		}
		variants = append(variants, v)
	}
	if !slices.ContainsFunc(variants, func(v profile.Variant) bool { return v.Plan != nil }) {
		return first
	}
	if c.JSON {
		b, err := profile.VariantsJSON(variants)
		if err != nil {
			return err
		}
		_, err = a.stdout.Write(b)
		return err
	}
	return profile.Variants(a.stdout, variants)
}
