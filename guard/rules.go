package guard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/bounded"
)

// RuleSet is one version of the dynamic rules.
type RuleSet struct {
	Version int       `json:"version"` // increases by one with every change
	Time    time.Time `json:"time"`
	By      string    `json:"by,omitempty"`     // the person who made the change
	Change  string    `json:"change,omitempty"` // "put email", "delete email", "rollback to 3"
	Rules   []Rule    `json:"rules"`
}

// RuleStore stores the versions of dynamic rules, oldest first. Save must replace all of them or,
// on an error, none.
type RuleStore interface {
	Load() ([]RuleSet, error)
	Save([]RuleSet) error
}

// RuleTest is the effect of one rule on one sample. Text is the sample after the rule.
type RuleTest struct {
	Sample  string  `json:"sample"`
	Matches bool    `json:"matches"`
	Verdict Verdict `json:"verdict"`
	Text    string  `json:"text"`
}

const errZeroRules = Cause("the dynamic rules are a zero value: use NewRules")

// The errors that the methods of Rules return.
var (
	ErrNoRule    = errors.New("there is no such rule")
	ErrNoVersion = errors.New("there is no such version")
	ErrStale     = errors.New("the rules have changed since: read them again")
)

// Rules holds rules for answers that can change while the program runs. It compiles, tests and
// stores a change before it applies it: a rule that does not compile or fails its samples changes
// nothing. Rules is safe for concurrent use. NewRules makes it; the zero value rejects every
// answer.
type Rules struct {
	store RuleStore
	told  func(RuleSet)
	live  atomic.Pointer[rules]

	mu       sync.Mutex
	versions []RuleSet // the last is live
}

// maxVersions is the number of versions that are kept for a rollback.
const maxVersions = 100

// NewRules returns the rules of a store, or rules in memory if store is nil. If told is not nil, it
// is called with the new version after every change, such as for an audit log.
func NewRules(store RuleStore, told func(RuleSet)) (*Rules, error) {
	r := &Rules{store: store, told: told}
	if store != nil {
		v, err := store.Load()
		if err != nil {
			return nil, err
		}
		r.versions = v
	}
	if len(r.versions) == 0 {
		r.versions = []RuleSet{{Time: time.Now()}}
	}
	live, err := compileRules(r.current().Rules)
	if err != nil { // refuse to start: a part of the rules would look like all of them
		return nil, fmt.Errorf("the stored rules: %w", err)
	}
	r.live.Store(&live)
	return r, nil
}

// current returns the last version. It returns an empty version for a zero value.
func (r *Rules) current() *RuleSet {
	if len(r.versions) == 0 {
		return &RuleSet{}
	}
	return &r.versions[len(r.versions)-1]
}

// Current returns the live version.
func (r *Rules) Current() RuleSet {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.current().clone()
}

// History returns the stored versions, oldest first.
func (r *Rules) History() []RuleSet {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := make([]RuleSet, len(r.versions))
	for i := range out {
		out[i] = r.versions[i].clone()
	}
	return out
}

func (s RuleSet) clone() RuleSet {
	s.Rules = slices.Clone(s.Rules)
	return s
}

// Put adds a rule, or replaces the rule with the same ID. base is the version that the caller has
// read, or negative for any. If another version is live, the error is ErrStale. by names the person
// who makes the change.
func (r *Rules) Put(by string, base int, new Rule) (RuleSet, error) {
	if _, err := new.compile(); err != nil {
		return RuleSet{}, err
	}
	return r.change(by, base, "put "+new.ID, func(list []Rule) ([]Rule, error) {
		if i := slices.IndexFunc(list, func(x Rule) bool { return x.ID == new.ID }); i >= 0 {
			list[i] = new
			return list, nil
		}
		return append(list, new), nil
	})
}

// Delete removes a rule. The error is ErrNoRule if there is none with the ID, or as for Put.
func (r *Rules) Delete(by string, base int, id string) (RuleSet, error) {
	return r.change(by, base, "delete "+bounded.Clip(id, maxRuleID, "..."), func(list []Rule) ([]Rule, error) {
		i := slices.IndexFunc(list, func(x Rule) bool { return x.ID == id })
		if i < 0 {
			return nil, ErrNoRule
		}
		return slices.Delete(list, i, i+1), nil
	})
}

// Rollback makes the rules of an older version live again, as a new version. The error is
// ErrNoVersion if that version is not stored, or as for Put.
func (r *Rules) Rollback(by string, base, version int) (RuleSet, error) {
	return r.change(by, base, fmt.Sprintf("rollback to %d", version), func([]Rule) ([]Rule, error) {
		for _, v := range r.versions {
			if v.Version == version {
				return slices.Clone(v.Rules), nil
			}
		}
		return nil, ErrNoVersion
	})
}

func (r *Rules) change(by string, base int, what string, f func([]Rule) ([]Rule, error)) (RuleSet, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if base >= 0 && base != r.current().Version {
		return RuleSet{}, ErrStale
	}
	if r.live.Load() == nil {
		return RuleSet{}, errZeroRules
	}
	list, err := f(slices.Clone(r.current().Rules))
	if err != nil {
		return RuleSet{}, err
	}
	live, err := compileRules(list)
	if err != nil {
		return RuleSet{}, err
	}
	set := RuleSet{Version: r.current().Version + 1, Time: time.Now().UTC(), By: bounded.Clip(by, 200, "..."), Change: what, Rules: list}
	versions := append(slices.Clone(r.versions), set)
	if len(versions) > maxVersions {
		versions = versions[len(versions)-maxVersions:]
	}
	if r.store != nil {
		if err := r.store.Save(versions); err != nil {
			return RuleSet{}, fmt.Errorf("the rules are unchanged: %w", err)
		}
	}
	r.versions = versions
	r.live.Store(&live)
	if r.told != nil {
		r.told(set.clone())
	}
	return set.clone(), nil
}

// Test returns the effect of a rule on samples. It does not change the live rules.
func (r *Rules) Test(rule Rule, samples []string) ([]RuleTest, error) {
	if len(samples) > maxSamples {
		return nil, fmt.Errorf("%d samples, and %d are allowed", len(samples), maxSamples)
	}
	c, err := rule.compile()
	if err != nil {
		return nil, err
	}
	out := make([]RuleTest, len(samples))
	for i, s := range samples {
		res, err := rules{c}.check(s)
		if err != nil {
			return nil, err
		}
		out[i] = RuleTest{Sample: s, Matches: res.Verdict != Allowed, Verdict: res.Verdict, Text: res.Text}
		if res.Verdict == Allowed {
			out[i].Text = s
		}
	}
	return out, nil
}

// Stage returns the stage that applies the live rules to each check. A stream keeps the rules that
// were live at its start.
func (r *Rules) Stage() OutputStage {
	return OutputStage{
		ours: true,
		Name: "DynamicRules", Order: OrderDynamicRules, Quick: true, Reach: utf8.UTFMax,
		Check: func(_ context.Context, text string, _ *Answer) (Result, error) {
			live := r.live.Load()
			if live == nil {
				return Result{}, errZeroRules
			}
			return live.check(text)
		},
		scanner: func(*Answer) scanner {
			if live := r.live.Load(); live != nil {
				return *live
			}
			return nil // Check then reports the error
		},
	}
}

// FileRules is a RuleStore in one JSON file.
type FileRules struct{ Path string }

var _ RuleStore = FileRules{}

// maxRuleFile is the size limit, in bytes, of the file that Load reads.
const maxRuleFile = 64 << 20

// Load reads the file. It returns no versions if the file does not exist.
func (f FileRules) Load() ([]RuleSet, error) {
	info, err := os.Stat(f.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if info.Size() > maxRuleFile {
		return nil, fmt.Errorf("%s has %d bytes, and %d are allowed", f.Path, info.Size(), maxRuleFile)
	}
	b, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.DisallowUnknownFields()
	var v []RuleSet
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("%s: %w; restore a copy, or remove it to start without rules", f.Path, err)
	}
	return v, nil
}

// Save replaces the file in one step: after a crash it contains either the old versions or the new
// ones.
func (f FileRules) Save(v []RuleSet) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(f.Path, append(b, '\n'), 0o600)
}
