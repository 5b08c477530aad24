package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
)

// archive is a database of its own that takes what Prune removes. It verifies as the record does.
type archive struct {
	db   *Store
	most int64 // events that the record keeps; 0: as many as there are
}

// Archive has Prune move what it removes to a SQLite database in a folder, which is made if need be.
// If most is not 0, Prune also removes the oldest events beyond this number. The folder holds the archive
// of one database: that of another is refused. Call it before anyone calls Prune.
func (s *Store) Archive(ctx context.Context, dir string, most int64) error {
	a := &Store{connect: s.connect}
	if err := a.openSQLite(ctx, dir); err != nil {
		return fmt.Errorf("open the archive: %w", err)
	}
	err := a.migrate(ctx)
	if err == nil { // an agent may use a key again when the request that had it is archived
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

// mover removes rows, and puts them into an archive if there is one.
type mover struct {
	b  *batch
	to *sql.Tx // nil: they are gone
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

// undo gives up what was moved and not kept.
func (m mover) undo() {
	if m.to != nil {
		_ = m.to.Rollback() // after a commit it does nothing
	}
}

// keep makes durable what was moved. The record loses it afterwards: of a change that fails in
// between, both have it, and it is moved again.
func (m mover) keep() error {
	if m.to == nil {
		return nil
	}
	if err := m.to.Commit(); err != nil {
		return archiveError(err)
	}
	return nil
}

// archiveFault keeps rows from the archive. The transaction that removes them must fail, and other
// changes may go through without this one.
type archiveFault struct{ error }

func (e archiveFault) Unwrap() error { return e.error }

func archiveError(err error) error {
	return dbError{archiveFault{fmt.Errorf("write to the archive: %w", err)}}
}

// remove removes the rows of a table for which where holds, and counts them.
func (m mover) remove(table, where string, args ...any) (n int64, err error) {
	text := "DELETE FROM " + table + " WHERE " + where
	if m.to == nil {
		return m.b.count(text, args...)
	}
	return m.put(table, text+" RETURNING *", args...)
}

// copyCheckpoint puts the checkpoint that the record keeps, the last of what goes, into the archive.
func (m mover) copyCheckpoint(last int64) error {
	if m.to == nil {
		return nil
	}
	_, err := m.put("checkpoint", "SELECT * FROM checkpoint WHERE last = ?", last)
	return err
}

// put puts the rows that a statement returns into a table of the archive.
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

// begin has an archive that is empty go on from where the record was cut before there was one.
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
