package ot

import "fmt"

// KeptBytes is the length in bytes of an extension's state at one party (Receiver.Keep, Sender.Keep).
const KeptBytes = trees*leaves*BlockBytes + BlockBytes

// Keep returns the state of the extension, KeptBytes bytes that only this party may know. A later session continues the
// extension with it (KeptReceiver) if it knows which batches were made, because no batch may be made twice.
func (r *Receiver) Keep() []byte { return keep(&r.seeds, Block{}) }

// Keep returns the state of the extension, as Receiver.Keep does.
func (s *Sender) Keep() []byte { return keep(&s.seeds, s.delta) }

func keep(seeds *[trees][leaves]Block, delta Block) []byte {
	out := make([]byte, 0, KeptBytes)
	for b := range seeds {
		for _, x := range seeds[b] {
			out = appendBlock(out, x)
		}
	}
	return appendBlock(out, delta)
}

// KeptReceiver returns the extension whose state Receiver.Keep returned. The error wraps ErrMessage.
func KeptReceiver(state []byte) (*Receiver, error) {
	r := &Receiver{}
	_, err := kept(state, &r.seeds)
	for b := range trees {
		r.streams[b] = ciphers(&r.seeds[b])
	}
	return r, err
}

// KeptSender returns the extension whose state Sender.Keep returned. The error wraps ErrMessage.
func KeptSender(state []byte) (s *Sender, err error) {
	s = &Sender{}
	s.delta, err = kept(state, &s.seeds)
	for b := range trees {
		s.streams[b] = ciphers(&s.seeds[b])
	}
	return s, err
}

func kept(state []byte, seeds *[trees][leaves]Block) (delta Block, err error) {
	if len(state) != KeptBytes {
		return delta, fmt.Errorf("%w: an extension's state of %d bytes, want %d", ErrMessage, len(state), KeptBytes)
	}
	for b := range seeds {
		for x := range seeds[b] {
			seeds[b][x] = blockOf(state)
			state = state[BlockBytes:]
		}
	}
	return blockOf(state), nil
}

// AppendBlocks appends blocks to b, BlockBytes bytes each.
func AppendBlocks(b []byte, blocks []Block) []byte {
	for _, x := range blocks {
		b = appendBlock(b, x)
	}
	return b
}

// Blocks returns the blocks that AppendBlocks wrote. Bytes at the end that are no whole block are left out.
func Blocks(b []byte) []Block {
	out := make([]Block, len(b)/BlockBytes)
	for i := range out {
		out[i] = blockOf(b[i*BlockBytes:])
	}
	return out
}
