package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"
)

// ErrNoRecord means that the record does not exist.
var ErrNoRecord = errors.New("there is no such record")

// Record is shared data other than requests: a token, a rule, a setting, an execution. Kind and ID
// identify it.
type Record struct {
	ID   string
	Body json.RawMessage
}

// ExecutionRecord is the kind of record for the execution of a request. Its ID is the request's,
// and both are removed together.
const ExecutionRecord = "execution"

// Tx is one transaction over several records. All of it is committed, or nothing.
type Tx struct{ b *batch }

// Get returns the body of a record, or nil.
func (t *Tx) Get(kind, id string) (body json.RawMessage, err error) {
	var raw []byte
	err = t.b.tx.QueryRowContext(t.b.ctx, t.b.s.sql("SELECT body FROM record WHERE kind = ? AND id = ?"), kind, id).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, dbError{err}
	}
	return raw, nil
}

// Put stores a record, or removes it if body is nil.
func (t *Tx) Put(kind, id string, body json.RawMessage) error {
	const conflict = " ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body"
	if t.b.s.postgres { // after changes that depend on the record are committed
		const held = "WITH held AS (SELECT count(pg_advisory_xact_lock(CAST(? AS BIGINT)))) "
		key := recordKey(kind, id)
		if body == nil {
			return t.b.exec(held+"DELETE FROM record USING held WHERE kind = ? AND id = ?", key, kind, id)
		}
		return t.b.exec(held+"INSERT INTO record (kind, id, body) SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT) FROM held"+conflict, key, kind, id, string(body))
	}
	if body == nil {
		return t.b.exec("DELETE FROM record WHERE kind = ? AND id = ?", kind, id)
	}
	return t.b.exec("INSERT INTO record (kind, id, body) VALUES (?, ?, ?)"+conflict, kind, id, string(body))
}

// Now returns the time of the clock that all gateways on the database share.
func (t *Tx) Now() time.Time { return t.b.now }

// Event adds an event that describes the transaction. Without one, it leaves no trace in the
// record.
func (t *Tx) Event(kind, id, who string, note any) error { return t.b.event(kind, id, who, note) }

// Transact runs do as one transaction. It may call do more than once. It returns an error of do,
// which do must return before it writes anything.
func (s *Store) Transact(ctx context.Context, do func(*Tx) error) error {
	return s.change(ctx, func(b *batch) error { return do(&Tx{b}) }, recordsLock)
}

// Update changes a record and adds its event in one transaction. change gets the current body, or
// nil, and returns the new one, or nil to remove the record. It may be called more than once; on
// its error, nothing changes.
func (s *Store) Update(ctx context.Context, kind, id, event, who string, change func(old json.RawMessage) (body json.RawMessage, note any, err error)) error {
	return s.Transact(ctx, func(t *Tx) error {
		old, err := t.Get(kind, id)
		if err != nil {
			return err
		}
		body, note, err := change(old)
		if err != nil || body == nil && old == nil {
			return err
		}
		if err := t.Put(kind, id, body); err != nil {
			return err
		}
		return t.Event(event, id, who, note)
	})
}

// Record returns one record, or ErrNoRecord.
func (s *Store) Record(ctx context.Context, kind, id string) (Record, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	var body []byte
	err := s.db.QueryRowContext(ctx, s.sql("SELECT body FROM record WHERE kind = ? AND id = ?"), kind, id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return Record{}, ErrNoRecord
	}
	return Record{id, body}, unavailable(err)
}

// Records returns all records of a kind, in order of ID.
func (s *Store) Records(ctx context.Context, kind string) (out []Record, err error) {
	err = s.each(ctx, func(scan func(...any) error) error {
		var r Record
		var body []byte
		err := scan(&r.ID, &body)
		r.Body = body
		out = append(out, r)
		return err
	}, "SELECT id, body FROM record WHERE kind = ? ORDER BY id", kind)
	return out, err
}
