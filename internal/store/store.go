package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/doclink"
)

// Store is a database of requests. It is safe for concurrent use.
type Store struct {
	db       *sql.DB // for readers, and for checkpoints in PostgreSQL
	writer   *sql.DB
	postgres bool
	hub      hub
	versions versions
	ops      chan op
	stop     context.CancelFunc
	closed   <-chan struct{}
	done     sync.WaitGroup
	unlock   func() error
	refused  atomic.Pointer[error] // error of the last failed transaction
	newest   newest
	name     string
	own      *chain // owned by the writer
	merge    merger
	prepared prepared
	ends     *ends // SQLite: as of the last commit; nil if they must be read
	connect  Connect
	archive  *archive   // nil: pruned rows are deleted
	room     string     // SQLite: the file that shows whether the disk has room
	probing  sync.Mutex // held while that file exists
}

// Connect opens a database by the name of its driver, as sql.Open does.
type Connect func(driver, dsn string) (*sql.DB, error)

var _ approval.Store = (*Store)(nil)

// Open opens a database: a PostgreSQL by its URL, or the SQLite in a folder, which is created if
// necessary and locked against a second gateway.
func Open(ctx context.Context, where string) (*Store, error) {
	return OpenThrough(ctx, where, sql.Open)
}

// OpenThrough is like Open, with another function to connect: tests inject faults below a store.
func OpenThrough(ctx context.Context, where string, connect Connect) (*Store, error) {
	s, err := open(ctx, where, connect)
	if noSpace(err) {
		err = fmt.Errorf("the disk of %s is full: free space on it: %w", where, err)
	}
	return s, err
}

func open(ctx context.Context, where string, connect Connect) (*Store, error) {
	s := &Store{ops: make(chan op), connect: connect}
	if isPostgres(where) {
		if err := s.openPostgres(ctx, where); err != nil {
			return nil, err
		}
	} else if err := s.openSQLite(ctx, where); err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	if err := s.nameDatabase(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	if s.postgres {
		if err := s.sweep(ctx); err != nil { // events of a killed gateway
			return nil, errors.Join(err, s.close())
		}
	}
	var err error
	if s.newest.last, err = s.Head(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.newest.from, s.newest.turn = s.newest.last, make(chan struct{}, 1)
	background, cancel := context.WithCancel(context.Background())
	s.stop, s.closed = cancel, background.Done()
	s.done.Go(func() { s.write(background) })
	if s.postgres {
		s.done.Go(func() { s.mergeAlways(background) })
		s.done.Go(func() { s.follow(background, where) })
	}
	return s, nil
}

// OpenReader opens a database for verification, even while gateways write to it. It changes
// nothing.
func OpenReader(ctx context.Context, where string) (s *Store, err error) {
	s = &Store{connect: sql.Open}
	if isPostgres(where) {
		err = s.openPostgres(ctx, where)
	} else {
		path := filepath.Join(where, "gateway.db")
		info, missing := os.Stat(path)
		if missing == nil && !info.Mode().IsRegular() { // opening a pipe would block
			missing = fmt.Errorf("%s is not a regular file", path)
		}
		if missing != nil {
			return nil, fmt.Errorf("no gateway keeps its database there: %w", missing)
		}
		s.db, err = sql.Open("sqlite", dsnOf(path)+"?mode=ro&_pragma=busy_timeout(5000)")
	}
	if err != nil {
		return nil, err
	}
	var version int
	err = s.db.QueryRowContext(ctx, "SELECT version FROM schema_version").Scan(&version)
	if err == nil && version != len(migrations) {
		err = fmt.Errorf("the database has version %d, and this umpire knows %d: start the gateway with the same umpire first", version, len(migrations))
	}
	if err == nil {
		err = s.db.QueryRowContext(ctx, "SELECT name FROM chain").Scan(&s.name)
	}
	if err != nil {
		return nil, errors.Join(unavailable(err), s.close())
	}
	s.stop = func() {}
	return s, nil
}

func isPostgres(where string) bool {
	return strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://")
}

func (s *Store) openSQLite(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	unlock, err := Lock(ctx, filepath.Join(dir, "gateway.lock"))
	if err != nil {
		return err
	}
	s.unlock = unlock
	s.room = filepath.Join(dir, "gateway.room")
	path := filepath.Join(dir, "gateway.db")
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		if err := create(ctx, path); err != nil {
			return errors.Join(err, s.close())
		}
	}
	// Removed rows free space in the file at once, and the journal of a burst shrinks again.
	dsn := dsnOf(path) + "?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=auto_vacuum(2)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)" +
		"&_pragma=foreign_keys(1)&_pragma=journal_size_limit(67108864)"
	if err := checkSQLite(ctx, path); err != nil {
		return errors.Join(err, s.close())
	}
	if s.db, err = s.connect("sqlite", dsn); err != nil {
		return errors.Join(err, s.close())
	}
	s.db.SetMaxOpenConns(8)
	if s.writer, err = s.connect("sqlite", dsn); err != nil {
		return errors.Join(err, s.close())
	}
	s.writer.SetMaxOpenConns(1)
	if _, err := s.writer.ExecContext(ctx, "SELECT 1"); err != nil {
		return errors.Join(doclink.Wrap(fmt.Errorf("%s cannot be used: %w", path, err), doclink.Database), s.close())
	}
	return os.Chmod(path, 0o600)
}

// create creates a new database beside its path and moves it there once complete: an existing file
// that is not a gateway's database was truncated or put there by something else.
func create(ctx context.Context, path string) error {
	if _, err := os.Lstat(path + "-wal"); err == nil {
		return fmt.Errorf("%s is missing, but its %s-wal exists: restore the file. To start over, remove that one as well", path, filepath.Base(path))
	}
	beside := path + ".new"
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(beside + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	db, err := sql.Open("sqlite", dsnOf(beside)+"?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=auto_vacuum(2)&_pragma=synchronous(FULL)")
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	s := &Store{db: db, writer: db}
	err = s.migrate(ctx)
	if err = errors.Join(err, db.Close()); err == nil {
		err = os.Chmod(beside, 0o600)
	}
	if err == nil {
		err = os.Rename(beside, path)
	}
	return err
}

// dsnOf escapes a path for SQLite: ? and # would end it.
func dsnOf(path string) string { return "file:" + (&url.URL{Path: path}).EscapedPath() }

func (s *Store) openPostgres(ctx context.Context, url string) (err error) {
	s.postgres = true
	if s.db, err = s.connect("pgx", url); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(16)
	s.db.SetConnMaxIdleTime(5 * time.Minute)
	// The writer keeps its connection, which has its prepared statements.
	if s.writer, err = s.connect("pgx", url); err != nil {
		return errors.Join(err, s.close())
	}
	s.writer.SetMaxOpenConns(1)
	if err := s.db.PingContext(ctx); err != nil {
		return errors.Join(doclink.Wrap(fmt.Errorf("cannot reach the database: start it, or correct --database: %w", err), doclink.Database), s.close())
	}
	return nil
}

// Close ends the writer and closes the database. No acknowledged change is lost.
func (s *Store) Close() error {
	s.stop()
	s.done.Wait()
	s.hub.wakeAll()
	var err error
	if s.postgres && s.closed != nil { // if that fails, another gateway does it
		ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
		defer cancel()
		err = s.mergeOwn(ctx)
	}
	return errors.Join(err, s.close())
}

func (s *Store) close() error {
	var errs []error
	if s.archive != nil {
		errs = append(errs, s.archive.db.close())
	}
	if s.writer != nil && s.writer != s.db {
		errs = append(errs, s.writer.Close())
	}
	if s.db != nil {
		errs = append(errs, s.db.Close())
	}
	if s.unlock != nil {
		errs = append(errs, s.unlock())
	}
	return errors.Join(errs...)
}

// Healthy reports whether the database answers and accepts writes.
func (s *Store) Healthy(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	var n int
	if err := s.db.QueryRowContext(ctx, "SELECT 1").Scan(&n); err != nil {
		return unavailable(err)
	}
	if s.room != "" { // only new space shows a full disk: SQLite reuses its journal for a small change
		s.probing.Lock()
		err := errors.Join(os.WriteFile(s.room, make([]byte, 64<<10), 0o600), os.Remove(s.room))
		if s.probing.Unlock(); err != nil {
			return unavailable(err)
		}
	}
	if s.refused.Load() == nil {
		return nil
	}
	// The last transaction failed. Only another attempt shows whether the next one will.
	return s.change(ctx, func(b *batch) error { return b.exec("UPDATE chain SET name = name") })
}

// nameDatabase gives a new database a random name, which distinguishes its copies from other databases.
func (s *Store) nameDatabase(ctx context.Context) error {
	if _, err := s.writer.ExecContext(ctx, s.sql("UPDATE chain SET name = ? WHERE name = ''"), approval.NewID(time.Now())); err != nil {
		return err
	}
	return s.db.QueryRowContext(ctx, "SELECT name FROM chain").Scan(&s.name)
}

// Name returns the random, unique name of the database.
func (s *Store) Name() string { return s.name }

// sql converts a statement's placeholders to the database's form.
func (s *Store) sql(text string) string {
	if !s.postgres {
		return text
	}
	var b strings.Builder
	n := 0
	for i := range len(text) {
		if text[i] != '?' {
			b.WriteByte(text[i])
			continue
		}
		n++
		b.WriteString("$" + strconv.Itoa(n))
	}
	return b.String()
}

// Changed implements approval.Store.
func (s *Store) Changed(id string) (<-chan struct{}, func()) { return s.hub.wait(id) }
