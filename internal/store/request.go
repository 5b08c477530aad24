package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/redact"
)

// Submit implements approval.Store.
func (s *Store) Submit(ctx context.Context, r approval.Request) (stored approval.Request, superseded []approval.Request, err error) {
	if s.postgres && r.Key == "" && r.Target == "" && len(r.Metadata) <= maxPlain {
		stored = r
		err = s.queue(ctx, op{plain: &stored, locks: submitLocks(&r), provided: r.Provided})
		return stored, nil, err
	}
	err = s.queue(ctx, op{locks: submitLocks(&r), provided: r.Provided, do: func(b *batch) error {
		stored, superseded = r, nil // this may be a retry
		if r.Key != "" {
			old, err := b.find("agent = ? AND idem = ?", r.Agent, r.Key)
			if err == nil {
				stored = old
				return nil
			}
			if !errors.Is(err, approval.ErrNone) {
				return err
			}
		}
		if err := b.insert(&stored, r.Key); err != nil {
			return err
		}
		if r.Target != "" {
			older, err := b.all("id <> ? AND state = 'pending' AND target = ? AND category = ? AND agent = ? ORDER BY id"+b.forUpdate(), r.ID, r.Target, string(r.Category), r.Agent)
			if err != nil {
				return err
			}
			for _, o := range older {
				o.State, o.Resolved, o.ResolvedBy, o.Note = approval.Superseded, b.now, approval.ByAuto, "a newer request for the same file replaced it"
				if err := b.save(&o, "resolve", ""); err != nil {
					return err
				}
				superseded = append(superseded, o)
			}
		}
		return b.event("request", stored.ID, stored.Agent, summary(&stored))
	}})
	return stored, superseded, err
}

// submitLocks returns the locks for data that a request depends on and that other gateways may add
// at the same time.
func submitLocks(r *approval.Request) (locks []string) {
	if r.Key != "" {
		locks = append(locks, "key "+r.Agent+" "+r.Key)
	}
	if r.Target != "" || r.Most > 0 && r.State == approval.Pending {
		locks = append(locks, "agent "+r.Agent)
	}
	return locks
}

// insert stores a new request and numbers it, unless the agent has reached its limit.
func (b *batch) insert(r *approval.Request, key string) error {
	body, err := json.Marshal(r)
	if err != nil {
		return dbError{err}
	}
	number, next := "nextval('request_number')", []any{}
	if !b.s.postgres {
		number, next = "?", []any{b.requests + 1}
	}
	text := "INSERT INTO request (seq, id, agent, session, category, target, idem, state, created, expires, lease, seen, digest, body) SELECT " + number +
		", ?, ?, ?, ?, ?, ?, ?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT), ?, ?"
	args := append(next,
		r.ID, r.Agent, r.Session, string(r.Category), r.Target, key, string(r.State), r.Created.UnixMilli(), r.Expires.UnixMilli(),
		r.Lease.Milliseconds(), b.now.UnixMilli(), r.Digest, string(body))
	const waiting = "(SELECT count(*) FROM request WHERE state = 'pending' AND agent = ?)"
	bounded := r.Most > 0 && r.State == approval.Pending
	if bounded {
		text += " WHERE " + waiting + " < ?"
		args = append(args, r.Agent, r.Most)
	}
	if b.s.postgres {
		err = b.tx.QueryRowContext(b.ctx, b.s.sql(text+" RETURNING seq"), args...).Scan(&r.Seq)
	} else if err = b.exec1(text, args...); err == nil { // with RETURNING, SQLite would create a temporary table
		r.Seq = b.requests + 1
	}
	if bounded && errors.Is(err, sql.ErrNoRows) {
		var n int
		if err := b.tx.QueryRowContext(b.ctx, b.s.sql("SELECT "+waiting), r.Agent).Scan(&n); err != nil {
			return dbError{err}
		}
		return full(n)
	}
	if err != nil {
		return dbError{err}
	}
	b.wrote = true
	b.requests++
	return nil
}

// maxPlain limits the metadata of a request that is inserted together with others.
const maxPlain = 64 << 10

// insertPlain stores all new requests without dependencies in one statement. It is sent together
// with the commit if nothing else is left.
func (b *batch) insertPlain(ops []op, results []error) error {
	texts := make([][]string, 9)
	numbers := make([][]int64, 4)
	byID := map[string]*approval.Request{}
	all := true
	for i, o := range ops {
		r := o.plain
		if r == nil {
			all = false
		}
		if r == nil || results[i] != nil {
			continue
		}
		if r.State == approval.Pending && r.Most > 0 {
			if n := b.waits[r.Agent]; n >= r.Most {
				results[i] = full(n)
				continue
			}
			b.waits[r.Agent]++
		}
		r.Seq = 0 // this may be a retry
		body, err := json.Marshal(r)
		if err != nil {
			return dbError{err}
		}
		for k, v := range []string{r.ID, r.Agent, r.Session, string(r.Category), r.Target, r.Key, string(r.State), r.Digest, string(body)} {
			texts[k] = append(texts[k], v)
		}
		for k, v := range []int64{r.Created.UnixMilli(), r.Expires.UnixMilli(), r.Lease.Milliseconds(), b.now.UnixMilli()} {
			numbers[k] = append(numbers[k], v)
		}
		byID[r.ID] = r
		if err := b.event("request", r.ID, r.Agent, summary(r)); err != nil {
			return err
		}
	}
	if len(byID) == 0 {
		return nil
	}
	var args []any
	for _, t := range texts {
		args = append(args, t)
	}
	for _, n := range numbers {
		args = append(args, n)
	}
	b.wrote = true
	b.left = append(b.left, statement{text: b.s.sql("INSERT INTO request (id, agent, session, category, target, idem, state, digest, body, created, expires, lease, seen, seq)" +
		" SELECT *, nextval('request_number') FROM unnest(CAST(? AS TEXT[])" + strings.Repeat(", CAST(? AS TEXT[])", len(texts)-1) +
		strings.Repeat(", CAST(? AS BIGINT[])", len(numbers)) + ") RETURNING id, seq"), args: args,
		read: func(rows pgx.Rows) error {
			var id string
			var seq int64
			err := rows.Scan(&id, &seq)
			if r := byID[id]; r != nil {
				r.Seq = seq
			}
			return err
		}})
	if all {
		return nil
	}
	return b.send()
}

// full is the error for an agent with too many pending requests.
func full(n int) error { return fmt.Errorf("%w: %d wait for an answer", approval.ErrFull, n) }

// forUpdate locks the selected rows until the commit.
func (b *batch) forUpdate() string {
	if b.s.postgres {
		return " FOR UPDATE"
	}
	return ""
}

// summary is the part of a request in an event: enough to show what happened, without the contents
// of files.
func summary(r *approval.Request) any {
	return struct {
		Category approval.Category `json:"category"`
		Agent    string            `json:"agent,omitempty"`
		Session  string            `json:"session,omitempty"`
		Action   string            `json:"action"`
		Digest   string            `json:"digest"`
		State    approval.State    `json:"status"`
		By       string            `json:"resolvedBy,omitempty"`
		Operator string            `json:"operator,omitempty"`
		Scope    approval.Scope    `json:"scope,omitempty"`
		Rule     string            `json:"rule,omitempty"`
		Note     string            `json:"note,omitempty"`
	}{r.Category, r.Agent, r.Session, redact.Command(r.Action), r.Digest, r.State, r.ResolvedBy, r.Operator, r.Scope, r.Rule, r.Note}
}

func (b *batch) save(r *approval.Request, kind, who string) error {
	body, err := json.Marshal(r)
	if err != nil {
		return dbError{err}
	}
	if err := b.exec("UPDATE request SET state = ?, body = ? WHERE id = ?", string(r.State), string(body), r.ID); err != nil {
		return err
	}
	return b.event(kind, r.ID, who, summary(r))
}

// Answer implements approval.Store.
func (s *Store) Answer(ctx context.Context, a approval.Answer) (r approval.Request, err error) {
	err = s.change(ctx, func(b *batch) (err error) {
		r, err = b.answer(a)
		return err
	})
	return r, err
}

// Answer settles a request as approval.Store does. Other writes of the transaction are committed
// with the answer.
func (t *Tx) Answer(a approval.Answer) (approval.Request, error) { return t.b.answer(a) }

func (b *batch) answer(a approval.Answer) (r approval.Request, err error) {
	if r, err = b.get(a.ID); err != nil {
		return r, err
	}
	switch {
	case r.State == approval.Pending && !b.now.Before(r.Expires):
		r.State, r.Note, r.Resolved, r.ResolvedBy = approval.Expired, noAnswer, b.now, approval.ByAuto
		if err := b.save(&r, "resolve", ""); err != nil {
			return r, err
		}
		fallthrough
	case r.State.Final():
		return r, approval.ErrSettled
	case a.Digest != r.Digest:
		return r, approval.ErrChanged
	}
	if a.Approve && r.Needs > 1 {
		if a.Operator == "" { // a rule is not a person, so two rules do not count as two people
			return r, approval.ErrPeople
		}
		if slices.ContainsFunc(r.Votes, func(v approval.Vote) bool {
			return strings.EqualFold(v.Operator, a.Operator) || a.Person != "" && v.Person == a.Person
		}) {
			return r, approval.ErrDuplicate
		}
		r.Votes = append(r.Votes, approval.Vote{Operator: a.Operator, Person: a.Person, At: b.now})
		if len(r.Votes) < r.Needs {
			return r, b.save(&r, "vote", a.Operator)
		}
	}
	r.State = approval.Denied
	if a.Approve {
		r.State = approval.Approved
	}
	r.Resolved, r.ResolvedBy, r.Operator, r.Scope, r.Rule, r.Note = b.now, a.By, a.Operator, a.Scope, a.Rule, a.Note
	return r, b.save(&r, "resolve", a.Operator)
}

// End implements approval.Store.
func (s *Store) End(ctx context.Context, id string, state approval.State, note string) (r approval.Request, err error) {
	err = s.change(ctx, func(b *batch) (err error) {
		if r, err = b.get(id); err != nil {
			return err
		}
		if r.State.Final() {
			return approval.ErrSettled
		}
		r.State, r.Resolved, r.ResolvedBy, r.Note = state, b.now, approval.ByAuto, note
		return b.save(&r, "resolve", "")
	})
	return r, err
}

// noAnswer is the note of an expired request.
const noAnswer = "no one answered in time"

// maxExpire limits the requests that one transaction ends.
const maxExpire = 500

// Expire implements approval.Store. It uses the database's clock if there is one.
func (s *Store) Expire(ctx context.Context, now, since time.Time) (ended []approval.Request, err error) {
	const late = "state = 'pending' AND (expires <= ? OR lease > 0 AND seen + lease <= ? AND ? + lease <= ?)"
	// Read first: usually there is nothing to write.
	look, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	var n int
	at := now.UnixMilli()
	if err := s.db.QueryRowContext(look, s.sql("SELECT count(*) FROM request WHERE "+late), at, at, since.UnixMilli(), at).Scan(&n); err != nil || n == 0 {
		return nil, unavailable(err)
	}
	err = s.change(ctx, func(b *batch) error {
		if !s.postgres {
			b.now = now
		}
		ended = nil
		skip := b.forUpdate()
		if s.postgres { // another gateway handles those, or a person is answering
			skip += " SKIP LOCKED"
		}
		// This gateway's clock determines how long it could renew leases.
		found, err := b.all(late+" ORDER BY id LIMIT "+strconv.Itoa(maxExpire)+skip, b.now.UnixMilli(), b.now.UnixMilli(), since.UnixMilli(), at)
		if err != nil {
			return err
		}
		for _, r := range found {
			r.State, r.Note = approval.Expired, noAnswer
			if b.now.UnixMilli() < r.Expires.UnixMilli() {
				r.State, r.Note = approval.Cancelled, "no one waits for the answer any more"
			}
			r.Resolved, r.ResolvedBy = b.now, approval.ByAuto
			if err := b.save(&r, "resolve", ""); err != nil {
				return err
			}
			ended = append(ended, r)
		}
		return nil
	})
	return ended, err
}

// Renew implements approval.Store.
func (s *Store) Renew(ctx context.Context, id string) error {
	return s.change(ctx, func(b *batch) error {
		return b.exec("UPDATE request SET seen = ? WHERE id = ? AND state = 'pending'", b.now.UnixMilli(), id)
	})
}

// querier is a transaction or the database.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func (s *Store) query(ctx context.Context, q querier, where string, args ...any) (out []approval.Request, err error) {
	rows, err := q.QueryContext(ctx, s.sql("SELECT seq, body FROM request WHERE "+where), args...)
	if err != nil {
		return nil, dbError{err}
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var body []byte
		var r approval.Request
		var seq int64
		if err := rows.Scan(&seq, &body); err != nil {
			return nil, dbError{err}
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return nil, dbError{err}
		}
		r.Seq = seq
		out = append(out, r)
	}
	if err := rows.Err(); err != nil {
		return nil, dbError{err}
	}
	return out, nil
}

// look runs a query outside a transaction, with a time limit.
func (s *Store) look(ctx context.Context, where string, args ...any) ([]approval.Request, error) {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	out, err := s.query(ctx, s.db, where, args...)
	return out, unavailable(err)
}

func (b *batch) all(where string, args ...any) ([]approval.Request, error) {
	return b.s.query(b.ctx, b.tx, where, args...)
}

func (b *batch) find(where string, args ...any) (approval.Request, error) {
	return one(b.s.query(b.ctx, b.tx, where, args...))
}

func (b *batch) get(id string) (approval.Request, error) {
	where, arg := byName(id)
	return b.find(where+b.forUpdate(), arg)
}

func one(list []approval.Request, err error) (approval.Request, error) {
	switch {
	case err != nil:
		return approval.Request{}, err
	case len(list) == 0:
		return approval.Request{}, approval.ErrNone
	}
	return list[0], nil
}

// byName returns the condition that selects a request by ID or number.
func byName(id string) (where string, arg any) {
	if text, ok := strings.CutPrefix(id, "req-"); ok {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return "seq = ?", n
		}
	}
	return "id = ?", id
}

// Get implements approval.Store.
func (s *Store) Get(ctx context.Context, id string) (approval.Request, error) {
	if !keepable(id) {
		return approval.Request{}, approval.ErrNone
	}
	where, arg := byName(id)
	return one(s.look(ctx, where, arg))
}

// keepable reports whether a text can be stored: PostgreSQL rejects a statement with an invalid
// text, which would look like a failure of the database.
func keepable(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }

// ByKey returns the request with a requester's key, or approval.ErrNone. An empty key matches
// nothing.
func (s *Store) ByKey(ctx context.Context, agent, key string) (approval.Request, error) {
	if key == "" || !keepable(key) {
		return approval.Request{}, approval.ErrNone
	}
	return one(s.look(ctx, "agent = ? AND idem = ?", agent, key))
}

// maxList limits the number of listed requests.
const maxList = 10_000

// List implements approval.Store.
func (s *Store) List(ctx context.Context, f approval.Filter) ([]approval.Request, error) {
	if !keepable(string(f.Category) + f.Agent + f.Session + f.Before + f.After) {
		return nil, nil
	}
	where, args := []string{"id <> ''"}, []any(nil)
	from := "request"
	switch {
	case len(f.States) == 1 && f.States[0] == approval.Pending:
		where[0], from = "state = 'pending'", s.waiting()
	case len(f.States) > 0:
		marks := strings.TrimSuffix(strings.Repeat("?,", len(f.States)), ",")
		where = append(where, "state IN ("+marks+")")
		for _, st := range f.States {
			args = append(args, string(st))
		}
	}
	for _, c := range []struct{ column, value string }{{"category", string(f.Category)}, {"agent", f.Agent}, {"session", f.Session}} {
		if c.value != "" {
			where, args = append(where, c.column+" = ?"), append(args, c.value)
		}
	}
	if f.Without != "" {
		where, args = append(where, "NOT EXISTS (SELECT 1 FROM record WHERE kind = ? AND record.id = request.id)"), append(args, f.Without)
	}
	order := " ORDER BY id DESC"
	if f.Oldest {
		order = " ORDER BY id"
	}
	if f.Before != "" {
		where, args = append(where, "id < ?"), append(args, f.Before)
	}
	if f.After != "" {
		where, args = append(where, "id > ?"), append(args, f.After)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = 100
	}
	if f.Fair {
		turns := ""
		if f.Turns > 0 {
			turns = " WHERE turn <= " + strconv.Itoa(f.Turns)
		}
		list, err := s.look(ctx, "id IN (SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY agent ORDER BY id) AS turn FROM "+from+" WHERE "+strings.Join(where, " AND ")+
			") AS queue"+turns+" ORDER BY turn, id LIMIT "+strconv.Itoa(min(limit, maxList))+" OFFSET "+strconv.Itoa(max(f.Skip, 0))+") ORDER BY id", args...)
		return inTurn(list), err
	}
	return s.look(ctx, strings.Join(where, " AND ")+order+" LIMIT "+strconv.Itoa(min(limit, maxList)), args...)
}

// waiting is the table in a query with the literal condition state = 'pending'. SQLite would read
// each request completely: the index of pending requests has all columns that order the queue.
func (s *Store) waiting() string {
	if s.postgres {
		return "request"
	}
	return "request INDEXED BY request_waiting"
}

// inTurn orders requests, given in order of arrival, so that each agent's first comes before any
// agent's second.
func inTurn(list []approval.Request) []approval.Request {
	turns, turn := map[string]int{}, map[string]int{}
	for _, r := range list {
		turn[r.ID] = turns[r.Agent]
		turns[r.Agent]++
	}
	slices.SortStableFunc(list, func(a, b approval.Request) int { return turn[a.ID] - turn[b.ID] })
	return list
}
