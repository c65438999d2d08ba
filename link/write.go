package link

import "time"

const (
	// batch is how much of small messages goes out in one write; what is longer
	// is written from where it is.
	batch = 64 << 10
	// grace is how long after a failed write the reader may find out why.
	grace = time.Second
)

// write writes what is queued until the connection ends.
func (p *peer) write() {
	defer p.wg.Done()
	defer p.conn.Close()
	var buf []byte
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && p.err == nil && !p.beat {
			p.wake.Wait()
		}
		queue, ended := p.queue, p.err != nil
		if len(queue) == 0 && p.beat {
			queue = []frame{beatFrame}
		}
		if ended && p.last != nil {
			queue = []frame{*p.last}
		}
		p.queue, p.queued, p.beat, p.last = nil, 0, false, nil
		p.wake.Broadcast()
		p.mu.Unlock()
		if len(queue) == 0 {
			p.part()
			return
		}
		var err error
		if buf, err = p.put(buf, queue); err != nil {
			// A peer that ended the connection may have said why: that it does
			// not take more is the lesser half of the news.
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

// put writes frames, small ones together by way of buf, which it returns.
func (p *peer) put(buf []byte, queue []frame) ([]byte, error) {
	if buf == nil {
		buf = make([]byte, 0, batch)
	}
	buf = buf[:0]
	for i := range queue {
		for _, b := range [...][]byte{queue[i].header[:], queue[i].data} {
			for len(b) > 0 {
				if len(buf) == 0 && len(b) >= batch {
					if err := p.send(b); err != nil {
						return buf, err
					}
					break
				}
				n := min(len(b), batch-len(buf))
				buf = append(buf, b[:n]...)
				b = b[n:]
				if len(buf) == batch {
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
	p.wrote.Store(now())
	return err
}

// part ends a connection over which everything has been written. Closed while
// something arrives it would be reset, and what the peer has not read yet lost:
// where that is possible only this side's half is closed, and the other read
// until the peer closes it too.
func (p *peer) part() {
	p.mu.Lock()
	if p.cutoff == nil {
		p.cutoff = time.AfterFunc(p.linger, p.cut)
	}
	p.mu.Unlock()
	if c, ok := p.conn.(interface{ CloseWrite() error }); ok && c.CloseWrite() == nil {
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
