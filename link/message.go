package link

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Phase is the part of a run that a message belongs to.
type Phase uint8

// The phases, in the order of a run.
const (
	Setup   Phase = iota // handshake: the parties compare digests and exchange seeds
	Offline              // corrections from a party that deals, or messages between parties that make correlations
	Input                // owners share inputs
	Online               // the parties compute shared results from shared inputs
	Output               // results are revealed
	Phases               // number of phases; not a phase
)

// String returns the phase's name, such as "online".
func (p Phase) String() string {
	return [...]string{"setup", "offline", "input", "online", "output"}[p]
}

// Key addresses a message: it is exchange number Step of operation instance Op in a phase. An operation instance
// is one execution of an operation in a run; its number is the same at all parties. Between two parties a key is
// used once in each direction.
type Key struct {
	Phase Phase  // phase of the run
	Op    uint32 // number of the operation instance in the program's run
	Step  uint32 // number of the exchange within the operation
}

// String returns the key as text for messages.
func (k Key) String() string { return fmt.Sprintf("%v op %d step %d", k.Phase, k.Op, k.Step) }

// Message is a received message: the payload Data, and the logical clock of its sender. The package comment says
// how clocks count rounds.
type Message struct {
	Clock int32
	Data  []byte
}

// headerSize is the size of a frame's header: phase, op, step, clock, length.
const headerSize = 1 + 4 + 4 + 4 + 4

// MaxPayload is the maximum payload of one message in bytes. The sender and the receiver refuse longer ones.
const MaxPayload = 1 << 31

// frame is the unit on a connection: a header and a payload.
type frame struct {
	header [headerSize]byte
	data   []byte
}

func newFrame(k Key, m Message) frame {
	f := frame{data: m.Data}
	f.header[0] = byte(k.Phase)
	binary.LittleEndian.PutUint32(f.header[1:], k.Op)
	binary.LittleEndian.PutUint32(f.header[5:], k.Step)
	binary.LittleEndian.PutUint32(f.header[9:], uint32(m.Clock))
	binary.LittleEndian.PutUint32(f.header[13:], uint32(len(m.Data)))
	return f
}

// Phases of frames that control the connection. The rest of their header is zero, except for the
// length.
const (
	phaseHeartbeat Phase = 0xff // the sender is alive
	phaseAbort     Phase = 0xfe // the sender ends the connection; the payload is the reason
	phaseLeave     Phase = 0xfd // the sender has sent everything and closes
)

var (
	heartbeatFrame = newFrame(Key{Phase: phaseHeartbeat}, Message{})
	leaveFrame     = newFrame(Key{Phase: phaseLeave}, Message{})
)

// abortFrame tells a peer why the connection ends.
func abortFrame(reason string) frame {
	return newFrame(Key{Phase: phaseAbort}, Message{Data: []byte(reason)})
}

// violation is the error of a frame that no correct peer sends.
type violation struct{ error }

// Unwrap is the cause.
func (v *violation) Unwrap() error { return v.error }

// frames reads frames from a stream.
type frames struct {
	r      io.Reader
	header [headerSize]byte
}

// next reads one frame, a message or one that controls the connection. It returns io.EOF only
// between frames, and a violation for a malformed frame or a message whose size is not admitted.
func (f *frames) next(admit func(size int64) error) (Key, Message, error) {
	h := f.header[:]
	if _, err := io.ReadFull(f.r, h); err != nil {
		return Key{}, Message{}, err
	}
	k := Key{Phase(h[0]), binary.LittleEndian.Uint32(h[1:]), binary.LittleEndian.Uint32(h[5:])}
	clock := int32(binary.LittleEndian.Uint32(h[9:]))
	size := binary.LittleEndian.Uint32(h[13:])
	var err error
	switch {
	case (k == Key{Phase: phaseHeartbeat} || k == Key{Phase: phaseLeave}) && clock == 0 && size == 0:
	case k == Key{Phase: phaseAbort} && clock == 0 && size <= maxReason:
	case k.Phase < Phases && size <= MaxPayload:
		err = admit(int64(size))
	default:
		err = fmt.Errorf("sent a frame of phase %d and %d bytes", k.Phase, size)
	}
	if err != nil {
		return Key{}, Message{}, &violation{err}
	}
	data, err := readBytes(f.r, int(size))
	return k, Message{clock, data}, err
}

// readBytes reads n bytes. It grows its buffer as they arrive, so that a false length allocates no
// memory.
func readBytes(r io.Reader, n int) ([]byte, error) {
	const chunk = 1 << 20
	b := make([]byte, 0, min(n, chunk))
	for len(b) < n {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(n, 2*cap(b))), b...)
		}
		part := b[len(b):cap(b)]
		if _, err := io.ReadFull(r, part); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		b = b[:cap(b)]
	}
	return b, nil
}
