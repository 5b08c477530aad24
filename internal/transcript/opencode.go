package transcript

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/umpire-dev/umpire/internal/regular"
)

// openCodePart reads a part of a message: the form of OpenCode's files, and of the rows of its
// database.
func (s *session) openCodePart(doc map[string]json.RawMessage) error {
	if text(doc["type"]) != "tool" {
		return nil
	}
	s.known = true
	s.as("opencode")
	state := fields(doc["state"])
	if t := timeOf(fields(state["time"])["start"]); !t.IsZero() {
		s.time = t
	}
	if id := text(doc["sessionID"]); id != "" { // a separate file
		s.id = id
		s.dir = s.openCodeDir(id)
	}
	return s.call(text(doc["callID"]), text(doc["tool"]), state["input"])
}

// openCodeDir finds the folder of a session in the files beside a part's.
func (s *session) openCodeDir(id string) string {
	if dir, ok := s.dirs[id]; ok {
		return dir
	}
	dir := ""
	if storage, _, ok := strings.Cut(filepath.ToSlash(s.path), "/part/"); ok && !strings.ContainsAny(id, `/\*?[`) {
		files, _ := filepath.Glob(filepath.Join(storage, "session", "*", id+".json")) // the pattern is well-formed, or there is none
		for _, name := range files {
			f, _, err := regular.Open(name)
			if err != nil {
				continue
			}
			b, err := io.ReadAll(io.LimitReader(f, 1<<20))
			_ = f.Close()
			if err == nil {
				dir = absolute(text(fields(b)["directory"]))
			}
		}
	}
	s.dirs[id] = dir
	return dir
}

// openCodeDatabase reads OpenCode's database. It reads a copy, because SQLite would write beside
// it, and OpenCode may have it open.
func (s *session) openCodeDatabase() (err error) {
	tmp, err := os.MkdirTemp("", "umpire-history-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	for _, end := range []string{"", "-wal"} {
		if err := copyFile(filepath.Join(tmp, "copy.db"+end), s.path+end, s.Limits.File); err != nil && (end == "" || !errors.Is(err, os.ErrNotExist)) {
			return err
		}
	}
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(filepath.Join(tmp, "copy.db"))+"?_pragma=trusted_schema(0)&_pragma=query_only(1)&_pragma=cell_size_check(1)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	rows, err := db.QueryContext(ctx, `SELECT s.id, s.directory, p.time_created, p.data FROM part p JOIN session s ON s.id = p.session_id
		WHERE length(p.data) < ? ORDER BY p.time_created`, s.Limits.Line)
	if err != nil {
		if strings.Contains(err.Error(), "no such") || strings.Contains(err.Error(), "not a database") {
			return nil // another program's
		}
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	s.known = true
	s.as("opencode")
	for rows.Next() {
		var id, dir, data string
		var created int64
		if err := rows.Scan(&id, &dir, &created, &data); err != nil {
			s.skip(s.Stats.Lines + 1)
			continue
		}
		s.Stats.Lines++
		s.id, s.dir, s.time = id, absolute(dir), sane(time.UnixMilli(created))
		doc := fields(json.RawMessage(data))
		delete(doc, "sessionID")
		if err := s.openCodePart(doc); err != nil {
			return err
		}
	}
	return rows.Err()
}

func copyFile(to, from string, most int64) error {
	in, info, err := regular.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if info.Size() > most {
		return errFull
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(in, most))
	return errors.Join(err, out.Close())
}
