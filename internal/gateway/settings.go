package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/approval"
	"github.com/umpire-dev/umpire/internal/egress"
	"github.com/umpire-dev/umpire/internal/host"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/store"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/policy"
)

// The settings that agents can propose. Approved values are stored beside the rules, for all
// gateways on the store. The gateway never rewrites a user's file.
const (
	endpointsSetting = "allowedEndpoints"
	allowSetting     = "rules.allow"
	denySetting      = "rules.deny"
	modePrefix       = "categories."
	modeSuffix       = ".mode"

	settingRecord = "setting"
	maxSettings   = 500 // limit of entries in a list
)

// Setting is a setting that a person approved. It overrides the user's files.
type Setting struct {
	Path  string          `json:"path"`
	Value json.RawMessage `json:"value"`
	By    string          `json:"by,omitempty"`
	From  string          `json:"from"` // ID of the request
	At    time.Time       `json:"at"`
}

// modeCategory returns the category whose mode a path names.
func modeCategory(path string) (approval.Category, bool) {
	name, ok := strings.CutPrefix(path, modePrefix)
	name, ends := strings.CutSuffix(name, modeSuffix)
	return approval.Category(name), ok && ends && approval.Category(name).Known()
}

// SettingPlan changes a setting of the gateway.
type SettingPlan struct {
	Setting string          `json:"setting,omitempty"`
	Value   json.RawMessage `json:"value,omitempty"`
	Was     json.RawMessage `json:"was,omitempty"` // the old value; an approved change without it is not applied
}

type proposal struct {
	Path   string          `json:"path"`
	Value  json.RawMessage `json:"value"`
	Reason string          `json:"reason"`
}

func readSetting(s *Submission) (Plan, error) {
	m, err := metadata[struct {
		Proposal *proposal `json:"proposal"`
		extra
	}](s)
	if err != nil {
		return nil, err
	}
	if m.Proposal == nil || m.Proposal.Path == "" || len(m.Proposal.Value) == 0 {
		return nil, bad("a configuration change needs a path and a value")
	}
	return newSetting(m.Proposal.Path, m.Proposal.Value)
}

// newSetting parses a proposal. It accepts only known paths with values of their type, and
// normalizes the value. People see the normalized value, and the gateway applies it.
func newSetting(path string, raw json.RawMessage) (*SettingPlan, error) {
	var value any
	c, isMode := modeCategory(path)
	switch {
	case isMode && hardened(c):
		return nil, bad("a person decides on every request of %s: its mode is approve-each and cannot be changed", c)
	case isMode:
		var name string
		if err := json.Unmarshal(raw, &name); err != nil {
			return nil, bad("%s must be the name of a mode", path)
		}
		m, err := policy.ParseMode(name)
		if err != nil {
			return nil, bad("%v", err)
		}
		value = m.String()
	case path == endpointsSetting, path == allowSetting, path == denySetting:
		list, err := settingList(path, raw)
		if err != nil {
			return nil, err
		}
		value = list
	default:
		return nil, bad("%q is not a setting that you can change here: use categories.NAME.mode, with network, filesystem or git, or allowedEndpoints, rules.allow or rules.deny", visible.Clip(path, 100))
	}
	b, err := json.Marshal(value)
	return &SettingPlan{Setting: path, Value: b}, err
}

func (e *SettingPlan) category() approval.Category { return approval.Sandbox }

func (e *SettingPlan) title() string { return "config change: " + e.Setting }

func (e *SettingPlan) action(root string) *umpire.Action {
	return local(root, "umpire_config_change", map[string]any{"path": ""})
}

func (e *SettingPlan) operations(*umpire.Action, operation.Env) []umpire.Operation {
	return []umpire.Operation{{Kind: umpire.Sandbox, Resource: e.title()}}
}

func (e *SettingPlan) oneByOne() string { return "answer changes of the configuration one by one" }

func (e *SettingPlan) runs() bool { return len(e.Was) > 0 }

func (e *SettingPlan) again() bool { return true }

func (e *SettingPlan) here(context.Context, *Gateway) bool { return true }

func (e *SettingPlan) carryOut(ctx context.Context, g *Gateway, r *approval.Request) (status string, result host.CommandResult) {
	result.ExitCode = host.ExitNotStarted
	status, result.Stderr = g.applySetting(ctx, r, e)
	return status, result
}

// settingList parses a list of hosts or of rules.
func settingList(path string, raw json.RawMessage) ([]string, error) {
	var in []string
	if err := json.Unmarshal(raw, &in); err != nil || in == nil {
		return nil, bad("%s must be a list of strings", path)
	}
	if len(in) > maxSettings {
		return nil, bad("%s takes at most %d entries", path, maxSettings)
	}
	out := []string{}
	for _, text := range in {
		if path == endpointsSetting {
			rest, below := strings.CutPrefix(text, "*.")
			host, err := egress.Host(rest)
			if err != nil {
				return nil, bad("%s: %v", path, err)
			}
			if text = host; below {
				text = "*." + host
			}
		} else {
			r := Rule{Effect: strings.TrimPrefix(path, "rules."), Text: text}
			if err := checkRule(&r); err != nil {
				return nil, err
			}
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out, nil
}

// bind binds a proposal to the value that it replaces, and returns the difference for people. It
// rejects a proposal that would change the machine's policy.
func (e *SettingPlan) bind(ctx context.Context, g *Gateway) (diff string, err error) {
	if err := g.lockedSetting(e); err != nil {
		return "", err
	}
	if e.Was, err = g.settingNow(ctx, e.Setting); err != nil {
		return "", err
	}
	if bytes.Equal(e.Was, e.Value) {
		return "", fault{http.StatusConflict, e.Setting + " has that value already"}
	}
	was, becomes := entries(e.Was), entries(e.Value)
	if strings.HasPrefix(e.Setting, "rules.") {
		if err := g.matchesSome(becomes); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	b.WriteString(e.Setting + "\n")
	for _, s := range was {
		sign := "- "
		if slices.Contains(becomes, s) {
			sign = "  "
		}
		b.WriteString(sign + visible.Line(s) + "\n")
	}
	for _, s := range becomes {
		if !slices.Contains(was, s) {
			name, below := strings.CutPrefix(s, "*.")
			if suffix, _ := publicsuffix.PublicSuffix(name); e.Setting == endpointsSetting && (below && suffix == name || place.Parse(name).Class&place.Metadata != 0) {
				return "", bad("%s: %s is a domain in which anyone can have a site, or gives out a machine's credentials", e.Setting, s)
			}
			b.WriteString("+ " + visible.Line(s) + "\n")
		}
	}
	return b.String(), nil
}

// entries returns the texts of a list, or a single text as a list of one.
func entries(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var one string
	_ = json.Unmarshal(raw, &one) // newSetting encoded it: it is a list or a text
	return []string{one}
}

// lockedSetting returns an error if the machine's policy sets what a proposal would change.
func (g *Gateway) lockedSetting(e *SettingPlan) error {
	loaded := g.current().loaded
	for _, f := range loaded.Files {
		if f.Layer != policy.Managed {
			continue
		}
		if c, ok := modeCategory(e.Setting); ok {
			for _, k := range modeKinds(c) {
				if _, set := f.Modes[k]; set {
					return bad("the machine's policy sets the mode of %s: it is changed in %s", c, f.Path)
				}
			}
		}
		if e.Setting != endpointsSetting {
			continue
		}
		for _, h := range f.AllowedEndpoints {
			if !slices.Contains(entries(e.Value), h.Text) {
				return bad("the machine's policy allows %s: name it as well, or change %s", h.Text, f.Path)
			}
		}
	}
	return nil
}

// modeKinds returns the kinds of operations that the mode of a category applies to.
func modeKinds(c approval.Category) []umpire.Kind {
	kind, _ := umpire.ParseKind(string(c)) // every category is a kind
	if kind == umpire.Filesystem {
		return []umpire.Kind{umpire.Filesystem, umpire.Write}
	}
	return []umpire.Kind{kind}
}

// settingNow returns the value in force.
func (g *Gateway) settingNow(ctx context.Context, path string) (json.RawMessage, error) {
	rec, err := g.store.Record(ctx, settingRecord, path)
	if err != nil && !errors.Is(err, store.ErrNoRecord) {
		return nil, err
	}
	if path == allowSetting || path == denySetting {
		body, err := g.rulesBody(ctx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(body[strings.TrimPrefix(path, "rules.")])
	}
	return g.settingWith(path, rec.Body)
}

// settingWith returns the value of a path from a record, or from the files if there is no record.
func (g *Gateway) settingWith(path string, body json.RawMessage) (json.RawMessage, error) {
	if body != nil {
		var s Setting
		err := json.Unmarshal(body, &s)
		return s.Value, err
	}
	loaded := g.current().loaded
	if c, ok := modeCategory(path); ok {
		return json.Marshal(modeName(loaded.Source.Modes, c))
	}
	hosts := []string{}
	for _, e := range loaded.Source.AllowedEndpoints {
		if !slices.Contains(hosts, e.Host) {
			hosts = append(hosts, e.Host)
		}
	}
	return json.Marshal(hosts)
}

func modeName(modes map[umpire.Kind]policy.Mode, c approval.Category) string {
	mode := policy.ModeUnset
	for _, k := range modeKinds(c) { // the narrower kind comes last and wins
		if m := modes[k]; m != policy.ModeUnset {
			mode = m
		}
	}
	if mode == policy.ModeUnset || hardened(c) {
		return "approve-each"
	}
	return mode.String()
}

// Settings lists the approved settings that override files.
func (g *Gateway) Settings(ctx context.Context) ([]Setting, error) {
	records, err := g.store.Records(ctx, settingRecord)
	out := []Setting{}
	for _, rec := range records {
		var s Setting
		if err := json.Unmarshal(rec.Body, &s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, err
}

// layer applies approved settings over those of the user's files. It keeps the settings of the
// machine's policy, and stricter settings of a project.
func layer(src *policy.Source, loaded *policyfile.Loaded, settings []Setting) error {
	for _, s := range settings {
		if _, err := newSetting(s.Path, s.Value); err != nil {
			return err
		}
		if c, ok := modeCategory(s.Path); ok {
			m, err := policy.ParseMode(entries(s.Value)[0])
			if err != nil {
				return err
			}
			modes := map[umpire.Kind]policy.Mode{}
			// copy: the loaded source must not change
			maps.Copy(modes, src.Modes)
			for _, k := range modeKinds(c) {
				modes[k] = m
			}
			for _, f := range loaded.Files {
				for _, k := range modeKinds(c) {
					if v, set := f.Modes[k]; set && (f.Layer == policy.Managed || f.Layer == policy.Project && stricter(v, modes[k])) {
						modes[k] = v
					}
				}
			}
			src.Modes = modes
			continue
		}
		var hosts []policy.Endpoint
		for _, h := range src.AllowedEndpoints {
			if h.Layer == policy.Managed {
				hosts = append(hosts, h)
			}
		}
		for _, h := range entries(s.Value) {
			if !slices.ContainsFunc(hosts, func(e policy.Endpoint) bool { return e.Host == h }) {
				hosts = append(hosts, policy.Endpoint{Host: h, Layer: policy.User})
			}
		}
		src.AllowedEndpoints = hosts
	}
	return nil
}

func stricter(a, b policy.Mode) bool {
	rank := func(m policy.Mode) int {
		switch m {
		case policy.DenyAll:
			return 2
		case policy.AllowAll:
			return 0
		}
		return 1
	}
	return rank(a) > rank(b)
}

// errStale means that a setting is no longer the one that people saw.
var errStale = errors.New("the setting changed in the meantime: nothing was applied")

// checkUnchanged returns errStale if the setting is no longer the one that people saw.
func (e *SettingPlan) checkUnchanged(ctx context.Context, g *Gateway) error {
	if len(e.Was) == 0 {
		return nil
	}
	again, err := newSetting(e.Setting, e.Value)
	if err != nil {
		return err
	}
	if !bytes.Equal(again.Value, e.Value) {
		return errStale
	}
	if err := g.lockedSetting(e); err != nil {
		return err
	}
	now, err := g.settingNow(ctx, e.Setting)
	if err == nil && !bytes.Equal(now, e.Was) {
		err = errStale
	}
	return err
}

// applySetting applies an approved proposal and records that in its execution, in one transaction.
// So the change happens once, even if a gateway dies on the way.
func (g *Gateway) applySetting(ctx context.Context, r *approval.Request, e *SettingPlan) (status, problem string) {
	x, err := g.execution(ctx, r.ID)
	if err == nil && !x.Applied {
		err = g.changeSetting(ctx, r, e)
	}
	var in badInput
	switch {
	case errors.Is(err, errStale), errors.As(err, &in):
		return "conflict", err.Error()
	case err != nil && !errors.Is(err, errUnchanged):
		return "failed", agentError(err)
	}
	if err := g.reload(ctx); err != nil {
		g.log.Error("the policy has faults: the last good one stays in force", "error", err)
	}
	return "completed", ""
}

func (g *Gateway) changeSetting(ctx context.Context, r *approval.Request, e *SettingPlan) error {
	err := e.checkUnchanged(ctx, g)
	var files json.RawMessage
	if err == nil && !strings.HasPrefix(e.Setting, "rules.") {
		files, err = g.settingWith(e.Setting, nil)
	}
	if err == nil {
		err = g.store.Transact(ctx, func(t *store.Tx) error { return g.putSetting(t, r, e, files) })
	}
	return err
}

// putSetting stores the change in the transaction t. now is the value that the files have for the
// setting.
func (g *Gateway) putSetting(t *store.Tx, r *approval.Request, e *SettingPlan, now json.RawMessage) error {
	x, err := execution(t, r.ID)
	if err != nil {
		return err
	}
	if x.Node != g.node || x.Completed > 0 || x.Applied {
		return errUnchanged
	}
	puts := map[[2]string]json.RawMessage{}
	if effect, isRules := strings.CutPrefix(e.Setting, "rules."); isRules {
		was, becomes := entries(e.Was), entries(e.Value)
		for _, text := range was {
			id := ruleID(effect, text, "")
			if old, err := t.Get(ruleRecord, id); err != nil || old == nil {
				return errors.Join(err, errStale)
			}
			if !slices.Contains(becomes, text) {
				puts[[2]string{ruleRecord, id}] = nil
			}
		}
		for _, text := range becomes {
			if slices.Contains(was, text) {
				continue
			}
			rule := Rule{ID: ruleID(effect, text, ""), Effect: effect, Text: text, By: r.Operator, From: r.ID, Created: g.now().UTC().Truncate(time.Millisecond)}
			puts[[2]string{ruleRecord, rule.ID}] = encode(rule)
		}
	} else {
		old, err := t.Get(settingRecord, e.Setting)
		if err != nil {
			return err
		}
		if old != nil {
			if now, err = g.settingWith(e.Setting, old); err != nil {
				return err
			}
		}
		if !bytes.Equal(now, e.Was) {
			return errStale
		}
		body := encode(Setting{Path: e.Setting, Value: e.Value, By: r.Operator, From: r.ID, At: g.now().UTC().Truncate(time.Millisecond)})
		puts[[2]string{settingRecord, e.Setting}] = body
	}
	version, err := storedVersion(t)
	if err != nil {
		return err
	}
	puts[[2]string{versionRecord, ruleRecord}] = encode(version + 1)
	x.Applied = true
	note := map[string]string{"setting": e.Setting, "was": string(e.Was), "becomes": string(e.Value), "from": r.ID}
	var all error
	for key, body := range puts {
		all = errors.Join(all, t.Put(key[0], key[1], body))
	}
	return errors.Join(all, t.Event("rules", e.Setting, r.Operator, note), putExecution(t, r.ID, x))
}

// storedVersion returns the version of the stored rules and settings in a transaction.
func storedVersion(t *store.Tx) (n int64, err error) {
	body, err := t.Get(versionRecord, ruleRecord)
	if err == nil && body != nil {
		err = json.Unmarshal(body, &n)
	}
	return n, err
}

// ResetSetting removes an approved setting, so that the files determine it again. It reports
// whether the setting was stored.
func (g *Gateway) ResetSetting(ctx context.Context, path, by string) (was bool, err error) {
	return g.dropRules(ctx, settingRecord, path, by, map[string]string{"setting": path, "becomes": "as in the policy files"})
}

func (g *Gateway) deleteSetting(w http.ResponseWriter, r *http.Request, p Principal) (int, any, error) {
	var in struct {
		Path string `json:"path"`
	}
	if err := read(w, r, &in, false); err != nil {
		return 0, nil, err
	}
	was, err := g.ResetSetting(r.Context(), in.Path, p.Name)
	return http.StatusOK, map[string]bool{"removed": was}, err
}
