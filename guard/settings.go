package guard

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/internal/normal"
	"github.com/umpire-dev/umpire/internal/pii"
)

// The modes of a stage.
const (
	Enforce = "enforce" // reject and change texts; the default
	Observe = "observe" // only report the verdict
)

// StageConfig is an entry of the key stages of a Config.
type StageConfig struct {
	Mode      string  `json:"mode,omitempty"`      // Enforce or Observe; the mode of the Config if empty
	Threshold float64 `json:"threshold,omitempty"` // for injectionDetection: the score, 0 to 1, at which it rejects; 0.5 if zero
}

// Exception lets a text pass that a stage would reject. It must set Text, User, Tenant or Finding,
// and every field that it sets must match. It applies to the stages rateLimit and inputValidation
// only if it names them. Result.Observed lists the verdicts that it overrode.
type Exception struct {
	Stage   string `json:"stage,omitempty"`   // name of a stage, as in Config.Stages; empty means any
	Text    string `json:"text,omitempty"`    // the complete text; case and spaces do not matter
	User    string `json:"user,omitempty"`    // Request.UserID or Answer.UserID, or the name in Metadata[UserKey]
	Tenant  string `json:"tenant,omitempty"`  // Request.TenantID or Answer.TenantID
	Finding string `json:"finding,omitempty"` // the type of all findings, such as "injection/base64"
}

// Observed is a verdict that did not count, because the stage only observes or an Exception
// applies.
type Observed struct {
	Stage    string   `json:"stage"`
	Verdict  Verdict  `json:"verdict"` // the verdict that did not count
	Category Category `json:"category,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Excepted bool     `json:"excepted,omitempty"` // the cause is an Exception, not the mode
}

// stageKeys maps the names of stages to their names in a Config.
var stageKeys = map[string]string{
	stageNormalization: "unicodeNormalization", "RateLimit": "rateLimit", "InputValidation": "inputValidation", stageInjection: "injectionDetection",
	"Classification": "classification", "TopicDrift": "topicDrift", "SystemPromptLeakage": "systemPromptLeakage", "PIIMasking": "pii", "DynamicRules": "dynamicRules", "Patterns": "patterns",
}

var categories = []string{string(RateLimited), string(InvalidInput), string(PromptInjection), string(OffTopic), string(Unauthorized), string(SystemError), string(Leakage), string(Blocked)}

// stageSettings holds the settings of a Config for stages and messages.
type stageSettings struct {
	mode       string
	stages     map[string]StageConfig
	exceptions []Exception
	messages   map[string]map[string]string
	language   string // language of messages if the request shows none
}

// faults returns every fault of the settings, each with the path of its key.
func (k *stageSettings) faults() []error {
	var out []error
	mode := func(path, m string) {
		if m != "" && m != Enforce && m != Observe {
			out = append(out, fmt.Errorf("%s: unknown mode %q: use enforce or observe", path, m))
		}
	}
	known := slices.Sorted(maps.Values(stageKeys))
	mode("mode", k.mode)
	for _, name := range slices.Sorted(maps.Keys(k.stages)) {
		s := k.stages[name]
		if !slices.Contains(known, name) {
			out = append(out, fmt.Errorf("stages.%s: unknown stage: use one of %s", name, strings.Join(known, ", ")))
		}
		mode("stages."+name+".mode", s.Mode)
		switch {
		case s.Threshold < 0 || s.Threshold > 1:
			out = append(out, fmt.Errorf("stages.%s.threshold: %v is not between 0 and 1", name, s.Threshold))
		case s.Threshold != 0 && name != "injectionDetection":
			out = append(out, fmt.Errorf("stages.%s.threshold: this stage has no threshold: only injectionDetection has one here", name))
		}
	}
	for i, e := range k.exceptions {
		if e.Text == "" && e.User == "" && e.Tenant == "" && e.Finding == "" {
			out = append(out, fmt.Errorf("exceptions[%d]: it excepts everything: name a text, a user, a tenant or a finding", i))
		}
		if e.Stage != "" && !slices.Contains(known, e.Stage) {
			out = append(out, fmt.Errorf("exceptions[%d].stage: unknown stage %q: use one of %s", i, e.Stage, strings.Join(known, ", ")))
		}
		if e.Stage == "pii" || slices.Contains(slices.Concat(pii.Kinds, pii.Optional), pii.Kind(e.Finding)) {
			out = append(out, fmt.Errorf("exceptions[%d]: pii only masks, and an exception lets pass what is stopped: choose the kinds under pii, also for a tenant", i))
		}
	}
	subjects := append(BlockedCategories(), categories...)
	for _, name := range slices.Sorted(maps.Keys(k.messages)) {
		if near := nearest.Word(name, subjects); near != "" && !slices.Contains(subjects, name) { // other names may belong to a caller's stage
			out = append(out, fmt.Errorf("messages.%s: unknown category (did you mean %q?)", name, near))
		}
		for _, lang := range slices.Sorted(maps.Keys(k.messages[name])) {
			if strings.TrimSpace(k.messages[name][lang]) == "" {
				out = append(out, fmt.Errorf("messages.%s.%s: the message is empty", name, lang))
			}
		}
	}
	return out
}

func (k *stageSettings) observes(stage string) bool {
	m := cmp.Or(k.stages[stageKeys[stage]].Mode, k.mode)
	return m == Observe
}

// apply applies the mode of a stage and the exceptions to its result.
func (k *stageSettings) apply(stage string, res Result, err error, text func() string, user asker) (Result, error) {
	observes := k.observes(stage)
	if err != nil {
		if !observes {
			return res, err
		}
		res = failed(stage, err)
	}
	if res.Verdict == Allowed && !observes {
		return res, nil
	}
	excepted := res.Verdict == Rejected && err == nil && slices.ContainsFunc(k.exceptions, func(e Exception) bool {
		return e.covers(stage, res, text, user)
	})
	if !observes && !excepted {
		return res, nil
	}
	out := Result{Verdict: Allowed, Findings: res.Findings, Hints: res.Hints, Observed: res.Observed}
	if res.Verdict != Allowed {
		out.Observed = append(out.Observed, Observed{stage, res.Verdict, res.Category, res.Reason, excepted})
	}
	return out, nil
}

// UserKey is the Metadata key of the user's real name, for a UserID that hides it from events and
// logs. An Exception can match it.
const UserKey = "userName"

// asker identifies the user of a text.
type asker struct {
	id, tenant string
	meta       map[string]any
}

func (e *Exception) covers(stage string, res Result, text func() string, user asker) bool {
	limits := stage == "RateLimit" || stage == "InputValidation"
	switch {
	case e.Stage != "" && e.Stage != stageKeys[stage], e.Stage == "" && limits,
		e.User != "" && e.User != user.id && e.User != user.meta[UserKey], e.Tenant != "" && e.Tenant != user.tenant,
		e.Text != "" && squeezed(e.Text) != squeezed(text()):
		return false
	}
	return e.Finding == "" || len(res.Findings) > 0 && !slices.ContainsFunc(res.Findings, func(f umpire.Finding) bool { return f.Type != e.Finding })
}

// squeezed returns a text in its canonical form, in lower case and with single spaces.
func squeezed(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(normal.Canonical(s).Text)), " ")
}

// outlast returns a timeout that is longer than d, so that stageSettings.apply can still observe a stage
// that times out. A stage without a deadline keeps none.
func outlast(quick bool, d time.Duration) time.Duration {
	switch {
	case d <= 0 && quick:
		return 0
	case d <= 0:
		d = defaultTimeout
	}
	return d + time.Second
}

// input returns the stages with their modes and the exceptions applied.
func (k *stageSettings) input(stages []Stage) []Stage {
	out := slices.Clone(stages)
	for i := range out {
		s := out[i]
		out[i].Timeout = outlast(s.Quick, s.Timeout)
		out[i].Check = func(ctx context.Context, r *Request) (Result, error) {
			res, err := run(ctx, s.Quick, s.Timeout, func(ctx context.Context) (Result, error) { return s.Check(ctx, r) })
			return k.apply(s.Name, res, err, func() string { return r.Text }, asker{r.UserID, r.TenantID, r.Metadata})
		}
	}
	return out
}

// output returns the stages with their modes and the exceptions applied. A stage that observes, or
// that an exception may cover, needs the whole text.
func (k *stageSettings) output(stages []OutputStage) []OutputStage {
	out := slices.Clone(stages)
	for i := range out {
		s := out[i]
		if !k.observes(s.Name) && len(k.exceptions) == 0 {
			continue
		}
		out[i].scanner, out[i].Reach, out[i].Timeout = nil, 0, outlast(s.Quick, s.Timeout)
		out[i].Check = func(ctx context.Context, text string, a *Answer) (Result, error) {
			given := *a
			if k.observes(s.Name) {
				given.Vault = nil // nothing is masked
			}
			res, err := run(ctx, s.Quick, s.Timeout, func(ctx context.Context) (Result, error) { return s.Check(ctx, text, &given) })
			return k.apply(s.Name, res, err, func() string { return text }, asker{a.UserID, a.TenantID, a.Metadata})
		}
	}
	return out
}

// inNeed is the default message for a person who writes about self-harm.
const inNeed = "It sounds as if you are going through a hard time. You are not alone: please talk to someone you trust, " +
	"call your local emergency number if you are in danger, or find a free helpline at https://findahelpline.com."

// message returns the message of a rejection, or "". It tries the messages of the subject, such as
// self_harm, of the category and of "default", and in each the language, the configured language
// and "default".
func (k *stageSettings) message(subject string, c Category, language string) string {
	for _, name := range [...]string{subject, string(c), "default"} {
		by := k.messages[name]
		base, _, _ := strings.Cut(language, "-")
		own, _, _ := strings.Cut(k.language, "-")
		for _, l := range [...]string{language, base, k.language, own, "default"} {
			if m := by[l]; l != "" && m != "" {
				return m
			}
		}
		if name == "self_harm" {
			return inNeed
		}
	}
	return ""
}

// LanguageKey is the Metadata key of the language of a text, such as "de" or "pt-BR". It selects
// the message for a rejection. Without it, the script and the words of the text decide.
const LanguageKey = "language"

func languageOf(meta map[string]any, text string) string {
	if l, ok := meta[LanguageKey].(string); ok {
		return l
	}
	return normal.Language(text)
}
