package link

import "time"

const (
	// maxWrite is the size up to which small frames are combined into one write; longer payloads
	// are written without copying.
	maxWrite = 64 << 10
	// grace is the time after a failed write in which the reader may receive the peer's reason.
	grace = time.Second
)

// write writes what is queued until the connection ends.
func (p *peer) write() {
	defer p.wg.Done()
	defer p.conn.Close()
	var buf []byte
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && p.err == nil && !p.heartbeatDue {
			p.wake.Wait()
		}
		queue, ended := p.queue, p.err != nil
		if len(queue) == 0 && p.heartbeatDue {
			queue = []frame{heartbeatFrame}
		}
		if ended && p.lastFrame != nil {
			queue = []frame{*p.lastFrame}
		}
		p.queue, p.queued, p.heartbeatDue, p.lastFrame = nil, 0, false, nil
		p.wake.Broadcast()
		p.mu.Unlock()
		if len(queue) == 0 {
			p.finish()
			return
		}
		var err error
		if buf, err = p.writeFrames(buf, queue); err != nil {
			// The peer may have ended the connection with a reason, which explains more than the
			// failed write.
			select {
			case <-p.drained:
			case <-time.After(min(grace, p.linger)):
			}
			p.fail(&PeerError{p.rank, Lost(err)})
			p.stopCutoff()
			return
		}
	}
}

// writeFrames writes frames, combining small ones in buf, which it returns.
func (p *peer) writeFrames(buf []byte, queue []frame) ([]byte, error) {
	if buf == nil {
		buf = make([]byte, 0, maxWrite)
	}
	buf = buf[:0]
	for i := range queue {
		for _, b := range [...][]byte{queue[i].header[:], queue[i].data} {
			for len(b) > 0 {
				if len(buf) == 0 && len(b) >= maxWrite {
					if err := p.send(b); err != nil {
						return buf, err
					}
					break
				}
				n := min(len(b), maxWrite-len(buf))
				buf = append(buf, b[:n]...)
				b = b[n:]
				if len(buf) == maxWrite {
					if err := p.send(buf); err != nil {
						return buf, err
					}
					buf = buf[:0]
				}
			}
		}
	}
	if len(buf) == 0 {
		return buf, nil
	}
	return buf, p.send(buf)
}

func (p *peer) send(b []byte) error {
	_, err := p.conn.Write(b)
	p.lastWrite.Store(now())
	return err
}

// finish ends a connection on which everything has been written. Closing it with unread data would
// reset it, and the peer would lose what it has not read yet. So, where possible, only this side's
// half is closed, and the other half is read until the peer closes it too.
func (p *peer) finish() {
	p.mu.Lock()
	if p.cutoff == nil {
		p.cutoff = time.AfterFunc(p.linger, p.closeNow)
	}
	p.mu.Unlock()
	if c, ok := p.conn.(halfCloser); ok && c.CloseWrite() == nil {
		<-p.drained
	}
	p.stopCutoff()
}

func (p *peer) stopCutoff() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cutoff != nil {
		p.cutoff.Stop()
	}
}
