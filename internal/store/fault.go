package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/umpire-dev/umpire/internal/approval"
)

// readWithin is how long a look at the database may take: one that is stuck must not hold up
// who asks.
const readWithin = 10 * time.Second

// dbError marks an error of the database's, after which the transaction is of no use.
type dbError struct{ error }

func (e dbError) Unwrap() error { return e.error }

// cutOff marks a commit whose result is unknown: the connection broke.
type cutOff struct{ error }

func (e cutOff) Unwrap() error { return e.error }

// unavailable says a fault of the database's in words, for callers that branch on
// approval.ErrUnavailable. Answers, and what the caller's own context ended, stay as they are.
func unavailable(err error) error {
	var fault dbError
	if errors.As(err, &fault) {
		err = fault.error
	}
	var code *sqlite.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, approval.ErrUnavailable), errors.Is(err, approval.ErrNone), errors.Is(err, ErrNoRecord):
		return err
	case errors.As(err, &code) && code.Code()&0xff == sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: the disk is full: %w", approval.ErrUnavailable, err)
	}
	return fmt.Errorf("%w: %w", approval.ErrUnavailable, err)
}

// ofOne reports whether an error is about what was to be written, so that other changes of
// the same transaction may go through without it.
func ofOne(err error) bool {
	if errors.As(err, new(archiveFault)) {
		return true
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) { // classes: of data, and of constraints
		return strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23")
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		primary := lite.Code() & 0xff
		return primary == sqlite3.SQLITE_CONSTRAINT || primary == sqlite3.SQLITE_TOOBIG || primary == sqlite3.SQLITE_MISMATCH
	}
	return false
}

// crossed reports whether the database undid a change because it and another one waited for each
// other.
func crossed(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}

// refused reports whether an error is the database's answer to a statement.
func refused(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg)
}

// hungUp reports whether the database ended the connection before a change was committed: it
// was shut down since the writer used the connection last. Nothing was written.
func hungUp(err error) bool {
	var pg *pgconn.PgError
	var cut cutOff
	if errors.As(err, &cut) {
		return false
	}
	return pgconn.SafeToRetry(err) || errors.As(err, &pg) && strings.HasPrefix(pg.Code, "57P0")
}

// sound checks a SQLite file, and says what to do if it is damaged. It repairs and writes nothing:
// a copy of the damaged file shows more than the remains of a repair.
func sound(ctx context.Context, path string) error {
	switch fi, err := os.Stat(path); {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err == nil && fi.Size() == 0:
		return fmt.Errorf("%s is empty, but the gateway has run before: restore a backup. If it never held data, remove it together with its -wal and -shm files", path)
	}
	db, err := sql.Open("sqlite", dsnOf(path)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	var health string
	err = db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&health)
	if err == nil && health == "ok" {
		var tables int
		if err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master WHERE name IN ('schema_version', 'chain', 'record')").Scan(&tables); err == nil && tables < 3 {
			return errors.Join(fmt.Errorf("%s is not a database of a gateway: put the right file in its place. If it never held data, remove it together with its -wal and -shm files", path), db.Close())
		}
	}
	if closed := db.Close(); err == nil {
		err = closed
	}
	switch {
	case err == nil && health == "ok":
		return nil
	case err == nil:
		err = errors.New(health)
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		switch lite.Code() & 0xff {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		default: // not to be read, or locked: nothing is wrong with what is in it
			return fmt.Errorf("%s cannot be used: %w", path, err)
		}
	}
	return fmt.Errorf("%s is damaged (%w): stop what uses it, move it away together with its -wal and -shm files, and put a backup in its place; "+
		"without a backup, `sqlite3 %s .recover` saves what can be read. Without the file the gateway starts with an empty queue and without its tokens. Nothing was changed",
		path, err, path)
}
