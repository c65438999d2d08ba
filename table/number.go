package table

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// numberText brings a number to the form that strconv reads: without thousands marks, and with a point. whole
// reports that it has neither fraction nor exponent. ok is false if it is not a decimal number, has leading
// zeros, or groups of other than three digits.
func (f *Format) numberText(buf []byte, cell string) (text []byte, whole, ok bool) {
	text, i := buf[:0], 0
	if i < len(cell) && (cell[i] == '-' || cell[i] == '+') {
		text, i = append(text, cell[i]), i+1
	}
	start, group, grouped := i, 0, false
	digits := 0
	for ; i < len(cell); i++ {
		c := cell[i]
		if f.Thousands != 0 && c == f.Thousands {
			if grouped && group != 3 || !grouped && (group == 0 || group > 3) {
				return nil, false, false
			}
			group, grouped = 0, true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		text = append(text, c)
		group, digits = group+1, digits+1
	}
	if grouped && group != 3 || digits > 1 && cell[start] == '0' {
		return nil, false, false
	}
	if i == len(cell) {
		return text, true, digits > 0
	}
	if cell[i] == f.decimal() {
		text = append(text, '.')
		for i++; i < len(cell) && cell[i] >= '0' && cell[i] <= '9'; i++ {
			text = append(text, cell[i])
			digits++
		}
	}
	if digits == 0 {
		return nil, false, false
	}
	if i < len(cell) && (cell[i] == 'e' || cell[i] == 'E') {
		text, i = append(text, 'e'), i+1
		if i < len(cell) && (cell[i] == '-' || cell[i] == '+') {
			text, i = append(text, cell[i]), i+1
		}
		power := i
		for ; i < len(cell) && cell[i] >= '0' && cell[i] <= '9'; i++ {
			text = append(text, cell[i])
		}
		if i == power {
			return nil, false, false
		}
	}
	return text, false, i == len(cell)
}

var errRange = errors.New("the number is too large")

func (p *parser) integer(cell string) (int64, error) {
	text, whole, ok := p.NumberText(cell)
	if !ok || !whole {
		return 0, fmt.Errorf("%.40q is not an integer", cell)
	}
	x, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%.40q: %w for an integer of 64 bits", cell, errRange)
	}
	return x, nil
}

func (p *parser) float(cell string) (float64, error) {
	text, whole, ok := p.NumberText(cell)
	if !ok {
		return 0, fmt.Errorf("%.40q is not a number", cell)
	}
	if whole { // a long row of digits is an identifier, not a float: rounding it would go unnoticed
		if _, err := strconv.ParseInt(string(text), 10, 64); err != nil {
			return 0, fmt.Errorf("%.40q: %w (write it with a point, or declare the column a string)", cell, errRange)
		}
	}
	x, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, fmt.Errorf("%.40q: %w", cell, errRange)
	}
	return x, nil
}

// boolean reads a truth value. Numbers and yes or no are truth values only where the column is declared so.
func boolean(cell string, declared bool) (int64, error) {
	switch cell {
	case "true", "True", "TRUE":
		return 1, nil
	case "false", "False", "FALSE":
		return 0, nil
	}
	if declared {
		switch strings.ToLower(cell) {
		case "1", "yes":
			return 1, nil
		case "0", "no":
			return 0, nil
		}
	}
	return 0, fmt.Errorf("%.40q is not a boolean (true or false; 1, 0, yes and no where the type is declared)", cell)
}

// pattern is the form of a date: the units YYYY, MM, DD (or M, D: one or two digits) and other characters.
type pattern []string

const isoDate = "YYYY-MM-DD"

func parsePattern(text string) (pattern, error) {
	if text == "" {
		text = isoDate
	}
	var p pattern
	seen := map[byte]bool{}
	for rest := text; rest != ""; {
		unit := rest[:1]
		for _, u := range []string{"YYYY", "MM", "M", "DD", "D"} {
			if strings.HasPrefix(rest, u) {
				unit = u
				break
			}
		}
		if c := unit[0]; c == 'Y' || c == 'M' || c == 'D' {
			if seen[c] || unit == "Y" {
				return nil, fmt.Errorf("dates: %q is no pattern of dates (YYYY, MM or M, and DD or D, each once, such as DD.MM.YYYY)", text)
			}
			seen[c] = true
		} else if c >= '0' && c <= '9' {
			return nil, fmt.Errorf("dates: %q has digits (a pattern is such as DD.MM.YYYY)", text)
		}
		p, rest = append(p, unit), rest[len(unit):]
	}
	if len(seen) != 3 {
		return nil, fmt.Errorf("dates: %q lacks a year, month or day (YYYY, MM, DD)", text)
	}
	return p, nil
}

// parse returns the days from 1970-01-01 to a date.
func (p pattern) parse(cell string) (int64, error) {
	wrong := func() (int64, error) {
		return 0, fmt.Errorf("%.40q is not a date of the form %s", cell, strings.Join(p, ""))
	}
	var year, month, day int
	rest := cell
	for _, unit := range p {
		to := &year
		least, most := len(unit), len(unit)
		switch unit[0] {
		case 'Y':
		case 'M':
			to, most = &month, 2
		case 'D':
			to, most = &day, 2
		default:
			var ok bool
			if rest, ok = strings.CutPrefix(rest, unit); !ok {
				return wrong()
			}
			continue
		}
		n := 0
		for n < most && n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			*to = *to*10 + int(rest[n]-'0')
			n++
		}
		if n < least {
			return wrong()
		}
		rest = rest[n:]
	}
	d := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if rest != "" || d.Year() != year || int(d.Month()) != month || d.Day() != day {
		return wrong()
	}
	return d.Unix() / 86400, nil
}

// dateOf returns the date so many days after 1970-01-01.
func dateOf(days int64) time.Time { return time.Unix(days*86400, 0).UTC() }

func dateText(days int64) string { return dateOf(days).Format(time.DateOnly) }
