package store

import (
	"context"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
)

// each reads the rows of a query outside a transaction, with a time limit.
func (s *Store) each(ctx context.Context, read func(scan func(...any) error) error, query string, args ...any) (err error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	defer func() { err = unavailable(err) }()
	rows, err := s.db.QueryContext(ctx, s.sql(query), args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// CountPending returns the number of pending requests of each category.
func (s *Store) CountPending(ctx context.Context) (map[approval.Category]int, error) {
	return countEach[approval.Category](ctx, s, "SELECT category, count(*) FROM request WHERE state = 'pending' GROUP BY category")
}

// CountWaiting returns the number of pending requests of each agent.
func (s *Store) CountWaiting(ctx context.Context) (map[string]int, error) {
	return countEach[string](ctx, s, "SELECT agent, count(*) FROM "+s.waiting()+" WHERE state = 'pending' GROUP BY agent")
}

func countEach[K ~string](ctx context.Context, s *Store, query string) (map[K]int, error) {
	out := map[K]int{}
	err := s.each(ctx, func(scan func(...any) error) error {
		var name K
		var n int
		err := scan(&name, &n)
		out[name] = n
		return err
	}, query)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Count is the number of requests of one category and state in one interval.
type Count struct {
	At       time.Time // start of the interval
	Category approval.Category
	State    approval.State
	N        int
}

// CountBy counts the requests since a time, by interval.
func (s *Store) CountBy(ctx context.Context, since time.Time, step time.Duration) (out []Count, err error) {
	// IDs begin with the time, so the primary key finds them.
	err = s.each(ctx, func(scan func(...any) error) error {
		var c Count
		var ms int64
		err := scan(&ms, &c.Category, &c.State, &c.N)
		c.At = time.UnixMilli(ms).UTC()
		out = append(out, c)
		return err
	}, "SELECT (created / ?) * ?, category, state, count(*) FROM request WHERE id >= ? GROUP BY 1, 2, 3",
		step.Milliseconds(), step.Milliseconds(), approval.NewID(since)[:10])
	return out, err
}
