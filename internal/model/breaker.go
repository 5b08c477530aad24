package model

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Back-off times. The first failure may be chance, unless the provider asked for a pause.
const (
	backoff     = 15 * time.Second
	backoffBusy = 30 * time.Second
	backoffKey  = 5 * time.Minute // a key that was refused
	backoffMost = 10 * time.Minute
	retryMost   = time.Hour // longest pause that a provider may ask for
	maxRecords  = 32
)

// noteTime limits how long writing a record may take, because a person waits for the answer.
const noteTime = 100 * time.Millisecond

// record is the stored state of a provider.
type record struct {
	Fails int       `json:"fails,omitempty"` // in a row
	Until time.Time `json:"until,omitzero"`  // do not ask it before
	Why   string    `json:"why,omitempty"`
	Mode  int       `json:"mode,omitempty"` // the form of structured output that it supports
	Seen  time.Time `json:"seen"`
}

// Breaker skips a service for a while after a failure. Its records are in the file of a Chain with
// the same folder. Without a folder it remembers nothing.
type Breaker struct{ Dir string }

func (b *Breaker) records() *breaker { return &breaker{b.Dir, time.Now} }

// Check returns an error while the service is skipped.
func (b *Breaker) Check(id string) error {
	r := b.records()
	known := r.load()[id]
	if wait := known.Until.Sub(r.now()); wait > 0 {
		return leftAlone(wait, known.Why)
	}
	return nil
}

// Failed records a failure of the service.
func (b *Breaker) Failed(id string, f *wire.Fault) {
	b.records().failed(id, &fault{text: f.Error(), status: f.Status, retry: min(f.After, retryMost)})
}

// Worked records a response of the service.
func (b *Breaker) Worked(id string) {
	r := b.records()
	r.worked(id, r.load()[id], 0)
}

func leftAlone(wait time.Duration, why string) error {
	return fmt.Errorf("paused for %s after: %s", plural.Duration(wait.Round(time.Second)), why)
}

// breaker stores the records in a file. Without a folder it remembers nothing.
type breaker struct {
	dir string
	now func() time.Time
}

func (b *breaker) path() string { return filepath.Join(b.dir, "providers.json") }

func (b *breaker) load() map[string]record {
	m := map[string]record{}
	if b.dir == "" || read(b.path(), &m) != nil {
		return map[string]record{}
	}
	for id, r := range m {
		// Clocks change, and other programs may write the file: never lock a service out for long.
		if r.Until.After(b.now().Add(retryMost + time.Minute)) {
			r.Until = time.Time{}
		}
		r.Fails, r.Mode = max(r.Fails, 0), max(r.Mode, 0)
		m[id] = r
	}
	return m
}

// note stores a record. If that fails, the call does not.
func (b *breaker) note(id string, edit func(*record)) {
	if b.dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), noteTime)
	defer cancel()
	_ = locked(ctx, b.path(), func() error {
		m := b.load()
		r := m[id]
		edit(&r)
		r.Seen = b.now()
		m[id] = r
		for len(m) > maxRecords {
			oldest := ""
			for k, v := range m {
				if k != id && (oldest == "" || v.Seen.Before(m[oldest].Seen)) {
					oldest = k
				}
			}
			delete(m, oldest)
		}
		return write(b.path(), m)
	})
}

// failed records a failure and the time for which the provider is skipped.
func (b *breaker) failed(id string, f *fault) {
	b.note(id, func(r *record) {
		r.Fails = min(r.Fails+1, 20)
		var wait time.Duration
		switch {
		case f.retry > 0:
			wait = min(f.retry, retryMost)
		case f.status == 401 || f.status == 403:
			wait = backoffKey
		case f.status == 429 || f.status == 529:
			wait = min(backoffBusy<<(r.Fails-1), backoffMost)
		case r.Fails > 1:
			wait = min(backoff<<(r.Fails-2), backoffMost)
		}
		if wait > 0 {
			r.Until = b.now().Add(wait)
		}
		r.Why = f.text
	})
}

// worked records a response of the provider.
func (b *breaker) worked(id string, old record, mode int) {
	if old.Fails == 0 && old.Until.IsZero() && old.Mode == mode {
		return // unchanged: nothing to write
	}
	b.note(id, func(r *record) { *r = record{Mode: mode} })
}
