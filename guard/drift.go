package guard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/normal"
)

// DriftOptions are the options of TopicDrift. The zero value selects the defaults.
type DriftOptions struct {
	MaxScore float64 // score, 0 to 1, above which a turn is rejected; 0.7 if zero
	// Judge, if set, is asked about the turns together if their score is in doubt. Its score, 0 to
	// 1, replaces that of the stage. If it fails, the turn is rejected.
	Judge func(ctx context.Context, text string) (score float64, err error)
}

// SessionKey is the Metadata key of the conversation's *Session.
const SessionKey = "guardSession"

const (
	driftTurns   = 5
	maxHistory   = 10_000  // turns
	maxTurn      = 4 << 10 // the last bytes of an earlier turn, which are read
	defaultDrift = 0.7
)

// TopicDrift returns the stage that judges the last five turns of a user together: the current text
// and those in Metadata[HistoryKey]. It finds an attack in pieces that are harmless by themselves.
// An earlier turn that was an attack by itself counts again only if the current turn repeats it.
// The stage misses conversations that lead to harm without an attack on the instructions. It
// rejects if it cannot read the history.
func TopicDrift(o DriftOptions) Stage {
	if o.MaxScore <= 0 {
		o.MaxScore = defaultDrift
	}
	var limit time.Duration
	if o.Judge != nil {
		limit = judgeTimeout
	}
	return Stage{ours: true, reads: true, Name: "TopicDrift", Order: OrderTopicDrift, Quick: o.Judge == nil, Timeout: limit, Check: func(ctx context.Context, r *Request) (Result, error) {
		turns, err := history5(r.Metadata[HistoryKey])
		if err != nil {
			return Reject(InvalidInput, err.Error()), nil
		}
		var session *Session
		switch s := r.Metadata[SessionKey].(type) {
		case nil:
		case *Session:
			session = s
		default:
			return Reject(InvalidInput, "the session is not a *guard.Session"), nil
		}
		score, together := drift(turns, r.Text)
		if o.Judge != nil && len(turns) > 0 && score > o.MaxScore-driftGrey && score < o.MaxScore+driftGrey {
			if score, err = o.Judge(ctx, together); err != nil {
				return Result{}, fmt.Errorf("judge: %w", err)
			}
			if !(score >= 0 && score <= 1) {
				return Result{}, Cause("the judge's answer is not a score from 0 to 1")
			}
		}
		if session != nil {
			score = 1 - (1-score)*(1-session.risk(r.Canonical()))
		}
		if score > o.MaxScore {
			res := Reject(PromptInjection, "the last turns together try to steer the model")
			res.Score = score
			return res, nil
		}
		// A score below MaxScore must not add up with the scores of other stages.
		return Allow(), nil
	}}
}

// driftGrey is the distance from MaxScore within which the judge is asked.
const driftGrey = 0.3

// drift scores a turn together with the earlier ones, oldest first, from 0 to 1, and returns the
// text that it judged. Without a history the score is 0.
func drift(history []string, turn string) (score float64, together string) {
	if len(history) == 0 {
		return 0, turn
	}
	judge := func(text string) float64 {
		return inject.Judge(normal.Text(text), inject.Options{Model: inject.Input(), Threshold: inject.InputThreshold}).Score
	}
	words := wordSet(turn)
	rest := make([]string, 0, driftTurns)
	for _, t := range history {
		if len(t) > maxTurn {
			t = strings.ToValidUTF8(t[len(t)-maxTurn:], "")
		}
		if s := judge(t); s < 0.5 {
			rest = append(rest, t)
		} else {
			score = max(score, s*alikeWords(words, wordSet(t)))
		}
	}
	together = strings.Join(append(rest, turn), " ")
	if len(rest) > 0 {
		score = max(score, judge(together))
	}
	return score, together
}

// history5 returns the user's last four turns before the current one.
func history5(v any) ([]string, error) {
	var list []any
	known := true
	switch v := v.(type) {
	case nil:
	case []any:
		list = v
	case []string:
		list = anys(v)
	case []map[string]string:
		list = anys(v)
	case []map[string]any:
		list = anys(v)
	default:
		known = false
	}
	if len(list) > maxHistory {
		return nil, errors.New("the history of the conversation is too long: send the last turns only")
	}
	var turns []string
	add := func(t string) {
		if turns = append(turns, t); len(turns) > driftTurns-1 {
			turns = turns[1:]
		}
	}
	for _, e := range list {
		switch e := e.(type) {
		case string:
			add(e)
		case map[string]string:
			m := make(map[string]any, len(e))
			for k, t := range e {
				m[k] = t
			}
			known = known && turn(m, add)
		case map[string]any:
			known = known && turn(e, add)
		default:
			known = false
		}
	}
	if !known {
		return nil, errors.New("the history of the conversation cannot be read: it is a list of strings, or of objects with role and content")
	}
	return turns, nil
}

func anys[T any](list []T) []any {
	out := make([]any, len(list))
	for i := range list {
		out[i] = list[i]
	}
	return out
}

// turn reads one object of a history, adds its text if it is the user's, and reports whether it can be
// read. Content is a text or a list of parts, some of which may be texts.
func turn(m map[string]any, add func(string)) bool {
	role, ok := m["role"].(string)
	if _, has := m["role"]; has && !ok {
		return false
	}
	var text string
	switch c := m["content"].(type) {
	case string:
		text = c
	case []any:
		for _, p := range c {
			part, ok := p.(map[string]any)
			if !ok {
				return false
			}
			if t, ok := part["text"].(string); ok {
				text += t + "\n"
			} else if part["type"] == "text" {
				return false
			}
		}
	default:
		return false
	}
	if role == "user" || role == "" {
		add(text)
	}
	return true
}

// Session records the rejections in a conversation, for stages that judge several turns. Put it
// into Metadata[SessionKey], and call Refused and Flagged. Its counts decrease with every turn that
// TopicDrift checks. It is safe for concurrent use.
type Session struct {
	mu      sync.Mutex
	refused float64
	flagged float64
	turns   []map[string]bool // words of refused turns, newest last
}

// NewSession returns an empty Session.
func NewSession() *Session { return &Session{} }

const (
	sessionFades   = 0.85 // the share of a count that remains after a turn
	maxRefused     = 16
	maxSessionWord = 200
)

// Refused records that a stage or the model rejected a turn.
func (s *Session) Refused(text string) {
	w := wordSet(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = s.refused*sessionFades + 1
	if s.turns = append(s.turns, w); len(s.turns) > maxRefused {
		s.turns = s.turns[1:]
	}
}

// Flagged records a suspicious turn or tool result.
func (s *Session) Flagged() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flagged++
}

// Counts returns the numbers of refused and flagged turns. Older turns count less.
func (s *Session) Counts() (refused, flagged float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused, s.flagged
}

// String returns the counts. It contains no text of the conversation.
func (s *Session) String() string {
	r, f := s.Counts()
	return fmt.Sprintf("refused %.1f, flagged %.1f", r, f)
}

// risk scores a new turn, from 0 to 1, by the earlier ones, and then decreases their counts.
func (s *Session) risk(text string) float64 {
	w := wordSet(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	innocent := 1 - min(0.6, 0.12*s.refused) // frequent refusals mean persistence
	innocent *= 1 - min(0.4, 0.06*s.flagged)
	most := 0.0
	for _, old := range s.turns {
		most = max(most, alikeWords(w, old))
	}
	if most >= 0.5 { // a refused turn in other words
		innocent *= 1 - most
	}
	s.refused *= sessionFades
	s.flagged *= sessionFades
	return 1 - innocent
}

// wordSet returns the words of a text that carry meaning, at most maxSessionWord.
func wordSet(text string) map[string]bool {
	m := map[string]bool{}
	w := words{word: func(b []byte) {
		if len(m) < maxSessionWord && !common()[string(b)] {
			m[string(b)] = true
		}
	}}
	for _, r := range text {
		w.rune(r)
	}
	w.end()
	return m
}

// alikeWords returns the share of the words of two texts that occur in both, from 0 to 1. Texts of
// fewer than three words are alike only if they are the same.
func alikeWords(a, b map[string]bool) float64 {
	if len(a) < 3 || len(b) < 3 {
		if len(a) > 0 && maps.Equal(a, b) {
			return 1
		}
		return 0
	}
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
