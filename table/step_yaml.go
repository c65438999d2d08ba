package table

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// ReadSteps returns a yamlfile.Field that reads the steps of a table into *to, in the file's order:
//
//	prepare:
//	  age:      {standardise: true}                         # or {mean: 40, sd: 12}
//	  bmi:      {missing: mean, indicator: true}            # or median, or {value: 25}
//	  region:   {one_hot: [north, south, west], drop: north}  # or one_hot: true
//	  income:   {bins: 4, one_hot: true}                    # or bins: [20000, 40000]
//	  admitted: {parts: [year, month]}
func ReadSteps(to *[]Step) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = []Step{}
		return v.Each(key, func(name string, v yamlfile.Value) error {
			s := Step{Column: name}
			err := v.Mapping("the preparation of a column", yamlfile.Fields{
				"missing":     s.readFill,
				"indicator":   yamlfile.Bool(&s.Indicator),
				"parts":       yamlfile.Texts(&s.Parts, "parts of dates"),
				"bins":        s.readBins,
				"one_hot":     s.readLevels,
				"drop":        scalar(&s.Drop),
				"standardise": s.readScale,
			})
			if err != nil {
				return err
			}
			if err := s.Check(false); err != nil {
				return &yamlfile.Error{Place: v.Key, Err: err}
			}
			*to = append(*to, s)
			return nil
		})
	}
}

func (s *Step) readFill(key string, v yamlfile.Value) error {
	s.Fill = &Fill{}
	if v.IsMapping() {
		given := false
		err := v.Mapping(key, yamlfile.Fields{"value": func(key string, v yamlfile.Value) error {
			given = true
			return scalar(&s.Fill.Value)(key, v)
		}})
		if err == nil && !given {
			err = v.Wrong("%s: want mean, median or {value: VALUE}", key)
		}
		return err
	}
	if text, ok := v.Scalar(); ok && (text == "mean" || text == "median") {
		s.Fill.Statistic = text
		return nil
	}
	return v.Mismatch(key, "mean, median or {value: VALUE}")
}

func (s *Step) readBins(key string, v yamlfile.Value) error {
	if _, ok := v.Scalar(); ok {
		err := yamlfile.Positive(&s.Bins)(key, v)
		if err == nil && s.Bins < 2 {
			return v.Wrong("bins: want 2 or more bins")
		}
		return err
	}
	return yamlfile.Reals(&s.Edges, "edges")(key, v)
}

func (s *Step) readLevels(key string, v yamlfile.Value) error {
	if _, ok := v.Scalar(); ok {
		return yamlfile.Bool(&s.OneHot)(key, v)
	}
	s.OneHot = true
	return ReadTexts(&s.Levels, "levels")(key, v)
}

func (s *Step) readScale(key string, v yamlfile.Value) error {
	if !v.IsMapping() {
		return yamlfile.Bool(&s.Standardise)(key, v)
	}
	s.Scale = &Scale{SD: math.NaN()}
	return v.Mapping(key, yamlfile.Fields{"mean": real(&s.Scale.Mean), "sd": real(&s.Scale.SD)})
}

// real reads a finite number.
func real(to *float64) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if s, ok := v.Scalar(); ok {
			if x, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(x) <= math.MaxFloat64 {
				*to = x
				return nil
			}
		}
		return v.Mismatch(key, "a finite number")
	}
}

// scalar reads a text, a number or a truth value as the file spells it.
func scalar(to *string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		s, ok := v.Scalar()
		if !ok {
			return v.Mismatch(key, "a text or number")
		}
		*to = s
		return nil
	}
}

// ReadTexts returns a yamlfile.Field that reads a list of texts into *to, in which numbers need no quotes. of
// describes the texts in errors.
func ReadTexts(to *[]string, of string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = []string{}
		return v.List(key, of, func(v yamlfile.Value) error {
			var s string
			err := scalar(&s)(key, v)
			*to = append(*to, s)
			return err
		})
	}
}

// ReadTypes returns a yamlfile.Field that reads the declared kinds of columns into *to: {zip: string, region:
// [north, south]}. A list declares a category with these levels.
func ReadTypes(to *map[string]Type) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = map[string]Type{}
		return v.Each(key, func(name string, v yamlfile.Value) error {
			t := Type{Kind: Category}
			text, ok := v.Scalar()
			var err error
			if !ok {
				err = ReadTexts(&t.Levels, "levels")(name, v)
			} else if t.Kind, err = ParseKind(text); err != nil {
				err = v.Wrong("%s: %w", key, err)
			}
			(*to)[name] = t
			return err
		})
	}
}

// ReadFormat returns a yamlfile.Field that reads the format of a CSV file into *to: {encoding: latin-1,
// separator: ";", decimal: ",", thousands: ".", dates: DD.MM.YYYY, missing: [NA, "-"], header: false}.
func ReadFormat(to *Format) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		header := true
		err := v.Mapping(key, yamlfile.Fields{
			"encoding": yamlfile.Text(&to.Encoding),
			"separator": func(key string, v yamlfile.Value) error {
				s, _ := v.Scalar()
				r, n := utf8.DecodeRuneInString(s)
				if n == 0 || n != len(s) {
					return v.Mismatch(key, `one character, such as ";" or "\t"`)
				}
				to.Separator = r
				return nil
			},
			"header":    yamlfile.Bool(&header),
			"missing":   ReadTexts(&to.Missing, "spellings of missing values"),
			"thousands": mark(&to.Thousands),
			"decimal":   mark(&to.Decimal),
			"dates":     yamlfile.Text(&to.Dates),
		})
		to.NoHeader = !header
		if err != nil {
			return err
		}
		if err := to.check(); err != nil {
			return v.Wrong("%s: %w", key, err)
		}
		return nil
	}
}

// mark reads one ASCII character.
func mark(to *byte) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		s, ok := v.Scalar()
		if !ok || len(s) != 1 {
			return v.Mismatch(key, `one mark, such as "."`)
		}
		*to = s[0]
		return nil
	}
}
