package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/umpire-dev/umpire/internal/approval"
)

// A PostgreSQL can be some milliseconds away. Independent statements share a round trip: new
// requests are committed after two.

// session is a transaction, or the connection with one.
type session interface {
	rowsQuerier
	ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error)
}

// statement is part of a round trip.
type statement struct {
	text string
	args []any
	read func(pgx.Rows) error // reads a row of the result
}

// trip sends statements together, and returns how many of them succeeded. The database stops at the
// first failure.
func trip(ctx context.Context, conn *sql.Conn, list []statement) (n int, err error) {
	err = conn.Raw(func(driver any) error {
		batch := &pgx.Batch{}
		for _, s := range list {
			batch.Queue(s.text, s.args...)
		}
		answers := driver.(*stdlib.Conn).Conn().SendBatch(ctx, batch)
		for _, s := range list {
			if err := s.answer(answers); err != nil {
				_ = answers.Close() // the same error
				return err
			}
			n++
		}
		return answers.Close()
	})
	return n, err
}

func (s *statement) answer(from pgx.BatchResults) error {
	rows, err := from.Query()
	if err != nil {
		return err
	}
	defer rows.Close()
	for s.read != nil && rows.Next() {
		if err := s.read(rows); err != nil {
			return err
		}
	}
	rows.Close() // reads the rest
	return rows.Err()
}

// beginPostgres begins a transaction, takes the locks of changes, and reads the records that they
// depend on. undo ends the transaction if it was not committed.
func (b *batch) beginPostgres(ops []op) (undo func(), err error) {
	conn, err := b.s.writer.Conn(b.ctx)
	if err != nil {
		return nil, err
	}
	open := true
	undo = func() {
		if open { // a connection that cannot be rolled back is not reused
			_, _ = conn.ExecContext(b.ctx, "ROLLBACK")
		}
		_ = conn.Close() // returns it to the pool
	}
	b.tx = conn
	b.end = func() error {
		list := append(b.left, statement{text: "COMMIT"})
		n, err := trip(b.ctx, conn, list)
		switch {
		case n == len(list): // the commit was acknowledged
			open = false
			return nil
		case refused(err) && n < len(list)-1:
			return err // the database did not reach the commit
		}
		return b.cut(err)
	}
	// Read the clock with the locks held, so that times rise along the chain. Data that is read
	// after that stays unchanged until the commit.
	list := []statement{{text: "BEGIN"}, b.lock(ops)}
	if agents := bounded(ops); len(agents) > 0 {
		list = append(list, b.countWaiting(agents))
	}
	if kinds, ids := conditions(ops); len(ids) > 0 {
		list = append(list, statement{text: "SELECT kind, id, body FROM record WHERE (kind, id) IN (SELECT * FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[])))", args: []any{kinds, ids},
			read: func(rows pgx.Rows) error { return b.record(rows.Scan) }})
	}
	if _, err := trip(b.ctx, conn, list); err != nil {
		undo()
		return nil, err
	}
	return undo, nil
}

// send sends the pending statements, for changes that depend on them.
func (b *batch) send() error {
	list := b.left
	b.left = nil
	if _, err := trip(b.ctx, b.tx.(*sql.Conn), list); err != nil {
		return dbError{err}
	}
	return nil
}

// lock takes the locks of changes and of the chain, always in the same order. Apart from writers,
// only the check whether an interrupted commit has ended takes the chain's lock. Records that
// changes depend on are locked against changes; see Tx.Put.
func (b *batch) lock(ops []op) statement {
	keys := []int64{lockKey(b.s.own.ID)}
	for _, o := range ops {
		for _, name := range o.locks {
			keys = append(keys, lockKey(name))
		}
	}
	slices.Sort(keys)
	var shared []int64
	kinds, ids := conditions(ops)
	for i := range ids {
		shared = append(shared, recordKey(kinds[i], ids[i]))
	}
	slices.Sort(shared)
	return statement{text: "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)" +
		" FROM (SELECT count(pg_advisory_xact_lock(k)) FROM unnest(CAST($1 AS BIGINT[])) AS k) AS held," +
		" (SELECT count(pg_advisory_xact_lock_shared(k)) FROM unnest(CAST($2 AS BIGINT[])) AS k) AS shared",
		args: []any{slices.Compact(keys), slices.Compact(shared)},
		read: func(rows pgx.Rows) error {
			var ms int64
			err := rows.Scan(&ms)
			b.now = time.UnixMilli(ms)
			return err
		}}
}

// bounded returns the agents whose pending requests must be counted, because they add more.
func bounded(ops []op) (agents []string) {
	for _, o := range ops {
		if o.plain != nil && o.plain.Most > 0 && o.plain.State == approval.Pending {
			agents = append(agents, o.plain.Agent)
		}
	}
	return agents
}

func (b *batch) countWaiting(agents []string) statement {
	b.waits = map[string]int{}
	return statement{text: "SELECT agent, count(*) FROM request WHERE state = 'pending' AND agent = ANY(CAST($1 AS TEXT[])) GROUP BY agent", args: []any{agents},
		read: func(rows pgx.Rows) error {
			var agent string
			var n int
			err := rows.Scan(&agent, &n)
			b.waits[agent] = n
			return err
		}}
}
