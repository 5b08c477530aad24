package guardmodel

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/umpire-dev/umpire/guard"
	"github.com/umpire-dev/umpire/internal/model"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/wire"
)

// Classifier asks the operator's model service about texts. It masks secrets in them. It is safe
// for concurrent use.
type Classifier struct {
	config  guard.ClassifierConfig
	base    string
	client  *wire.Client
	breaker model.Breaker
	budget  *model.Budget
	id      string // ID of the service, for the breaker

	mu    sync.Mutex
	known map[[sha256.Size]byte]cachedScore
	now   func() time.Time // for tests
}

type cachedScore struct {
	guard.Opinion
	until time.Time
}

// Limits of a Classifier.
const (
	maxKept      = 4096 // cached opinions
	maxAnswer    = 1 << 20
	window       = 1200 // bytes of a text that text-classification models can process at once
	overlap      = 200  // bytes that two windows share
	minWindow    = 64   // a service that rejects even this as too long is broken
	maxWindows   = 128
	defaultCalls = 10_000
)

// NewClassifier returns the classifier of a configuration that FromConfig accepts. dir is the
// folder for failures and the budget; "" means none. Errors begin with the path of their key.
func NewClassifier(c guard.ClassifierConfig, dir string, getenv func(string) string) (*Classifier, error) {
	key := ""
	if name, ok := strings.CutPrefix(c.Key, "env:"); ok {
		var err error
		if key, err = (wire.Source{Var: name}).Key(context.Background(), getenv); err != nil {
			return nil, fmt.Errorf("classifier.key: %w", err)
		}
	}
	base, err := new(wire.Provider).Address(c.URL, key != "")
	if err != nil {
		return nil, fmt.Errorf("classifier.url: %w", err)
	}
	k := &Classifier{config: c, base: base, client: &wire.Client{Most: maxAnswer, Buffer: true}, breaker: model.Breaker{Dir: dir}, known: map[[sha256.Size]byte]cachedScore{}, now: time.Now}
	if key != "" {
		k.client.Key = wire.Plain(key)
	}
	if dir != "" {
		k.budget = &model.Budget{Path: dir + "/classifier-budget.json", Calls: cmp.Or(c.CallsPerDay, defaultCalls), Setting: "classifier"}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", c.Protocol, base, c.Model, key))
	k.id = "classifier-" + hex.EncodeToString(sum[:8])
	return k, nil
}

// errUnreachable means that the service has failed and is not called for a while.
var errUnreachable = guard.Cause("the classifier failed before; umpire pauses calls to it")

// Ask returns the model's opinion of a text.
func (c *Classifier) Ask(ctx context.Context, text string) (guard.Opinion, error) {
	if len(text) > maxText {
		return guard.Opinion{}, ErrTooLong
	}
	text = redact.String(text)
	timeout, age := c.config.Durations()
	sum := sha256.Sum256([]byte(guard.About(ctx) + "\x00" + text))
	if op, ok := c.recall(sum); ok {
		return op, nil
	}
	if c.breaker.Check(c.id) != nil {
		return guard.Opinion{}, errUnreachable
	}
	inner, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	op, err := c.ask(inner, text)
	var f *wire.Fault
	if errors.As(err, &f) {
		f.Who = "the classifier"
	}
	switch {
	case ctx.Err() != nil: // the caller has given up: not the service's fault
		return guard.Opinion{}, ctx.Err()
	case err == nil:
		c.breaker.Worked(c.id)
		c.keep(sum, op, age)
	case inner.Err() != nil:
		if len(text) <= window { // a sender of long texts must not be able to disable the service
			c.breaker.Failed(c.id, &wire.Fault{Kind: wire.Silent})
		}
		return guard.Opinion{}, guard.Cause("the classifier did not answer within " + plural.Duration(timeout))
	case f != nil && f.Kind != wire.TooLong:
		c.breaker.Failed(c.id, f)
	}
	return op, err
}

// Check asks about a harmless text. It returns an error only if the service reports a wrong model,
// address or key, because an unavailable service may come back.
func (c *Classifier) Check(ctx context.Context) error {
	_, err := c.Ask(ctx, "Good morning, when do you open?")
	var f *wire.Fault
	if !errors.As(err, &f) {
		return nil
	}
	switch f.Kind {
	case wire.NotFound:
		if c.config.Model == "" {
			return errors.New("classifier.url: the service has no such address")
		}
		return errors.New("classifier.model: the service knows no such model, or no such address")
	case wire.KeyRefused:
		return errors.New("classifier.key: the service refused the key")
	}
	return nil
}

func (c *Classifier) recall(sum [sha256.Size]byte) (guard.Opinion, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.known[sum]
	return k.Opinion, ok && c.now().Before(k.until)
}

func (c *Classifier) keep(sum [sha256.Size]byte, op guard.Opinion, age time.Duration) {
	if age <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for old := range c.known { // drop any: a dropped opinion is requested again
		if len(c.known) < maxKept {
			break
		}
		delete(c.known, old)
	}
	c.known[sum] = cachedScore{op, c.now().Add(age)}
}

// ask encodes the text in the protocol and decodes the answer.
func (c *Classifier) ask(ctx context.Context, text string) (guard.Opinion, error) {
	switch c.config.Protocol {
	case "text-classification":
		return c.windows(ctx, text)
	case "moderation":
		return c.moderate(ctx, text)
	case "llama-guard":
		answer, err := c.chat(ctx, 64, message{"user", plain(text)})
		if err != nil {
			return guard.Opinion{}, err
		}
		return c.llamaGuard(answer)
	case "shieldgemma":
		answer, err := c.chat(ctx, 32, message{"user", shield(plain(text))})
		if err != nil {
			return guard.Opinion{}, err
		}
		return yesOrNo(answer)
	case "gpt-oss-safeguard":
		system, user, marker, err := framed(safeguard+purpose(ctx), text, nil)
		if err != nil {
			return guard.Opinion{}, err
		}
		answer, err := c.chat(ctx, 2048, message{"system", system}, message{"user", user})
		switch {
		case err != nil:
			return guard.Opinion{}, err
		case quotes(answer, marker):
			return guard.Opinion{}, errQuotes
		}
		return violation(answer)
	}
	return guard.Opinion{}, fmt.Errorf("classifier: unknown protocol %q", c.config.Protocol)
}

// post sends a request, retries if that may help, and decodes the answer.
func (c *Classifier) post(ctx context.Context, path string, body, out any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	var answer []byte
	retry := wire.Retry{Tries: 2, First: 100 * time.Millisecond, Most: 500 * time.Millisecond, After: time.Second}
	err = retry.Do(ctx, func(ctx context.Context) error {
		if c.budget != nil {
			if _, err := c.budget.Spend(ctx, 0); err != nil {
				return err
			}
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(data))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := c.client.Do(req)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		answer, err = io.ReadAll(resp.Body)
		return err
	})
	if err != nil {
		return err
	}
	if json.Unmarshal(answer, out) != nil {
		return errForm
	}
	return nil
}

// errForm means that the answer violates the protocol.
var errForm = fmt.Errorf("%w of the classifier's protocol", model.ErrAnswer)

// label is a label of a text with its probability.
type label struct {
	Label string  `json:"label"`
	Score float64 `json:"score"`
}

// windows judges a text in parts that the model can process. The highest score counts.
func (c *Classifier) windows(ctx context.Context, text string) (worst guard.Opinion, err error) {
	limit := cmp.Or(c.config.Threshold, 0.5)
	parts := split(text, window)
	for n := 0; len(parts) > 0; n++ {
		if n == maxWindows {
			return guard.Opinion{}, ErrTooLong
		}
		part := parts[0]
		parts = parts[1:]
		var raw json.RawMessage
		err := c.post(ctx, "/predict", map[string]any{"inputs": part}, &raw)
		var f *wire.Fault
		if errors.As(err, &f) && (f.Kind == wire.TooLong || f.Status == http.StatusUnprocessableEntity) && len(part) > minWindow {
			parts = append(split(part, len(part)/2+1), parts...) // a token may be a single byte
			continue
		}
		if err != nil {
			return guard.Opinion{}, err
		}
		op, err := c.labels(raw)
		if err != nil {
			return guard.Opinion{}, err
		}
		if op.Score >= worst.Score {
			worst = op
		}
		if worst.Score >= limit {
			break
		}
	}
	return worst, nil
}

// split splits a text into overlapping parts of at most n bytes, between words if possible.
func split(text string, n int) []string {
	var out []string
	shared := min(overlap, n/6)
	for len(text) > n {
		end := n
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		if space := strings.LastIndexAny(text[:end], " \n\t"); space > n/2 {
			end = space
		}
		out = append(out, text[:end])
		next := end - shared
		for next > 0 && !utf8.RuneStart(text[next]) {
			next--
		}
		text = text[max(next, 1):]
	}
	return append(out, text)
}

// The labels of models for attacks and for harmless texts, in lower case. LABEL_1 is ambiguous: the
// configuration must list it.
var (
	attackLabels   = []string{"injection", "jailbreak", "malicious", "attack", "unsafe", "prompt_injection", "prompt-injection", "indirect"}
	harmlessLabels = []string{"safe", "benign", "legit", "legitimate", "harmless", "clean", "no_injection", "no-injection", "none"}
)

// labels parses the labels of one text: a list, or a list of one list.
func (c *Classifier) labels(raw json.RawMessage) (guard.Opinion, error) {
	var one []label
	var many [][]label
	if json.Unmarshal(raw, &one) != nil {
		if json.Unmarshal(raw, &many) != nil || len(many) != 1 {
			return guard.Opinion{}, errForm
		}
		one = many[0]
	}
	if len(one) == 0 {
		return guard.Opinion{}, errForm
	}
	var op guard.Opinion
	most := 0.0
	for _, l := range one {
		name := strings.ToLower(l.Label)
		named := slices.ContainsFunc(c.config.Labels, func(s string) bool { return strings.EqualFold(s, l.Label) })
		switch {
		case !(l.Score >= 0 && l.Score <= 1):
			return guard.Opinion{}, guard.Cause("the classifier answered a score that is not from 0 to 1")
		case named, len(c.config.Labels) == 0 && slices.Contains(attackLabels, name):
			op.Score += l.Score
			if l.Score >= most {
				most, op.Label = l.Score, l.Label
			}
		case len(c.config.Labels) == 0 && !slices.Contains(harmlessLabels, name):
			return guard.Opinion{}, guard.Cause("the classifier returned an unknown label: list the labels that mean an attack in classifier.labels")
		}
	}
	op.Score = min(op.Score, 1) // a sum of rounded numbers
	return op, nil
}

// moderate asks a moderation endpoint. If the configuration has labels, their scores count,
// otherwise the endpoint's verdict.
func (c *Classifier) moderate(ctx context.Context, text string) (guard.Opinion, error) {
	var out struct {
		Results []struct {
			Flagged    *bool              `json:"flagged"`
			Categories map[string]bool    `json:"categories"`
			Scores     map[string]float64 `json:"category_scores"`
		} `json:"results"`
	}
	if err := c.post(ctx, "/moderations", map[string]any{"model": c.config.Model, "input": text}, &out); err != nil {
		return guard.Opinion{}, err
	}
	if len(out.Results) != 1 || out.Results[0].Flagged == nil {
		return guard.Opinion{}, errForm
	}
	r := out.Results[0]
	op := guard.Opinion{Harm: true}
	if len(c.config.Labels) == 0 {
		if *r.Flagged {
			op.Score, op.Label = 1, "flagged"
			for name, flagged := range r.Categories {
				switch name = subject(name); {
				case !flagged || op.Label == selfHarm: // help for people takes precedence
				case op.Label == "flagged" || name == selfHarm || name < op.Label:
					op.Label = name
				}
			}
		}
		return op, nil
	}
	for _, name := range c.config.Labels {
		score, ok := r.Scores[name]
		if !ok {
			return guard.Opinion{}, guard.Cause("the moderation endpoint has no score for a category that classifier.labels names")
		}
		if score >= op.Score {
			op.Score, op.Label = score, subject(name)
		}
	}
	return op, nil
}

// selfHarm is the category for which guard offers help to people in need.
const selfHarm = "self_harm"

// subject returns the guard's name of a category.
func subject(category string) string {
	if strings.HasPrefix(category, "self-harm") {
		return selfHarm
	}
	return category
}
