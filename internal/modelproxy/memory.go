package modelproxy

import (
	"container/list"
	"crypto/hmac"
	"crypto/sha256"
	"io"
	"sync"
	"sync/atomic"
)

// digest identifies a text of a kind without revealing it.
type digest [sha256.Size]byte

// keyed hashes values under the server's key.
func keyed(key []byte, values ...string) digest {
	h := hmac.New(sha256.New, key)
	var n [8]byte
	for _, v := range values {
		for i := range n { // a length first, so that values do not run into each other
			n[i] = byte(len(v) >> (8 * i))
		}
		_, _ = h.Write(n[:])
		_, _ = io.WriteString(h, v)
	}
	return digest(h.Sum(nil))
}

// known caches the outcomes of texts, up to a number of bytes, and drops the least recently used.
// Every turn sends the whole conversation, so most texts of a request are known.
type known struct {
	mu    sync.Mutex // over the fields below
	limit int
	size  int
	byKey map[digest]*list.Element
	order list.List // of *outcome, the newest first
}

// outcome is the result for a text: unchanged, or another text.
type outcome struct {
	key     digest
	changed bool
	tainted bool // a tool result tried to manipulate the model
	text    string
}

func (o *outcome) cost() int { return len(o.text) + 256 }

func newKnown(limit int) *known {
	return &known{limit: limit, byKey: map[digest]*list.Element{}}
}

func (k *known) get(key digest) (outcome, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, ok := k.byKey[key]
	if !ok {
		return outcome{}, false
	}
	k.order.MoveToFront(e)
	return *e.Value.(*outcome), true
}

func (k *known) put(o outcome) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.byKey[o.key]; ok || o.cost() > k.limit/4 {
		return
	}
	k.byKey[o.key] = k.order.PushFront(&o)
	for k.size += o.cost(); k.size > k.limit; {
		oldest := k.order.Back()
		gone := k.order.Remove(oldest).(*outcome)
		delete(k.byKey, gone.key)
		k.size -= gone.cost()
	}
}

// budget limits the memory of all requests together. It never waits: requests that wait for each
// other's memory could deadlock.
type budget struct{ left atomic.Int64 }

func (b *budget) take(n int) bool {
	if b.left.Add(int64(-n)) < 0 {
		b.left.Add(int64(n))
		return false
	}
	return true
}

func (b *budget) give(n int) { b.left.Add(int64(n)) }

// share is the part of the budget that one request uses.
type share struct {
	from *budget
	n    int
}

func (s *share) take(n int) bool {
	if !s.from.take(n) {
		return false
	}
	s.n += n
	return true
}

func (s *share) free() {
	s.from.give(s.n)
	s.n = 0
}

// readAll reads a body of at most limit bytes on the request's share of the budget.
func (s *share) readAll(r io.Reader, limit int) ([]byte, error) {
	var b []byte
	for {
		if len(b) == cap(b) {
			size := min(max(2*cap(b), 8<<10), limit+1)
			if size <= cap(b) {
				return nil, errTooLarge
			}
			if !s.take(size - cap(b)) {
				return nil, errBusy
			}
			grown := make([]byte, len(b), size)
			copy(grown, b)
			b = grown
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if len(b) > limit {
			return nil, errTooLarge
		}
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
