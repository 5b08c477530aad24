package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// archive is a separate database for the rows that Prune removes. It verifies like the record.
type archive struct {
	db   *Store
	most int64 // limit of events in the record; 0 means no limit
}

// Archive makes Prune move rows to a SQLite database in a folder, which it creates if necessary. If
// most is not 0, Prune also removes the oldest events beyond this number. The folder holds the
// archive of one database; that of another is refused. Call it before Prune.
func (s *Store) Archive(ctx context.Context, dir string, most int64) error {
	a := &Store{connect: s.connect}
	if err := a.openSQLite(ctx, dir); err != nil {
		return fmt.Errorf("open the archive: %w", err)
	}
	err := a.migrate(ctx)
	if err == nil { // an agent may reuse a key after the request with it was archived
		_, err = a.writer.ExecContext(ctx, "DROP INDEX IF EXISTS request_idem; UPDATE chain SET name = ? WHERE name = ''", s.name)
	}
	if err == nil {
		err = a.db.QueryRowContext(ctx, "SELECT name FROM chain").Scan(&a.name)
	}
	if err == nil && a.name != s.name {
		err = errors.New("it belongs to another database: name another folder")
	}
	if err != nil {
		return errors.Join(fmt.Errorf("open the archive %s: %w", dir, err), a.close())
	}
	s.archive = &archive{a, most}
	return nil
}

// mover removes rows, and copies them to an archive if there is one.
type mover struct {
	b  *batch
	to *sql.Tx // nil: rows are deleted
}

func (b *batch) mover() (m mover, err error) {
	m.b = b
	if a := b.s.archive; a != nil {
		if m.to, err = a.db.writer.BeginTx(b.ctx, nil); err != nil {
			return m, archiveError(err)
		}
	}
	return m, nil
}

// undo discards the copies that were not kept.
func (m mover) undo() {
	if m.to != nil {
		_ = m.to.Rollback() // no effect after a commit
	}
}

// keep commits the copies before the record deletes the rows. If the deletion fails, both have
// them, and they are moved again.
func (m mover) keep() error {
	if m.to == nil {
		return nil
	}
	if err := m.to.Commit(); err != nil {
		return archiveError(err)
	}
	return nil
}

// archiveFault means that the archive did not accept rows. The transaction that removes them must
// fail, but other changes may succeed.
type archiveFault struct{ error }

func (e archiveFault) Unwrap() error { return e.error }

func archiveError(err error) error {
	return dbError{archiveFault{fmt.Errorf("write to the archive: %w", err)}}
}

// remove removes the rows of a table that match where, and counts them.
func (m mover) remove(table, where string, args ...any) (n int64, err error) {
	text := "DELETE FROM " + table + " WHERE " + where
	if m.to == nil {
		return m.b.count(text, args...)
	}
	return m.put(table, text+" RETURNING *", args...)
}

// copyCheckpoint copies the last removed checkpoint, which the record keeps, to the archive.
func (m mover) copyCheckpoint(last int64) error {
	if m.to == nil {
		return nil
	}
	_, err := m.put("checkpoint", "SELECT * FROM checkpoint WHERE last = ?", last)
	return err
}

// put copies the rows of a query into a table of the archive.
func (m mover) put(table, text string, args ...any) (n int64, err error) {
	rows, err := m.b.tx.QueryContext(m.b.ctx, m.b.s.sql(text), args...)
	if err != nil {
		return 0, dbError{err}
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return 0, dbError{err}
	}
	values, at := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		at[i] = &values[i]
	}
	insert := "INSERT OR REPLACE INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
	for ; rows.Next(); n++ {
		if err := rows.Scan(at...); err != nil {
			return n, dbError{err}
		}
		if _, err := m.to.ExecContext(m.b.ctx, insert, values...); err != nil {
			return n, archiveError(err)
		}
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return n, dbError{err}
	}
	return n, nil
}

// begin starts an empty archive at the position where the record was cut earlier.
func (m mover) begin(cut int64, hash string) error {
	if m.to == nil {
		return nil
	}
	_, err := m.to.ExecContext(m.b.ctx, "UPDATE chain SET cut = ?, cut_hash = ? WHERE NOT EXISTS (SELECT 1 FROM checkpoint)", cut, hash)
	if err != nil {
		return archiveError(err)
	}
	return nil
}
