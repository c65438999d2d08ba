package timing

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// Machine is what a machine needs for local work, on one core and in seconds.
type Machine struct {
	Name string `json:"machine"` // processor kind, kernels and Go version that it was measured with
	// Cores is how many steps are worked on at a time.
	Cores int `json:"cores"`
	// Build is what making a step of the graph takes.
	Build float64 `json:"seconds_build_step"`
	// Message is what sending and receiving take of a message however short,
	// and Copy of each of its bytes.
	Message float64 `json:"seconds_message"`
	Copy    float64 `json:"seconds_message_byte"`
	// Timer is how much later than asked a wait for a slow line ends.
	Timer float64 `json:"seconds_timer"`
	// Rates by kind of work.
	Step    float64 `json:"seconds_step"`
	Byte    float64 `json:"seconds_byte"`
	Product float64 `json:"seconds_product"`
	Stream  float64 `json:"seconds_stream_byte"`
	Wave    float64 `json:"seconds_wave"`
	Power   float64 `json:"seconds_power"`
	Lookup  float64 `json:"seconds_lookup"`
}

// Default is a machine of two cores of a server with AVX-512, for who has not
// measured their own.
var Default = Machine{
	Name: "default", Cores: 2,
	Build: 1.3e-6, Message: 3e-6, Copy: 1.4e-9, Timer: 80e-6,
	Step: 1.8e-6, Byte: 0.3e-9, Product: 0.08e-9, Stream: 0.09e-9, Wave: 1.6e-9, Power: 8e-9, Lookup: 0.14e-9,
}

// Rates are the machine's, by kind of work.
func (m Machine) Rates() flow.Rates {
	return flow.Rates{
		flow.Steps: m.Step, flow.Bytes: m.Byte, flow.Products: m.Product, flow.Stream: m.Stream,
		flow.Waves: m.Wave, flow.Powers: m.Power, flow.Lookups: m.Lookup,
	}
}

// here is this machine's name.
func here() string {
	return fmt.Sprintf("%s/%s, %d cores, kernels %s, %s", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), ring.Kernels(), runtime.Version())
}

// Path is where the profile of this machine is kept: in the user's cache.
func Path() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("timing: no folder for the machine's profile: %w", err)
	}
	return filepath.Join(dir, "tacet", "machine.json"), nil
}

// Load is the profile that was measured on this machine, or Default where
// there is none. A profile of other cores, kernels or Go version counts as
// none.
func Load() (Machine, error) {
	path, err := Path()
	if err != nil {
		return Default, nil // no home, no profile
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default, nil
	}
	if err != nil {
		return Default, fmt.Errorf("timing: read the machine's profile: %w", err)
	}
	var m Machine
	if err := json.Unmarshal(b, &m); err != nil || !m.sound() {
		return Default, fmt.Errorf("%s: not a machine's profile (make it again with tacet bench --calibrate)", path)
	}
	if m.Name != here() {
		return Default, nil
	}
	return m, nil
}

// sound reports whether all times are.
func (m Machine) sound() bool {
	ok := m.Cores > 0
	rates := m.Rates()
	for _, x := range append(rates[:], m.Build, m.Message, m.Copy, m.Timer) {
		ok = ok && x >= 0 && x < 1
	}
	return ok
}

// Save keeps the profile where Load finds it.
func (m Machine) Save() (path string, err error) {
	path, err = Path()
	if err != nil {
		return "", err
	}
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return "", fmt.Errorf("timing: encode the machine's profile: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return "", fmt.Errorf("timing: keep the machine's profile: %w", err)
	}
	if err := os.WriteFile(path, append(b, '\n'), 0o666); err != nil {
		return "", fmt.Errorf("timing: keep the machine's profile: %w", err)
	}
	return path, nil
}

// String lists the measurements, in units that suit them.
func (m Machine) String() string {
	text := ""
	for _, l := range []struct {
		name, unit string
		seconds    float64
	}{
		{"make a step", "µs", m.Build * 1e6},
		{"run a step", "µs", m.Step * 1e6},
		{"send and receive a message", "µs", m.Message * 1e6},
		{"wait for a line, beyond its time", "µs", m.Timer * 1e6},
		{"byte of a message", "ns", m.Copy * 1e9},
		{"byte of a vector", "ns", m.Byte * 1e9},
		{"multiply-add", "ns", m.Product * 1e9},
		{"byte of a pseudo-random stream", "ns", m.Stream * 1e9},
		{"harmonic of a function's table", "ns", m.Wave * 1e9},
		{"exponential", "ns", m.Power * 1e9},
		{"digit looked up", "ns", m.Lookup * 1e9},
	} {
		text += fmt.Sprintf("  %-34s %9.3f %s\n", l.name, l.seconds, l.unit)
	}
	return text
}
