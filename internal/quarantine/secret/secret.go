package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"sync"
)

// Errors that callers check for.
var (
	// ErrWiped means that the key was wiped.
	ErrWiped = errors.New("the key was wiped")
	errSize  = errors.New("a key has 1 to 1024 bytes")
)

const (
	maxSize   = 1024
	blockSize = sha256.BlockSize
)

// Key is a secret. The zero value is empty. A Key never prints its secret.
type Key struct {
	mu   sync.Mutex
	page []byte // the key, then a block of scratch space
	n    int
}

// Random returns a key of n random bytes.
func Random(n int) (*Key, error) {
	k, err := reserve(n)
	if err != nil {
		return nil, err
	}
	_, _ = rand.Read(k.page[:n]) // never fails, as documented
	return k, nil
}

// Take moves b into a key, and then overwrites b with zeros.
func Take(b []byte) (*Key, error) {
	defer clear(b)
	k, err := reserve(len(b))
	if err != nil {
		return nil, err
	}
	copy(k.page, b)
	return k, nil
}

func reserve(n int) (*Key, error) {
	if n < 1 || n > maxSize {
		return nil, errSize
	}
	page, err := pages(n + blockSize)
	if err != nil {
		return nil, fmt.Errorf("no locked memory for a key: %w; raise the limit of locked memory (ulimit -l)", err)
	}
	return &Key{page: page, n: n}, nil
}

// Len returns the length of the key in bytes, or 0 if it was wiped.
func (k *Key) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.n
}

// Use passes the key to f, which must not keep it.
func (k *Key) Use(f func(key []byte) error) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.n == 0 {
		return ErrWiped
	}
	return f(k.page[:k.n])
}

// MAC returns HMAC-SHA256 of a message under the key.
//
// It does not use crypto/hmac, which keeps the padded key on the heap. Here the padded key never
// leaves the page: a whole block is hashed in place.
func (k *Key) MAC(message []byte) (mac [sha256.Size]byte, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.n == 0 {
		return mac, ErrWiped
	}
	key, block := k.page[:k.n], k.page[len(k.page)-blockSize:]
	if k.n > blockSize {
		sum := sha256.Sum256(key)
		key = sum[:]
		defer clear(key)
	}
	pad := func(with byte) {
		for i := range block {
			block[i] = with
		}
		subtle.XORBytes(block, block, key)
	}
	defer clear(block)
	h := sha256.New()
	pad(0x36)
	h.Write(block)
	h.Write(message)
	inner := h.Sum(mac[:0:0])
	h.Reset()
	pad(0x5c)
	h.Write(block)
	h.Write(inner)
	h.Sum(mac[:0])
	h.Reset()
	return mac, nil
}

// Wipe overwrites the key with zeros and frees its memory. A second call has no effect.
func (k *Key) Wipe() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.page == nil {
		return
	}
	clear(k.page)
	release(k.page)
	k.page, k.n = nil, 0
}

const hidden = "[REDACTED]"

// String and the methods below keep a key out of formatted text.
func (k *Key) String() string { return hidden }

// GoString implements fmt.GoStringer.
func (k *Key) GoString() string { return hidden }

// MarshalText implements encoding.TextMarshaler.
func (k *Key) MarshalText() ([]byte, error) { return []byte(hidden), nil }
