package yamlfile

import (
	"fmt"
	"math"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// namePattern matches the name of a party. Such a name can also name a file, a host and a
// certificate's subject.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$`)

// CheckName returns an *Error unless name can be the name of a party, a dealer or another holder of a
// certificate. place is the place of the name in the file; what describes it in the error: "party name".
func CheckName(place, what, name string) error {
	if !namePattern.MatchString(name) {
		return Wrong(place, "%s %q: letters, digits, '.', '_' and '-', 63 at most", what, name)
	}
	return nil
}

// Name returns a Field that reads the name of a party or of another holder of a certificate (CheckName).
func Name(to *string) Field {
	return func(key string, v Value) error {
		if err := Text(to)(key, v); err != nil {
			return err
		}
		return CheckName(v.Place(), key+":", *to)
	}
}

// identity reads the identity of a certificate's holder: NAME, or NAME@ORGANISATION.
func identity(to *string) Field {
	return func(key string, v Value) error {
		if err := Text(to)(key, v); err != nil {
			return err
		}
		name, organisation, at := strings.Cut(*to, "@")
		err := CheckName(v.Place(), key+":", name)
		if err == nil && at {
			err = CheckName(v.Place(), key+": organisation", organisation)
		}
		return err
	}
}

// Names returns a Field that reads a list of distinct names, each as Name does.
func Names(to *[]string) Field { return distinct(to, Name) }

// Identities returns a Field that reads a list of distinct identities: NAME, or NAME@ORGANISATION.
func Identities(to *[]string) Field { return distinct(to, identity) }

// distinct reads a list of distinct names, each as read does.
func distinct(to *[]string, read func(*string) Field) Field {
	return func(key string, v Value) error {
		seen := map[string]bool{}
		*to = []string{}
		return v.List(key, "names", func(v Value) error {
			var s string
			if err := read(&s)(key, v); err != nil {
				return err
			}
			if seen[s] {
				return v.Wrong("%s: %s is named twice", key, s)
			}
			seen[s] = true
			*to = append(*to, s)
			return nil
		})
	}
}

// Address returns a Field that reads a host and a port: "127.0.0.1:7001", "[::1]:7001", "alice.example:7001", or
// ":7001" for all addresses of this machine.
func Address(to *string) Field {
	return func(key string, v Value) error {
		s, _ := v.text()
		_, port, err := net.SplitHostPort(s)
		if n, e := strconv.ParseUint(port, 10, 16); err != nil || e != nil || strconv.FormatUint(n, 10) != port {
			return v.Mismatch(key, "an address such as 127.0.0.1:7001")
		}
		*to = s
		return nil
	}
}

// Duration returns a Field that reads a positive duration: "500ms", "5s", "10m", "24h".
func Duration(to *time.Duration) Field {
	return func(key string, v Value) error {
		s, _ := v.text()
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return v.Mismatch(key, "a time such as 500ms, 5s or 10m")
		}
		*to = d
		return nil
	}
}

// Age returns a Field that reads a positive age: a number of days, as "30d", or a duration as in Duration.
func Age(to *time.Duration) Field {
	return func(key string, v Value) error {
		s, _ := v.text()
		days, ok := strings.CutSuffix(s, "d")
		if n, err := strconv.ParseUint(days, 10, 16); ok && err == nil && n > 0 {
			*to = time.Duration(n) * 24 * time.Hour
			return nil
		}
		d, err := time.ParseDuration(s)
		if err != nil || d <= 0 {
			return v.Mismatch(key, "an age such as 30d or 12h")
		}
		*to = d
		return nil
	}
}

// sizes maps the units of sizes to bytes.
var sizes = []struct {
	unit  string
	bytes float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}

// Size returns a Field that reads a number of bytes, at most 2^62: "8GiB", "1.5GB", "4096".
func Size(to *int64) Field {
	return func(key string, v Value) error {
		s, _ := v.Scalar()
		n, ok := ParseSize(s)
		if !ok {
			return v.Mismatch(key, "a size such as 512MiB or 8GiB")
		}
		*to = n
		return nil
	}
}

// ParseSize returns the number of bytes that a text such as "512MiB" stands for; ok is false if the text is not
// a size.
func ParseSize(s string) (int64, bool) {
	scale := 1.0
	for _, u := range sizes {
		if number, ok := strings.CutSuffix(s, u.unit); ok {
			s, scale = strings.TrimRight(number, " "), u.bytes
			break
		}
	}
	if strings.Trim(s, "0123456789.") != "" { // no sign, exponent, hexadecimal, NaN
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	if x *= scale; err != nil || x < 0 || x > 1<<62 {
		return 0, false
	}
	return int64(math.Round(x)), true
}

// FormatSize formats a number of bytes with a binary unit and one decimal place: "3.0 MiB".
func FormatSize(n int64) string {
	const units = "KMGT"
	if n < 1<<10 {
		return fmt.Sprintf("%d B", n)
	}
	x, u := float64(n)/(1<<10), 0
	for x >= 1<<10 && u < len(units)-1 {
		x /= 1 << 10
		u++
	}
	return fmt.Sprintf("%.1f %ciB", x, units[u])
}
