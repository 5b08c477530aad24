package guardserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/bounded"
)

// OutputResult is the result for a model's output.
type OutputResult struct {
	guard.Result
	Masks map[string]string `json:"masks,omitempty"` // the values behind the masks in the text, if requested
}

// Sanitized is the result for tool output.
type Sanitized struct {
	Verdict  guard.Verdict    `json:"verdict"`
	Text     string           `json:"text"`
	Marker   string           `json:"marker,omitempty"` // the random part of the markers around the text
	Reason   string           `json:"reason,omitempty"`
	Category guard.Category   `json:"category,omitempty"`
	Score    float64          `json:"score"`
	Tainted  bool             `json:"tainted"` // as in guard.Sanitized
	Findings []umpire.Finding `json:"findings,omitempty"`
}

// Batch is a list of texts.
type Batch struct {
	Items []BatchItem `json:"items"`
}

// BatchAnswer has the answers to a Batch in the same order.
type BatchAnswer struct {
	Items []BatchResult `json:"items"`
}

// BatchResult is the answer to one item: Sanitized for tool output, else Result.
type BatchResult struct {
	ID        ID            `json:"id,omitzero"`
	Result    *OutputResult `json:"result,omitempty"`
	Sanitized *Sanitized    `json:"sanitized,omitempty"`
}

// RuleTestRequest is a rule and the texts to test it on.
type RuleTestRequest struct {
	Rule    guard.Rule `json:"rule"`
	Samples []string   `json:"samples"`
}

// RuleTestAnswer has the result for each sample.
type RuleTestAnswer struct {
	Results []guard.RuleTest `json:"results"`
}

// Versions are the stored versions of the rules, oldest first.
type Versions struct {
	Versions []guard.RuleSet `json:"versions"`
}

// RollbackRequest names the version to make live again.
type RollbackRequest struct {
	Version int `json:"version"`
}

// Health is the state of the server.
type Health struct {
	Status string `json:"status"`
}

// table returns the routes of the API that the options enable.
func (s *Server) table() []route {
	t := []route{
		{"GET", "/healthz", "Report whether the server runs", nil, Health{}, 200, true, func(w http.ResponseWriter, _ *http.Request) error {
			return answer(w, http.StatusOK, Health{"ok"})
		}},
		{"GET", "/readyz", "Report whether the server takes requests; 503 while it shuts down", nil, Health{}, 200, true, func(w http.ResponseWriter, _ *http.Request) error {
			if s.draining.Load() {
				return problem(http.StatusServiceUnavailable, "the server is shutting down: use another")
			}
			return answer(w, http.StatusOK, Health{"ready"})
		}},
		{"GET", "/metrics", "Metrics for Prometheus", nil, nil, 200, false, func(w http.ResponseWriter, r *http.Request) error {
			s.o.Metrics.handler().ServeHTTP(w, r)
			return nil
		}},
		{"GET", "/openapi.json", "This document", nil, nil, 200, false, func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write(s.document) // fails only if the client has left
			return nil
		}},
		{"GET", "/v1/guard/config", "Show the configuration", nil, map[string]any{}, 200, false, func(w http.ResponseWriter, _ *http.Request) error {
			if s.o.Config == nil {
				return answer(w, http.StatusOK, struct{}{})
			}
			return answer(w, http.StatusOK, s.o.Config)
		}},
	}
	if s.o.Input != nil {
		t = append(t, route{"POST", "/v1/guard/input", "Check a text on its way to a model", InputRequest{}, guard.Result{}, 200, false, checks(s, s.input)})
	}
	if s.o.Output != nil {
		t = append(t, route{"POST", "/v1/guard/output", "Check a text that a model wrote", OutputRequest{}, OutputResult{}, 200, false, checks(s, s.output)})
	}
	if s.o.Sanitize != nil {
		t = append(t, route{"POST", "/v1/guard/tool-output", "Sanitize the output of a tool for a model", ToolRequest{}, Sanitized{}, 200, false, checks(s, s.sanitize)})
	}
	t = append(t, route{"POST", "/v1/guard/batch", "Check several texts, answered in their order", Batch{}, BatchAnswer{}, 200, false, s.batch})
	if s.o.Rules != nil {
		t = append(t, s.ruleTable()...)
	}
	return t
}

func (s *Server) ruleTable() []route {
	return []route{
		{"GET", "/v1/guard/rules", "The live version of the dynamic rules; its ETag goes into If-Match", nil, guard.RuleSet{}, 200, false, s.rules},
		{"POST", "/v1/guard/rules", "Add a rule", guard.Rule{}, guard.Rule{}, 201, false, s.addRule},
		{"POST", "/v1/guard/rules/test", "Try a rule on samples; nothing changes", RuleTestRequest{}, RuleTestAnswer{}, 200, false, s.testRule},
		{"GET", "/v1/guard/rules/versions", "The stored versions, oldest first", nil, Versions{}, 200, false, s.versions},
		{"POST", "/v1/guard/rules/rollback", "Make the rules of an older version live again, as a new version", RollbackRequest{}, guard.RuleSet{}, 200, false, s.rollback},
		{"GET", "/v1/guard/rules/{id}", "A rule", nil, guard.Rule{}, 200, false, s.rule},
		{"PUT", "/v1/guard/rules/{id}", "Replace a rule, or add it", guard.Rule{}, guard.Rule{}, 200, false, s.putRule},
		{"DELETE", "/v1/guard/rules/{id}", "Remove a rule", nil, nil, 204, false, s.deleteRule},
	}
}

// checks returns a handler that decodes a request, validates it, and answers with the result of
// do.
func checks[T, R any, P interface {
	*T
	check() error
}](s *Server, do func(context.Context, P) R) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		in := P(new(T))
		if err := decode(r, s.o.MaxBody, in); err != nil {
			return err
		}
		if err := in.check(); err != nil {
			return err
		}
		return answer(w, http.StatusOK, do(r.Context(), in))
	}
}

func (s *Server) input(ctx context.Context, in *InputRequest) guard.Result {
	return s.o.Input.Check(ctx, guard.Request{UserID: in.UserID, TenantID: tenant(ctx, in.TenantID), Channel: in.Channel, Text: *in.Text, Metadata: in.Metadata})
}

func (s *Server) output(ctx context.Context, in *OutputRequest) OutputResult {
	a := guard.Answer{UserID: in.UserID, TenantID: tenant(ctx, in.TenantID), System: in.System, Canary: in.Canary, Metadata: in.Metadata}
	if in.Reversible {
		a.Vault = guard.NewVault()
	}
	out := OutputResult{Result: s.o.Output.Check(ctx, *in.Text, a)}
	if in.Reversible && out.Verdict != guard.Rejected { // a rejected text is not returned, and neither are its values
		out.Masks = a.Vault.Masks()
	}
	return out
}

// sanitize fails closed: it rejects a text that it could not check.
func (s *Server) sanitize(ctx context.Context, in *ToolRequest) Sanitized {
	res, err := s.o.Sanitize(ctx, *in)
	if err != nil {
		why := guard.CauseOf(err)
		s.o.Log.ErrorContext(ctx, "the sanitizer failed", "error", why)
		return Sanitized{Verdict: guard.Rejected, Category: guard.SystemError, Reason: "the sanitizer failed, so the text was stopped: " + why}
	}
	return res
}

func (s *Server) batch(w http.ResponseWriter, r *http.Request) error {
	var in Batch
	if err := decode(r, s.o.MaxBody, &in); err != nil {
		return err
	}
	if len(in.Items) > s.o.MaxBatch {
		return problem(http.StatusRequestEntityTooLarge, "the batch has %d texts, but at most %d are allowed: send several batches", len(in.Items), s.o.MaxBatch)
	}
	requests := make([]any, len(in.Items))
	for i := range in.Items { // validate all items before the first one counts against a limit
		one, err := in.Items[i].request()
		if err == nil {
			requests[i], err = one, s.judges(one)
		}
		var p *Problem
		if errors.As(err, &p) {
			return problem(p.Status, "items[%d]: %s", i, p.Detail)
		}
		if err != nil {
			return err
		}
	}
	out := BatchAnswer{[]BatchResult{}}
	for i, one := range requests {
		res := BatchResult{ID: in.Items[i].ID}
		switch one := one.(type) {
		case *InputRequest:
			res.Result = &OutputResult{Result: s.input(r.Context(), one)}
		case *OutputRequest:
			v := s.output(r.Context(), one)
			res.Result = &v
		case *ToolRequest:
			v := s.sanitize(r.Context(), one)
			res.Sanitized = &v
		}
		out.Items = append(out.Items, res)
	}
	return answer(w, http.StatusOK, out)
}

// judges returns an error if the server does not judge such requests.
func (s *Server) judges(request any) error {
	kind, judged := ToolKind, s.o.Sanitize != nil
	switch request.(type) {
	case *InputRequest:
		kind, judged = inputKind, s.o.Input != nil
	case *OutputRequest:
		kind, judged = outputKind, s.o.Output != nil
	}
	if !judged {
		return problem(http.StatusBadRequest, "this server does not judge %s", kind)
	}
	return nil
}

// etag formats a version of the rules.
func etag(set guard.RuleSet) string { return fmt.Sprintf(`"v%d"`, set.Version) }

// filled encodes an empty list of rules as [] rather than null.
func filled(set guard.RuleSet) guard.RuleSet {
	if set.Rules == nil {
		set.Rules = []guard.Rule{}
	}
	return set
}

func list(header string) []string {
	var out []string
	for _, e := range strings.Split(header, ",") {
		if e = strings.TrimSpace(e); e != "" {
			out = append(out, e)
		}
	}
	return out
}

// base returns the version that a client has read, or a negative number if it names none.
func (s *Server) base(r *http.Request) (int, error) {
	tags := list(r.Header.Get("If-Match"))
	if len(tags) == 0 || slices.Equal(tags, []string{"*"}) {
		return -1, nil
	}
	if len(tags) == 1 {
		if v, ok := strings.CutPrefix(strings.Trim(tags[0], `"`), "v"); ok {
			if n, err := strconv.Atoi(v); err == nil && n >= 0 {
				return n, nil
			}
		}
	}
	return 0, problem(http.StatusBadRequest, "If-Match is not an ETag of the rules: take it from GET /v1/guard/rules")
}

// by returns the person who changes rules. A server with one token knows only the address.
func by(r *http.Request) string {
	if name := Caller(r.Context()); name != "" {
		return name
	}
	return "http " + r.RemoteAddr
}

// reserved lists the IDs that rules cannot have, because paths use them.
var reserved = []string{"test", "versions", "rollback"}

// badRule reports the fault of a rule to the client.
func badRule(err error) error {
	for _, ours := range []error{guard.ErrNoRule, guard.ErrNoVersion, guard.ErrStale} {
		if errors.Is(err, ours) {
			return err
		}
	}
	return problem(http.StatusUnprocessableEntity, "nothing was changed: %s", bounded.Clip(err.Error(), 500, "..."))
}

func (s *Server) rules(w http.ResponseWriter, r *http.Request) error {
	set := s.o.Rules.Current()
	w.Header().Set("ETag", etag(set))
	if slices.Contains(list(r.Header.Get("If-None-Match")), etag(set)) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return answer(w, http.StatusOK, filled(set))
}

func (s *Server) testRule(w http.ResponseWriter, r *http.Request) error {
	var in RuleTestRequest
	if err := decode(r, s.o.MaxBody, &in); err != nil {
		return err
	}
	res, err := s.o.Rules.Test(in.Rule, in.Samples)
	if err != nil {
		return badRule(err)
	}
	return answer(w, http.StatusOK, RuleTestAnswer{append([]guard.RuleTest{}, res...)})
}

func (s *Server) versions(w http.ResponseWriter, _ *http.Request) error {
	out := Versions{[]guard.RuleSet{}}
	for _, set := range s.o.Rules.History() {
		out.Versions = append(out.Versions, filled(set))
	}
	return answer(w, http.StatusOK, out)
}

func (s *Server) rollback(w http.ResponseWriter, r *http.Request) error {
	base, err := s.base(r)
	if err != nil {
		return err
	}
	var in RollbackRequest
	if err := decode(r, s.o.MaxBody, &in); err != nil {
		return err
	}
	set, err := s.o.Rules.Rollback(by(r), base, in.Version)
	if err != nil {
		return badRule(err)
	}
	w.Header().Set("ETag", etag(set))
	return answer(w, http.StatusOK, filled(set))
}

func (s *Server) rule(w http.ResponseWriter, r *http.Request) error {
	set := s.o.Rules.Current()
	i := slices.IndexFunc(set.Rules, func(x guard.Rule) bool { return x.ID == r.PathValue("id") })
	if i < 0 {
		return guard.ErrNoRule
	}
	w.Header().Set("ETag", etag(set))
	return answer(w, http.StatusOK, set.Rules[i])
}

func (s *Server) deleteRule(w http.ResponseWriter, r *http.Request) error {
	base, err := s.base(r)
	if err != nil {
		return err
	}
	set, err := s.o.Rules.Delete(by(r), base, r.PathValue("id"))
	if err != nil {
		return badRule(err)
	}
	w.Header().Set("ETag", etag(set))
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *Server) addRule(w http.ResponseWriter, r *http.Request) error {
	base, in, err := s.sentRule(r)
	if err != nil {
		return err
	}
	now := s.o.Rules.Current()
	if base < 0 {
		base = now.Version // two clients that add the same ID must not both succeed
	}
	if slices.ContainsFunc(now.Rules, func(x guard.Rule) bool { return x.ID == in.ID }) {
		return problem(http.StatusConflict, "a rule with this ID exists: use PUT to replace it")
	}
	w.Header().Set("Location", "/v1/guard/rules/"+in.ID)
	return s.put(w, r, base, in, http.StatusCreated)
}

func (s *Server) sentRule(r *http.Request) (base int, in guard.Rule, err error) {
	if base, err = s.base(r); err == nil {
		err = decode(r, s.o.MaxBody, &in)
	}
	return base, in, err
}

func (s *Server) putRule(w http.ResponseWriter, r *http.Request) error {
	base, in, err := s.sentRule(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	in.ID = cmp.Or(in.ID, id)
	if in.ID != id {
		return problem(http.StatusBadRequest, "the rule's ID differs from the path: remove it from the body, or use the same ID")
	}
	return s.put(w, r, base, in, http.StatusOK)
}

func (s *Server) put(w http.ResponseWriter, r *http.Request, base int, in guard.Rule, code int) error {
	if slices.Contains(reserved, in.ID) {
		w.Header().Del("Location")
		return problem(http.StatusUnprocessableEntity, "a rule cannot be named %q: choose another ID", in.ID)
	}
	set, err := s.o.Rules.Put(by(r), base, in)
	if err != nil {
		w.Header().Del("Location")
		return badRule(err)
	}
	w.Header().Set("ETag", etag(set))
	return answer(w, code, in)
}
