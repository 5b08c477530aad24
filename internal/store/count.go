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

// CountStates returns how many requests that came since a time are in each state, by the
// step of time in which they came.
func (s *Store) CountStates(ctx context.Context, since time.Time, step time.Duration) (map[time.Time]map[approval.State]int, error) {
	// IDs begin with the time, so that the primary key finds them.
	rows, err := s.db.QueryContext(ctx, s.sql("SELECT (created / ?) * ?, state, count(*) FROM request WHERE id >= ? GROUP BY 1, 2"),
		step.Milliseconds(), step.Milliseconds(), approval.NewID(since)[:10])
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	out := map[time.Time]map[approval.State]int{}
	for rows.Next() {
		var ms int64
		var state string
		var n int
		if err := rows.Scan(&ms, &state, &n); err != nil {
			return nil, err
		}
		at := time.UnixMilli(ms).UTC()
		if out[at] == nil {
			out[at] = map[approval.State]int{}
		}
		out[at][approval.State(state)] += n
	}
	return out, rows.Err()
}

// CountWaiting returns how many requests of each agent wait.
func (s *Store) CountWaiting(ctx context.Context) (map[string]int, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT agent, count(*) FROM request WHERE state = 'pending' GROUP BY agent")
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
