package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A place that cannot hold a database is refused with its reason, and nothing is left open or locked.
func TestPlacesThatCannotHoldADatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := func(name string) string { // has a folder in the place of a file
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	full := folder("gateway.db.new")
	if err := os.WriteFile(filepath.Join(full, "gateway.db.new", "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, where := range map[string]string{
		"a file": file, "below a file": filepath.Join(file, "x"), "a folder as its lock": folder("gateway.lock"),
		"a folder as its database": folder("gateway.db"), "a folder as its new database": full, "no URL": "postgres://%zz", "no server": "postgres://127.0.0.1:1/x?connect_timeout=1",
	} {
		if s, err := Open(t.Context(), where); err == nil {
			t.Errorf("%s: it opens", name)
			_ = s.Close()
		}
	}
	if s, err := OpenReader(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "no gateway keeps its database there") {
		t.Errorf("a reader of nothing: %v, %v", s, err)
	}
	if _, err := OpenReader(t.Context(), "postgres://%zz"); err == nil {
		t.Error("a reader of no URL")
	}
}

// Each way to open a database may fail: the store says so, and can be opened afterwards.
func TestEveryConnectionFails(t *testing.T) {
	errConnect := errors.New("no more connections")
	for nth := 1; ; nth++ {
		dir, n := t.TempDir(), 0
		s, err := OpenThrough(t.Context(), dir, func(driver, dsn string) (*sql.DB, error) {
			if n++; n == nth {
				return nil, errConnect
			}
			return sql.Open(driver, dsn)
		})
		if n < nth {
			if err != nil || nth < 3 {
				t.Fatalf("without a fault: %v after %d", err, nth)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			break
		}
		if !errors.Is(err, errConnect) {
			t.Errorf("connection %d: %v, want what failed", nth, err)
		}
		again, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatalf("connection %d: it does not open afterwards: %v", nth, err)
		}
		if err := again.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := OpenThrough(t.Context(), "postgres://x", func(string, string) (*sql.DB, error) { return nil, errConnect }); !errors.Is(err, errConnect) {
		t.Errorf("PostgreSQL: %v", err)
	}
	n := 0
	_, err := OpenThrough(t.Context(), "postgres://x", func(driver, dsn string) (*sql.DB, error) {
		if n++; n == 2 {
			return nil, errConnect
		}
		return sql.Open(driver, dsn)
	})
	if !errors.Is(err, errConnect) {
		t.Errorf("PostgreSQL's writer: %v", err)
	}
}

// What names a place in the record is read strictly.
func TestPlacesInTheRecord(t *testing.T) {
	root := strings.Repeat("0", 64)
	for _, text := range []string{"", "1-2", "x-2:" + root, "1-x:" + root, "2-1:" + root, "0-1:" + root, "1-2:" + root[2:], "1-2:" + root[:63] + "g", strings.Repeat("9", 400)} {
		if tree, err := ParseTree(text); err == nil || len(err.Error()) > 300 {
			t.Errorf("ParseTree(%.20q): %v, %v", text, tree, err)
		}
	}
	for _, text := range []string{"", "x:" + root, "0:" + root, "1", "1:" + root[2:], "1:" + root[:63] + "g"} {
		if a, err := ParseAnchor(text); err == nil {
			t.Errorf("ParseAnchor(%q): %v", text, a)
		}
	}
	for _, id := range []string{"", "zz", root[2:]} {
		if signed(id, signsHead, "x", root) {
			t.Errorf("%q signed something", id)
		}
	}
}

// Reads of a database that is closed fail: none takes nothing for an answer.
func TestReadsAfterClose(t *testing.T) {
	s, id := filledStore(t, t.TempDir())
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, err := range map[string]error{
		"Get": second(s.Get(ctx, id)), "Head": second(s.Head(ctx)), "Events": second(s.Events(ctx, 0, 10)), "Verify": second(s.Verify(ctx)),
		"Prove": second(s.Prove(ctx, 1, Tree{})), "Records": second(s.Records(ctx, "config")), "Healthy": s.Healthy(ctx),
		"Renew": s.Renew(ctx, id), "Transact": s.Transact(ctx, func(*Tx) error { return nil }),
	} {
		if err == nil {
			t.Errorf("%s of a closed store has no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }
