package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/store"
)

// remade replaces a file with a SQLite database of one statement.
func remade(path, statement string) error {
	if err := os.Remove(path); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(statement)
	return err
}

// A file that is no gateway's database is refused, and not made one.
func TestNoNewStartByItself(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"empty":              func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"of another program": func(path string) error { return remade(path, "CREATE TABLE notes (text TEXT)") },
		"without tables":     func(path string) error { return remade(path, "PRAGMA user_version = 1") },
		"no database":        func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("words ", 1000)), 0o600) },
		"cut":                func(path string) error { return os.Truncate(path, 8192) },
		"gone, with its log left": func(path string) error {
			if err := os.WriteFile(path+"-wal", []byte("x"), 0o600); err != nil {
				return err
			}
			return os.Remove(path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s, err := store.Open(t.Context(), dir)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "gateway.db")
			if err := spoil(path); err != nil {
				t.Fatal(err)
			}
			if s, err := store.Open(t.Context(), dir); err == nil {
				_ = s.Close()
				t.Fatal("it was opened")
			} else if !strings.Contains(err.Error(), path) {
				t.Error(err)
			}
		})
	}
}

// A folder is one whatever its name has, and a start that died leaves no half database.
func TestStartInAnyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a#b?c%20d")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gateway.db.new"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := os.Stat(filepath.Join(dir, "gateway.db")); err != nil {
		t.Error(err)
	}
}
