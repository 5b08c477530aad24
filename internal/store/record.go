package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// ErrNoRecord is returned for a record that is not there.
var ErrNoRecord = errors.New("there is no such record")

// Record is something that gateways share besides requests: a token, a rule, a setting,
// an execution. Its kind and ID name it.
type Record struct {
	ID   string
	Body json.RawMessage
}

// Update changes a record in one step, together with the event that says so. change gets
// the present body, nil if there is none, and returns the new one, nil to remove it. It
// may be called more than once, and an error of its own leaves everything as it is.
func (s *Store) Update(ctx context.Context, kind, id, event, who string, change func(old json.RawMessage) (body json.RawMessage, note any, err error)) error {
	return s.change(ctx, func(b *batch) error {
		var old []byte
		err := b.tx.QueryRowContext(b.ctx, s.sql("SELECT body FROM record WHERE kind = ? AND id = ?"), kind, id).Scan(&old)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return dbError{err}
		}
		body, note, err := change(old)
		if err != nil {
			return err
		}
		switch {
		case body == nil && old == nil:
			return nil
		case body == nil:
			err = b.exec("DELETE FROM record WHERE kind = ? AND id = ?", kind, id)
		default:
			err = b.exec("INSERT INTO record (kind, id, body) VALUES (?, ?, ?) ON CONFLICT (kind, id) DO UPDATE SET body = excluded.body", kind, id, string(body))
		}
		if err != nil {
			return err
		}
		return b.event(event, id, who, note)
	})
}

// Record returns one record, or ErrNoRecord.
func (s *Store) Record(ctx context.Context, kind, id string) (Record, error) {
	var body []byte
	err := s.db.QueryRowContext(ctx, s.sql("SELECT body FROM record WHERE kind = ? AND id = ?"), kind, id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return Record{}, ErrNoRecord
	}
	return Record{id, body}, err
}

// Records returns all records of a kind, by their IDs' order.
func (s *Store) Records(ctx context.Context, kind string) (out []Record, err error) {
	rows, err := s.db.QueryContext(ctx, s.sql("SELECT id, body FROM record WHERE kind = ? ORDER BY id"), kind)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var r Record
		var body []byte
		if err := rows.Scan(&r.ID, &body); err != nil {
			return nil, err
		}
		r.Body = body
		out = append(out, r)
	}
	return out, rows.Err()
}
