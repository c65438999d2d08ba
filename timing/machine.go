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

// Machine is the profile of a machine: the cost of each kind of local work, in seconds on one core.
type Machine struct {
	Name string `json:"machine"` // description of the measured machine: processor architecture, cores, kernels and Go version
	// Cores is the number of steps of the dataflow graph that run at the same time.
	Cores int `json:"cores"`
	// Build is the time to build one step of the dataflow graph.
	Build float64 `json:"seconds_build_step"`
	// Message is the time to send and receive one message, whatever its size; Copy is the additional time for
	// each byte of it.
	Message float64 `json:"seconds_message"`
	Copy    float64 `json:"seconds_message_byte"`
	// Timer is the average delay with which a wait for a simulated line ends too late.
	Timer float64 `json:"seconds_timer"`
	// Wake is the time from making a step ready until it begins on a core whose thread sleeps, as it does when the core had no step for
	// a while (flow.Spin). In a profile of an earlier build it is 0, and Step is longer instead.
	Wake float64 `json:"seconds_wake"`
	// Fresh is the additional time for a byte of memory that the process has not used before: the kernel clears it, page by page. In a
	// profile of an earlier build it is 0.
	Fresh float64 `json:"seconds_fresh_byte"`
	// Step to Lookup are the times for one unit of each kind of work, as package flow defines them (flow.Work).
	Step    float64 `json:"seconds_step"`
	Byte    float64 `json:"seconds_byte"`
	Cached  float64 `json:"seconds_cached_byte"`
	Read    float64 `json:"seconds_read_byte"`
	Product float64 `json:"seconds_product"`
	Stream  float64 `json:"seconds_stream_byte"`
	Packed  float64 `json:"seconds_packed_word"`
	Wave    float64 `json:"seconds_wave"`
	Power   float64 `json:"seconds_power"`
	Cyclic  float64 `json:"seconds_cyclic_word"`
	Lookup  float64 `json:"seconds_lookup"`
}

// Default is the profile that is used for a machine that has not been calibrated: a server with two cores and
// AVX-512.
var Default = Machine{
	Name: "default", Cores: 2,
	Build: 1.3e-6, Message: 3e-6, Copy: 0.05e-9, Timer: 80e-6, Wake: 50e-6, Fresh: 0.2e-9,
	Step: 1.8e-6, Byte: 0.3e-9, Cached: 0.07e-9, Read: 0.09e-9, Product: 0.08e-9, Stream: 0.09e-9, Packed: 1.5e-9,
	Wave: 8e-9, Power: 20e-9, Cyclic: 5e-9, Lookup: 0.8e-9,
}

// Rates returns the machine's seconds for one unit of each kind of work.
func (m Machine) Rates() flow.Rates {
	return flow.Rates{
		flow.Steps: m.Step, flow.Bytes: m.Byte, flow.Cached: m.Cached, flow.Reads: m.Read, flow.Products: m.Product, flow.Stream: m.Stream,
		flow.Packed: m.Packed, flow.Waves: m.Wave, flow.Powers: m.Power, flow.Cyclic: m.Cyclic, flow.Lookups: m.Lookup,
	}
}

// ScaleKernels multiplies by a factor the times of kinds of work that depend on what lies in caches and in fresh memory: all but those of
// scheduling steps and of matrix products, which read what they multiply many times.
func (m *Machine) ScaleKernels(by float64) {
	for _, x := range []*float64{
		&m.Byte, &m.Cached, &m.Stream, &m.Packed, &m.Wave, &m.Power, &m.Cyclic, &m.Lookup,
	} {
		*x *= by
	}
}

// machineName describes this machine. A saved profile is valid only while the name is the same.
func machineName() string {
	return fmt.Sprintf("%s/%s, %d cores, kernels %s, %s", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), ring.Kernels(), runtime.Version())
}

// Path returns the path of the file with this machine's profile, in the user's cache folder.
func Path() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("timing: no folder for the machine's profile: %w", err)
	}
	return filepath.Join(dir, "tacet", "machine.json"), nil
}

// Load returns the profile of this machine that Save has saved. It returns Default if there is none, or if the
// saved profile is for other cores, kernels or another Go version, or lacks a kind of work.
func Load() (Machine, error) {
	path, err := Path()
	if err != nil {
		return Default, nil // without a cache folder there is no profile
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default, nil
	}
	if err != nil {
		return Default, fmt.Errorf("timing: read the machine's profile: %w", err)
	}
	m, ok := parse(b)
	if !ok {
		return Default, fmt.Errorf("%s: not a machine's profile (make it again with tacet bench --calibrate)", path)
	}
	if m.Name != machineName() || m.Read == 0 || m.Cyclic == 0 { // an earlier build's profile lacks these
		return Default, nil
	}
	return m, nil
}

// parse reads the text of a profile. It reports whether the text is one.
func parse(text []byte) (m Machine, ok bool) {
	err := json.Unmarshal(text, &m)
	return m, err == nil && m.valid()
}

// valid reports whether the machine has cores and every time is in [0, 1) seconds.
func (m Machine) valid() bool {
	ok := m.Cores > 0
	rates := m.Rates()
	for _, x := range append(rates[:], m.Build, m.Message, m.Copy, m.Timer, m.Wake, m.Fresh) {
		ok = ok && x >= 0 && x < 1
	}
	return ok
}

// Save writes the profile to the file at Path, and returns that path.
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
		return "", fmt.Errorf("timing: save the machine's profile: %w", err)
	}
	if err := os.WriteFile(path, append(b, '\n'), 0o666); err != nil {
		return "", fmt.Errorf("timing: save the machine's profile: %w", err)
	}
	return path, nil
}

// String returns the measurements as lines of text, in suitable units.
func (m Machine) String() string {
	text := ""
	for _, l := range []struct {
		name, unit string
		seconds    float64
	}{
		{"build a step", "µs", m.Build * 1e6},
		{"run a step", "µs", m.Step * 1e6},
		{"send and receive a message", "µs", m.Message * 1e6},
		{"delay of a timed wait", "µs", m.Timer * 1e6},
		{"wake a thread for a step", "µs", m.Wake * 1e6},
		{"byte of a message", "ns", m.Copy * 1e9},
		{"byte of memory not used before", "ns", m.Fresh * 1e9},
		{"byte of a vector in memory", "ns", m.Byte * 1e9},
		{"byte of a vector in a cache", "ns", m.Cached * 1e9},
		{"byte of a matrix that is read", "ns", m.Read * 1e9},
		{"multiply-add", "ns", m.Product * 1e9},
		{"byte of a pseudo-random stream", "ns", m.Stream * 1e9},
		{"word that is packed or unpacked", "ns", m.Packed * 1e9},
		{"harmonic of a function's table", "ns", m.Wave * 1e9},
		{"exponential", "ns", m.Power * 1e9},
		{"word modulo 2^q − 1", "ns", m.Cyclic * 1e9},
		{"table look-up of one digit", "ns", m.Lookup * 1e9},
	} {
		text += fmt.Sprintf("  %-34s %9.3f %s\n", l.name, l.seconds, l.unit)
	}
	return text
}
