package store

import (
	"context"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// CountPending returns how many requests of each category wait.
func (s *Store) CountPending(ctx context.Context) (map[approval.Category]int, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT category, count(*) FROM request WHERE state = 'pending' GROUP BY category")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	out := map[approval.Category]int{}
	for rows.Next() {
		var c string
		var n int
		if err := rows.Scan(&c, &n); err != nil {
			return nil, err
		}
		out[approval.Category(c)] = n
	}
	return out, rows.Err()
}

// Count is how many requests of a category came in one step of time and are in a state.
type Count struct {
	At       time.Time // when the step began
	Category approval.Category
	State    approval.State
	N        int
}

// CountBy counts the requests that came since a time, by the step of time in which they came.
func (s *Store) CountBy(ctx context.Context, since time.Time, step time.Duration) (out []Count, err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	defer func() { err = unavailable(err) }()
	// IDs begin with the time, so that the primary key finds them.
	rows, err := s.db.QueryContext(ctx, s.sql("SELECT (created / ?) * ?, category, state, count(*) FROM request WHERE id >= ? GROUP BY 1, 2, 3"),
		step.Milliseconds(), step.Milliseconds(), approval.NewID(since)[:10])
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var c Count
		var ms int64
		if err := rows.Scan(&ms, &c.Category, &c.State, &c.N); err != nil {
			return nil, err
		}
		c.At = time.UnixMilli(ms).UTC()
		out = append(out, c)
	}
	return out, rows.Err()
}

// CountWaiting returns how many requests of each agent wait.
func (s *Store) CountWaiting(ctx context.Context) (map[string]int, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT agent, count(*) FROM "+s.waiting()+" WHERE state = 'pending' GROUP BY agent")
	if err != nil {
		return nil, unavailable(err)
	}
	defer func() { _ = rows.Close() }()
	out := map[string]int{}
	for rows.Next() {
		var agent string
		var n int
		if err := rows.Scan(&agent, &n); err != nil {
			return nil, unavailable(err)
		}
		out[agent] = n
	}
	return out, unavailable(rows.Err())
}
