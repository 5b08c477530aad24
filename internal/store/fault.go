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

// readWithin limits the time of a query: a database that hangs must not block the caller.
const readWithin = 10 * time.Second

// dbError is an error of the database, after which the transaction is unusable.
type dbError struct{ error }

func (e dbError) Unwrap() error { return e.error }

// cutOff marks a commit whose result is unknown: the connection broke.
type cutOff struct{ error }

func (e cutOff) Unwrap() error { return e.error }

// unavailable wraps database errors for callers that check for approval.ErrUnavailable. It leaves
// answers, and errors of the caller's context, as they are.
func unavailable(err error) error {
	var fault dbError
	if errors.As(err, &fault) {
		err = fault.error
	}
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, approval.ErrUnavailable), errors.Is(err, approval.ErrNone), errors.Is(err, ErrNoRecord), errors.As(err, new(recordFault)):
		return err
	case noSpace(err):
		return fmt.Errorf("%w: %w", approval.ErrDiskFull, err)
	}
	return fmt.Errorf("%w: %w", approval.ErrUnavailable, err)
}

// noSpace reports whether SQLite found no space on the disk. When it opens a database, it reports
// that it cannot extend the shared memory file.
func noSpace(err error) bool {
	var lite *sqlite.Error
	return errors.As(err, &lite) && (lite.Code()&0xff == sqlite3.SQLITE_FULL || lite.Code() == sqlite3.SQLITE_IOERR_SHMSIZE)
}

// concernsDataOnly reports whether an error concerns only the written data, so that other changes of the same
// transaction may succeed.
func concernsDataOnly(err error) bool {
	if errors.As(err, new(archiveFault)) {
		return true
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) { // SQLSTATE classes for data and constraints
		return strings.HasPrefix(pg.Code, "22") || strings.HasPrefix(pg.Code, "23")
	}
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		primary := lite.Code() & 0xff
		return primary == sqlite3.SQLITE_CONSTRAINT || primary == sqlite3.SQLITE_TOOBIG || primary == sqlite3.SQLITE_MISMATCH
	}
	return false
}

// deadlocked reports whether the database aborted a change because of a deadlock.
func deadlocked(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40P01" || pg.Code == "40001")
}

// refused reports whether an error is the database's answer to a statement.
func refused(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg)
}

// hungUp reports whether the database closed the connection before a commit, because it was shut
// down since the writer's last use of the connection. Nothing was written.
func hungUp(err error) bool {
	var pg *pgconn.PgError
	var cut cutOff
	return !errors.As(err, &cut) && (pgconn.SafeToRetry(err) || errors.As(err, &pg) && strings.HasPrefix(pg.Code, "57P0"))
}

// checkSQLite checks a SQLite file, and returns the next step if it is damaged. It never repairs or
// writes: a copy of the damaged file shows more than the remains of a repair.
func checkSQLite(ctx context.Context, path string) error {
	switch fi, err := os.Stat(path); {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err == nil && !fi.Mode().IsRegular(): // opening a pipe would block
		return fmt.Errorf("%s is not a regular file", path)
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
		default: // unreadable or locked: the content may be fine
			return fmt.Errorf("%s cannot be used: %w", path, err)
		}
	}
	return fmt.Errorf("%s is damaged (%w): stop what uses it, move it away together with its -wal and -shm files, and put a backup in its place; "+
		"without a backup, `sqlite3 %s .recover` saves what can be read. Without the file the gateway starts with an empty queue and without its tokens. Nothing was changed",
		path, err, path)
}
