package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// Submit implements approval.Store.
func (s *Store) Submit(ctx context.Context, r approval.Request) (stored approval.Request, superseded []approval.Request, err error) {
	err = s.change(ctx, func(b *batch) error {
		stored, superseded = r, nil // this may be the second try
		if r.Key != "" {
			old, err := b.find("agent = ? AND idem = ?", r.Agent, r.Key)
			if err == nil {
				stored = old
				return nil
			}
			if !errors.Is(err, approval.ErrNone) {
				return err
			}
		}
		if r.Target != "" {
			older, err := b.all("state = 'pending' AND target = ? AND category = ?", r.Target, string(r.Category))
			if err != nil {
				return err
			}
			for _, o := range older {
				o.State, o.Resolved, o.ResolvedBy, o.Note = approval.Superseded, b.now, approval.ByAuto, "a newer request for the same file replaced it"
				if err := b.save(&o, "resolve", ""); err != nil {
					return err
				}
				superseded = append(superseded, o)
			}
		}
		b.requests++
		stored.Seq = b.requests
		body, err := json.Marshal(&stored)
		if err != nil {
			return dbError{err}
		}
		if err := b.exec("INSERT INTO request (id, seq, agent, session, category, target, idem, state, created, expires, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
			stored.ID, stored.Seq, stored.Agent, stored.Session, string(stored.Category), stored.Target, r.Key, string(stored.State),
			stored.Created.UnixMilli(), stored.Expires.UnixMilli(), string(body)); err != nil {
			return err
		}
		return b.event("request", stored.ID, stored.Agent, summary(&stored))
	})
	return stored, superseded, err
}

// summary is what an event says of a request: enough to tell what happened, without the
// contents of files.
func summary(r *approval.Request) any {
	return struct {
		Category approval.Category `json:"category"`
		Action   string            `json:"action"`
		Digest   string            `json:"digest"`
		State    approval.State    `json:"status"`
		By       string            `json:"resolvedBy,omitempty"`
		Operator string            `json:"operator,omitempty"`
		Scope    approval.Scope    `json:"scope,omitempty"`
		Rule     string            `json:"rule,omitempty"`
		Note     string            `json:"note,omitempty"`
	}{r.Category, r.Action, r.Digest, r.State, r.ResolvedBy, r.Operator, r.Scope, r.Rule, r.Note}
}

// save writes a changed request and the event that says so.
func (b *batch) save(r *approval.Request, kind, who string) error {
	body, err := json.Marshal(r)
	if err != nil {
		return dbError{err}
	}
	if err := b.exec("UPDATE request SET state = ?, body = ? WHERE id = ?", string(r.State), string(body), r.ID); err != nil {
		return err
	}
	return b.event(kind, r.ID, who, summary(r))
}

// Answer implements approval.Store.
func (s *Store) Answer(ctx context.Context, a approval.Answer) (r approval.Request, err error) {
	err = s.change(ctx, func(b *batch) (err error) {
		if r, err = b.get(a.ID); err != nil {
			return err
		}
		switch {
		case r.State == approval.Pending && !b.now.Before(r.Expires):
			r.State, r.Resolved, r.ResolvedBy = approval.Expired, b.now, approval.ByAuto
			if err := b.save(&r, "resolve", ""); err != nil {
				return err
			}
			fallthrough
		case r.State.Final():
			return approval.ErrSettled
		case a.Digest != r.Digest:
			return approval.ErrChanged
		}
		if a.Approve && r.Needs > 1 {
			if slices.ContainsFunc(r.Votes, func(v approval.Vote) bool { return v.Operator == a.Operator }) {
				return approval.ErrDuplicate
			}
			r.Votes = append(r.Votes, approval.Vote{Operator: a.Operator, At: b.now})
			if len(r.Votes) < r.Needs {
				return b.save(&r, "vote", a.Operator)
			}
		}
		r.State = approval.Denied
		if a.Approve {
			r.State = approval.Approved
		}
		r.Resolved, r.ResolvedBy, r.Operator, r.Scope, r.Rule, r.Note = b.now, a.By, a.Operator, a.Scope, a.Rule, a.Note
		return b.save(&r, "resolve", a.Operator)
	})
	return r, err
}

// End implements approval.Store.
func (s *Store) End(ctx context.Context, id string, state approval.State, note string) (r approval.Request, err error) {
	err = s.change(ctx, func(b *batch) (err error) {
		if r, err = b.get(id); err != nil {
			return err
		}
		if r.State.Final() {
			return approval.ErrSettled
		}
		r.State, r.Resolved, r.ResolvedBy, r.Note = state, b.now, approval.ByAuto, note
		return b.save(&r, "resolve", "")
	})
	return r, err
}

// Expire implements approval.Store. Time is the database's where it has a clock.
func (s *Store) Expire(ctx context.Context, now time.Time) (ended []approval.Request, err error) {
	// A look first: most often there is nothing to write.
	var n int
	if err := s.db.QueryRowContext(ctx, s.sql("SELECT count(*) FROM request WHERE state = 'pending' AND expires <= ?"), now.UnixMilli()).Scan(&n); err != nil || n == 0 {
		return nil, err
	}
	err = s.change(ctx, func(b *batch) error {
		if !s.postgres {
			b.now = now
		}
		var err error
		if ended, err = b.all("state = 'pending' AND expires <= ?", b.now.UnixMilli()); err != nil {
			return err
		}
		for i := range ended {
			r := &ended[i]
			r.State, r.Resolved, r.ResolvedBy, r.Note = approval.Expired, b.now, approval.ByAuto, "nobody answered in time"
			if err := b.save(r, "resolve", ""); err != nil {
				return err
			}
		}
		return nil
	})
	return ended, err
}

// querier is a transaction or the database.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func (s *Store) query(ctx context.Context, q querier, where string, args ...any) (out []approval.Request, err error) {
	rows, err := q.QueryContext(ctx, s.sql("SELECT body FROM request WHERE "+where), args...)
	if err != nil {
		return nil, dbError{err}
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var body []byte
		var r approval.Request
		if err := rows.Scan(&body); err != nil {
			return nil, dbError{err}
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return nil, dbError{err}
		}
		out = append(out, r)
	}
	if err := rows.Err(); err != nil {
		return nil, dbError{err}
	}
	return out, nil
}

func (b *batch) all(where string, args ...any) ([]approval.Request, error) {
	return b.s.query(b.ctx, b.tx, where+" ORDER BY id", args...)
}

func (b *batch) find(where string, args ...any) (approval.Request, error) {
	return one(b.s.query(b.ctx, b.tx, where, args...))
}

func (b *batch) get(id string) (approval.Request, error) {
	where, arg := byName(id)
	return b.find(where, arg)
}

func one(list []approval.Request, err error) (approval.Request, error) {
	switch {
	case err != nil:
		return approval.Request{}, err
	case len(list) == 0:
		return approval.Request{}, approval.ErrNone
	}
	return list[0], nil
}

// byName tells how to find a request by either of its names.
func byName(id string) (where string, arg any) {
	if text, ok := strings.CutPrefix(id, "req-"); ok {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return "seq = ?", n
		}
	}
	return "id = ?", id
}

// Get implements approval.Store.
func (s *Store) Get(ctx context.Context, id string) (approval.Request, error) {
	where, arg := byName(id)
	return one(s.query(ctx, s.db, where, arg))
}

// maxList is how many requests are listed at most.
const maxList = 10_000

// List implements approval.Store.
func (s *Store) List(ctx context.Context, f approval.Filter) ([]approval.Request, error) {
	where, args := []string{"id <> ''"}, []any(nil)
	if len(f.States) > 0 {
		marks := strings.TrimSuffix(strings.Repeat("?,", len(f.States)), ",")
		where = append(where, "state IN ("+marks+")")
		for _, st := range f.States {
			args = append(args, string(st))
		}
	}
	for _, c := range []struct{ column, value string }{{"category", string(f.Category)}, {"agent", f.Agent}, {"session", f.Session}} {
		if c.value != "" {
			where, args = append(where, c.column+" = ?"), append(args, c.value)
		}
	}
	order := " ORDER BY id DESC"
	if f.Oldest {
		order = " ORDER BY id"
	}
	if f.Before != "" {
		where, args = append(where, "id < ?"), append(args, f.Before)
	}
	if f.After != "" {
		where, args = append(where, "id > ?"), append(args, f.After)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 100
	}
	return s.query(ctx, s.db, strings.Join(where, " AND ")+order+" LIMIT "+strconv.Itoa(min(limit, maxList)), args...)
}

// Events implements approval.Store.
func (s *Store) Events(ctx context.Context, after int64, n int) (out []approval.Event, err error) {
	if n <= 0 || n > maxList {
		n = maxList
	}
	rows, err := s.db.QueryContext(ctx, s.sql("SELECT seq, at, kind, request, who, data, prev, hash FROM event WHERE seq > ? ORDER BY seq LIMIT "+strconv.Itoa(n)), after)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e approval.Event
		var at int64
		var data []byte
		if err := rows.Scan(&e.Seq, &at, &e.Kind, &e.Request, &e.Who, &data, &e.Prev, &e.Hash); err != nil {
			return nil, err
		}
		e.At, e.Data = time.UnixMilli(at).UTC(), data
		out = append(out, e)
	}
	return out, rows.Err()
}

// Verify reads all events and reports the first that does not follow from the one before.
func (s *Store) Verify(ctx context.Context) (n int64, err error) {
	prev, after := "", int64(0)
	for {
		events, err := s.Events(ctx, after, 1000)
		if err != nil {
			return n, err
		}
		if len(events) == 0 {
			var seq int64
			var head string
			if err := s.db.QueryRowContext(ctx, "SELECT seq, hash FROM chain").Scan(&seq, &head); err != nil {
				return n, err
			}
			if seq == after && head == prev {
				return n, nil
			}
			if seq > after { // written meanwhile, or cut off
				if more, err := s.Events(ctx, after, 1); err != nil || len(more) > 0 {
					continue
				}
			}
			return n, errors.New("the record ends before the place that its head names: events are missing")
		}
		for i := range events {
			e := &events[i]
			if e.Seq != after+1 || e.Prev != prev || hashOf(e) != e.Hash {
				return n, errors.New("event " + strconv.FormatInt(e.Seq, 10) + " does not follow from the one before: the record was changed")
			}
			prev, after = e.Hash, e.Seq
			n++
		}
	}
}

// Head returns the place of the last event.
func (s *Store) Head(ctx context.Context) (seq int64, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT seq FROM chain").Scan(&seq)
	return seq, err
}
