package storetest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// ErrFault is the error of a call that Faults failed.
var ErrFault = errors.New("disk I/O error")

// Faults fails one call to a database: the Nth, counted over begins, statements, rows that are
// read, and commits. With After, the call is made before the failure, as when its answer is lost.
// Rest is the number of further calls to fail. With Damage, no call fails: only rows count, and the
// JSON in those that would fail is truncated.
type Faults struct {
	Nth    int
	After  bool
	Rest   int
	Damage bool

	mu   sync.Mutex
	at   int
	what string
}

// What returns the name of the failed call, or "" if none has failed.
func (f *Faults) What() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.what
}

// Arm restarts the count for the nth call. With 0, none fails.
func (f *Faults) Arm(nth int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Nth, f.at, f.what = nth, 0, ""
}

// Connect connects a store to its database, with faults.
func (f *Faults) Connect(name, dsn string) (*sql.DB, error) {
	sound, err := sql.Open(name, dsn)
	if err != nil {
		return nil, err
	}
	return f.DB(sound.Driver(), dsn), sound.Close()
}

// now counts a call, and reports whether it must fail.
func (f *Faults) now(what string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at++
	now := f.Nth > 0 && f.at >= f.Nth && f.at <= f.Nth+f.Rest
	if now && f.what == "" {
		f.what = what
	}
	return now
}

// call makes a call, or fails it.
func (f *Faults) call(what string, do func() error) error {
	if f.Damage || !f.now(what) {
		return do()
	}
	if f.After {
		if err := do(); err != nil && !errors.Is(err, io.EOF) { // the end of the rows is lost, too
			return err
		}
	}
	return ErrFault
}

// DB opens a database through a driver, with faults.
func (f *Faults) DB(d driver.Driver, dsn string) *sql.DB {
	return sql.OpenDB(&faultyConnector{d, dsn, f})
}

type faultyConnector struct {
	d   driver.Driver
	dsn string
	f   *Faults
}

func (c *faultyConnector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.d.Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return &faultyConn{conn, c.f}, nil
}

func (c *faultyConnector) Driver() driver.Driver { return c.d }

type faultyConn struct {
	driver.Conn
	f *Faults
}

// Prepare fails: a prepared statement would bypass the faults.
func (*faultyConn) Prepare(string) (driver.Stmt, error) {
	return nil, errors.New("statements with faults are not prepared")
}

func (c *faultyConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (r driver.Result, err error) {
	err = c.f.call(text, func() (err error) {
		r, err = c.Conn.(driver.ExecerContext).ExecContext(ctx, text, args)
		return err
	})
	return r, err
}

func (c *faultyConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (r driver.Rows, err error) {
	var rows driver.Rows
	err = c.f.call(text, func() (err error) {
		rows, err = c.Conn.(driver.QueryerContext).QueryContext(ctx, text, args)
		return err
	})
	if err != nil {
		if rows != nil {
			err = errors.Join(err, rows.Close())
		}
		return nil, err
	}
	return &faultyRows{rows, c.f, text}, nil
}

func (c *faultyConn) BeginTx(ctx context.Context, o driver.TxOptions) (tx driver.Tx, err error) {
	if err := c.f.call("begin", func() error { return nil }); err != nil {
		return nil, err
	}
	tx, err = c.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	return &faultyTx{tx, c.f}, nil
}

type faultyTx struct {
	driver.Tx
	f *Faults
}

func (t *faultyTx) Commit() error {
	err := t.f.call("commit", t.Tx.Commit)
	if errors.Is(err, ErrFault) && !t.f.After {
		err = errors.Join(err, t.Tx.Rollback()) // a failed commit ends the transaction
	}
	return err
}

type faultyRows struct {
	driver.Rows
	f    *Faults
	text string
}

func (r *faultyRows) Next(into []driver.Value) error {
	err := r.f.call("row of "+r.text, func() error { return r.Rows.Next(into) })
	if err != nil || !r.f.Damage {
		return err
	}
	for i, v := range into {
		if text := fmt.Sprintf("%s", v); strings.HasPrefix(text, "{") && r.f.now("row of "+r.text) {
			into[i] = "{"
		}
	}
	return nil
}
