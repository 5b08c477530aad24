package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	_ "modernc.org/sqlite"             // the driver "sqlite"

	"github.com/umpire-dev/umpire/internal/approval"
)

// maxBatch is how many changes are committed together at most.
const maxBatch = 256

// Store is a database of requests. It may be used by many goroutines at once.
type Store struct {
	db       *sql.DB // readers, and for PostgreSQL the writer
	writer   *sql.DB
	postgres bool
	hub      hub
	ops      chan op
	stop     context.CancelFunc
	closed   <-chan struct{}
	done     sync.WaitGroup
	unlock   func() error
	seen     int64 // the last event that was told to waiters; of the follower
}

var _ approval.Store = (*Store)(nil)

// Open opens a database: a PostgreSQL by its URL, or the SQLite in a folder, which is
// made if need be and locked against a second gateway.
func Open(ctx context.Context, where string) (*Store, error) {
	s := &Store{ops: make(chan op)}
	if strings.HasPrefix(where, "postgres://") || strings.HasPrefix(where, "postgresql://") {
		if err := s.openPostgres(ctx, where); err != nil {
			return nil, err
		}
	} else if err := s.openSQLite(ctx, where); err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		return nil, errors.Join(err, s.close())
	}
	background, cancel := context.WithCancel(context.Background())
	s.stop, s.closed = cancel, background.Done()
	s.done.Go(func() { s.write(background) })
	if s.postgres {
		if err := s.db.QueryRowContext(ctx, "SELECT seq FROM chain").Scan(&s.seen); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		s.done.Go(func() { s.follow(background, where) })
	}
	return s, nil
}

func (s *Store) openSQLite(ctx context.Context, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	unlock, err := lock(filepath.Join(dir, "gateway.lock"))
	if err != nil {
		return err
	}
	s.unlock = unlock
	path := filepath.Join(dir, "gateway.db")
	dsn := "file:" + path + "?_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)"
	if s.db, err = sql.Open("sqlite", dsn); err != nil {
		return errors.Join(err, unlock())
	}
	s.db.SetMaxOpenConns(8)
	if s.writer, err = sql.Open("sqlite", dsn); err != nil {
		return errors.Join(err, s.close())
	}
	s.writer.SetMaxOpenConns(1)
	var health string
	if err := s.db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&health); err != nil || health != "ok" {
		return errors.Join(fmt.Errorf("%s is damaged (%s): move it away, or restore it from a backup; nothing was changed", path, health), err, s.close())
	}
	return os.Chmod(path, 0o600)
}

func (s *Store) openPostgres(ctx context.Context, url string) (err error) {
	s.postgres = true
	if s.db, err = sql.Open("pgx", url); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(16)
	s.db.SetConnMaxIdleTime(5 * time.Minute)
	s.writer = s.db
	if err := s.db.PingContext(ctx); err != nil {
		return errors.Join(fmt.Errorf("the database cannot be reached: %w", err), s.close())
	}
	return nil
}

// Close ends the writing and closes the database. Nothing acknowledged is lost.
func (s *Store) Close() error {
	s.stop()
	s.done.Wait()
	s.hub.wakeAll()
	return s.close()
}

func (s *Store) close() error {
	var errs []error
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

// Healthy reports whether the database answers.
func (s *Store) Healthy(ctx context.Context) error {
	var n int
	return s.db.QueryRowContext(ctx, "SELECT 1").Scan(&n)
}

// sql writes a statement's places for values as the database wants them.
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

// errClosed is what a change gets that comes after Close.
var errClosed = errors.New("the store is closed")

// op is one change that waits for the writer.
type op struct {
	do   func(*batch) error
	done chan error
}

// change has the writer make a change, and returns when it is durable. An error of do's
// own is an answer: what it wrote before stays.
func (s *Store) change(ctx context.Context, do func(*batch) error) error {
	o := op{do, make(chan error, 1)}
	select {
	case s.ops <- o:
	case <-s.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(30 * time.Second):
		return errors.New("the store is too busy: try again")
	}
	// From here on it may become durable, whatever becomes of the caller: it must hear.
	return <-o.done
}

// batch is one transaction.
type batch struct {
	s        *Store
	ctx      context.Context
	tx       *sql.Tx
	now      time.Time // the database's clock, which all gateways share
	seq      int64
	hash     string
	requests int64
	changed  []string // requests to wake waiters of
}

func (s *Store) write(ctx context.Context) {
	for {
		var ops []op
		select {
		case <-ctx.Done():
			return
		case o := <-s.ops:
			ops = append(ops, o)
		}
	more:
		for len(ops) < maxBatch {
			select {
			case o := <-s.ops:
				ops = append(ops, o)
			default:
				break more
			}
		}
		s.commit(ops)
	}
}

// commit makes changes in one transaction. If the database refuses one of them, each is
// tried by itself, so that nobody pays for another's.
func (s *Store) commit(ops []op) {
	// Not the writer's context: what was begun is ended.
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	results, changed, err := s.try(ctx, ops)
	if err != nil && len(ops) > 1 {
		for _, o := range ops {
			s.commit([]op{o})
		}
		return
	}
	if err == nil {
		s.hub.wake(changed...)
	}
	for i, o := range ops {
		if err != nil {
			o.done <- err
		} else {
			o.done <- results[i]
		}
	}
}

func (s *Store) try(ctx context.Context, ops []op) (results []error, changed []string, err error) {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = tx.Rollback() }()
	b := &batch{s: s, ctx: ctx, tx: tx, now: time.Now()}
	head := "SELECT seq, hash, requests FROM chain"
	if s.postgres {
		head += " FOR UPDATE"
	}
	if err := tx.QueryRowContext(ctx, head).Scan(&b.seq, &b.hash, &b.requests); err != nil {
		return nil, nil, err
	}
	if s.postgres {
		var ms int64
		if err := tx.QueryRowContext(ctx, "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)").Scan(&ms); err != nil {
			return nil, nil, err
		}
		b.now = time.UnixMilli(ms)
	}
	before := b.seq
	for _, o := range ops {
		err := o.do(b)
		var fault dbError
		if errors.As(err, &fault) {
			return nil, nil, fault.error
		}
		results = append(results, err)
	}
	if b.seq == before { // nothing changed
		return results, nil, nil
	}
	if _, err := tx.ExecContext(ctx, s.sql("UPDATE chain SET seq = ?, hash = ?, requests = ?"), b.seq, b.hash, b.requests); err != nil {
		return nil, nil, err
	}
	if s.postgres {
		if _, err := tx.ExecContext(ctx, "SELECT pg_notify('umpire', '')"); err != nil {
			return nil, nil, err
		}
	}
	return results, b.changed, tx.Commit()
}

// dbError marks an error of the database's, after which the transaction is of no use.
type dbError struct{ error }

func (e dbError) Unwrap() error { return e.error }

func (b *batch) exec(text string, args ...any) error {
	if _, err := b.tx.ExecContext(b.ctx, b.s.sql(text), args...); err != nil {
		return dbError{err}
	}
	return nil
}

// event records a change, chained to the one before.
func (b *batch) event(kind, request, who string, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return dbError{err}
	}
	e := approval.Event{Seq: b.seq + 1, At: b.now.UTC().Truncate(time.Millisecond), Kind: kind, Request: request, Who: who, Data: raw, Prev: b.hash}
	e.Hash = hashOf(&e)
	if err := b.exec("INSERT INTO event (seq, at, kind, request, who, data, prev, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		e.Seq, e.At.UnixMilli(), e.Kind, e.Request, e.Who, string(e.Data), e.Prev, e.Hash); err != nil {
		return err
	}
	b.seq, b.hash = e.Seq, e.Hash
	if request != "" {
		b.changed = append(b.changed, request)
	}
	return nil
}

// hashOf names an event by all that it says and by the event before.
func hashOf(e *approval.Event) string {
	h := sha256.New()
	for _, s := range []string{strconv.FormatInt(e.Seq, 10), strconv.FormatInt(e.At.UnixMilli(), 10), e.Kind, e.Request, e.Who, string(e.Data), e.Prev} {
		fmt.Fprintf(h, "%d:%s", len(s), s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Changed implements approval.Store.
func (s *Store) Changed(id string) (<-chan struct{}, func()) { return s.hub.wait(id) }
