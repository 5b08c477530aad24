package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/store"
)

const recordPage = 100

type recordData struct {
	List     []eventView
	Q, Kind  string
	Request  string
	Kinds    []string
	Next     string
	Export   string
	First    bool // the list begins with the newest event, so that the script can add new ones
	Verified *verified
}

// verified is the result of a verification of the record and the audit log.
type verified struct {
	Events  int64
	Problem string // "" if the record is intact
	Log     uint64 // events of the audit log
	LogBad  string
	Took    time.Duration
}

var eventKinds = []string{"request", "vote", "resolve", "execute", "result", "stop", "rules", "token", "login", "session", "prune"}

func (p *Pages) record(w http.ResponseWriter, r *http.Request, v *visit) error {
	return p.showRecord(w, r, v, nil)
}

func (p *Pages) showRecord(w http.ResponseWriter, r *http.Request, v *visit, found *verified) (err error) {
	if v.Seq, err = p.s.Head(r.Context()); err != nil {
		return err
	}
	q := r.URL.Query()
	d := recordData{Q: q.Get("q"), Kind: q.Get("kind"), Request: q.Get("request"), Kinds: eventKinds, Verified: found}
	before, _ := strconv.ParseInt(q.Get("before"), 10, 64) // an invalid number means the newest
	d.First = before <= 0 && d.Q == "" && d.Kind == "" && d.Request == ""
	events, next, err := p.s.FindEvents(r.Context(), store.EventFilter{Before: before, Kind: d.Kind, Request: d.Request, Text: d.Q, Limit: recordPage})
	if err != nil {
		return err
	}
	for _, e := range events {
		d.List = append(d.List, newEventView(e))
	}
	link := func(path string, more ...string) string {
		to := url.Values{}
		for _, kv := range [][2]string{{"q", d.Q}, {"kind", d.Kind}, {"request", d.Request}} {
			if kv[1] != "" {
				to.Set(kv[0], kv[1])
			}
		}
		for i := 0; i < len(more); i += 2 {
			to.Set(more[i], more[i+1])
		}
		if len(to) == 0 {
			return path
		}
		return path + "?" + to.Encode()
	}
	if d.Export = link("/record/export"); next > 0 {
		d.Next = link("/record", "before", strconv.FormatInt(next, 10))
	}
	return p.page(w, r, v, "record.html", "Record", &d)
}

// verify verifies the chains of the record. It reads the whole record, so it needs a form: a link
// could be followed by accident.
func (p *Pages) verify(w http.ResponseWriter, r *http.Request, v *visit) (err error) {
	leave, err := p.acquireHeavy(r.Context())
	if err != nil {
		return err
	}
	defer leave()
	begun := time.Now()
	var found verified
	if found.Events, err = p.g.VerifyRecord(r.Context()); err != nil {
		if r.Context().Err() != nil || errors.Is(err, approval.ErrUnavailable) { // a record that cannot be read is not a damaged one
			return err
		}
		found.Problem = err.Error()
	}
	if found.Log, err = p.g.VerifyAudit(); err != nil {
		found.LogBad = err.Error()
	}
	found.Took = time.Since(begun).Round(time.Millisecond)
	v.Path = "/record"
	return p.showRecord(w, r, v, &found)
}

// export sends the events of a search as JSON, one per line. Without a search it sends all events,
// oldest first. Such an export can be verified: each line has its hash and that of the previous
// line.
func (p *Pages) export(w http.ResponseWriter, r *http.Request, _ *visit) error {
	q := r.URL.Query()
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Content-Disposition", `attachment; filename="umpire-record.jsonl"`)
	out := json.NewEncoder(w)
	if q.Get("q") == "" && q.Get("kind") == "" && q.Get("request") == "" {
		for after := int64(0); ; {
			events, err := p.s.Events(r.Context(), after, 1000)
			if err != nil {
				return p.cut(err)
			}
			if len(events) == 0 {
				return nil
			}
			for _, e := range events {
				if err := out.Encode(e); err != nil {
					return nil //nolint:nilerr // the client has gone
				}
				after = e.Seq
			}
		}
	}
	f := store.EventFilter{Kind: q.Get("kind"), Request: q.Get("request"), Text: q.Get("q"), Limit: 1000}
	for {
		events, next, err := p.s.FindEvents(r.Context(), f)
		if err != nil {
			return p.cut(err)
		}
		for _, e := range events {
			if err := out.Encode(e); err != nil {
				return nil //nolint:nilerr // as above
			}
		}
		if f.Before = next; next == 0 {
			return nil
		}
	}
}

// cut aborts a response that has begun, so that no client takes it for a complete one.
func (p *Pages) cut(err error) error {
	p.log.Warn("an export was interrupted", "error", err)
	panic(http.ErrAbortHandler)
}
