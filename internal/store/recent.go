package store

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// Limits on the queries of the pages.
const (
	maxAsked  = 10_000 // requests that Askers reads
	maxAskers = 500
	maxSearch = 20_000 // events that one call of FindEvents reads
)

// Recent returns the newest n requests, newest first, without those whose stored form exceeds most
// bytes, and the number that it left out.
func (s *Store) Recent(ctx context.Context, n, most int) (list []approval.Request, left int, err error) {
	// The size is in the row's header, so large bodies are not read.
	err = s.each(ctx, func(scan func(...any) error) error {
		var seq int64
		var body []byte
		if err := scan(&seq, &body); err != nil {
			return err
		}
		if len(body) == 0 {
			left++
			return nil
		}
		var r approval.Request
		err := json.Unmarshal(body, &r)
		r.Seq = seq
		list = append(list, r)
		return err
	}, "SELECT seq, CASE WHEN octet_length(body) <= ? THEN body ELSE '' END FROM request ORDER BY id DESC LIMIT "+strconv.Itoa(min(n, maxList)), most)
	if err != nil {
		return nil, 0, err
	}
	return list, left, nil
}

// Same returns the oldest n pending requests for the same thing as one request, without that one.
func (s *Store) Same(ctx context.Context, r *approval.Request, n int) ([]approval.Request, error) {
	if r.Digest == "" {
		return nil, nil
	}
	return s.look(ctx, "state = 'pending' AND digest = ? AND digest <> '' AND id <> ? ORDER BY id LIMIT "+strconv.Itoa(min(n, maxList)), r.Digest, r.ID)
}

// Asker is an agent in one session.
type Asker struct {
	Agent, Session    string
	Requests, Waiting int
	First, Last       time.Time
}

// Askers returns the requesters since a time, latest first. It reads the newest 10,000 requests.
func (s *Store) Askers(ctx context.Context, since time.Time) (out []Asker, err error) {
	err = s.each(ctx, func(scan func(...any) error) error {
		var a Asker
		var first, last int64
		err := scan(&a.Agent, &a.Session, &a.Requests, &a.Waiting, &first, &last)
		a.First, a.Last = time.UnixMilli(first).UTC(), time.UnixMilli(last).UTC()
		out = append(out, a)
		return err
	}, "SELECT agent, session, count(*), sum(CASE WHEN state = 'pending' THEN 1 ELSE 0 END), min(created), max(created)"+
		" FROM (SELECT agent, session, state, created FROM request WHERE id >= ? ORDER BY id DESC LIMIT "+strconv.Itoa(maxAsked)+") AS newest"+
		" GROUP BY agent, session ORDER BY max(created) DESC LIMIT "+strconv.Itoa(maxAskers), approval.NewID(since)[:10])
	return out, err
}

// EventFilter selects events. The zero value selects all.
type EventFilter struct {
	Before  int64 // only lower places, for pages; 0 means from the newest
	Kind    string
	Request string
	Text    string // substring of the event's text or its author, ignoring case
	Limit   int    // 0 means 100; at most 1,000
}

// FindEvents returns events, the newest first, and the place from which the next call continues: 0
// if there are no older ones. One call reads 20,000 events at most.
func (s *Store) FindEvents(ctx context.Context, f EventFilter) (out []approval.ChainEvent, next int64, err error) {
	if f.Before <= 0 {
		if f.Before, err = s.Head(ctx); err != nil {
			return nil, 0, err
		}
		f.Before++
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	f.Limit = min(f.Limit, 1000)
	from := max(0, f.Before-maxSearch)
	where, args := "k.last >= ? AND k.first < ? AND "+place+" >= ? AND "+place+" < ?", []any{from, f.Before, from, f.Before}
	for _, c := range []struct{ column, value string }{{"e.kind", f.Kind}, {"e.request", f.Request}} {
		if c.value != "" {
			where, args = where+" AND "+c.column+" = ?", append(args, c.value)
		}
	}
	if !keepable(f.Text + f.Kind + f.Request) {
		return nil, 0, nil
	}
	if f.Text != "" {
		like := "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(strings.ToLower(f.Text)) + "%"
		where, args = where+" AND (lower(e.data) LIKE ? ESCAPE '!' OR lower(e.who) LIKE ? ESCAPE '!')", append(args, like, like)
	}
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	out, err = s.readEvents(ctx, s.db, where+" ORDER BY 1 DESC LIMIT "+strconv.Itoa(f.Limit), args...)
	switch {
	case err != nil:
		return nil, 0, err
	case len(out) == f.Limit:
		next = out[len(out)-1].Seq
	case from > 0:
		next = from
	}
	if next <= 1 {
		next = 0
	}
	return out, next, nil
}
