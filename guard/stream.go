package guard

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	stdhash "hash"
	"io"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"
)

// Stream checks a text while a model still writes it. You may show what Write returns at once: it
// never contains a part of a span that a stage masks or stops. A Stream holds back only text that
// could still become part of such a span. It must be used by one goroutine. Output.Stream makes it;
// the zero value releases nothing.
type Stream struct {
	ctx     context.Context
	p       *Output
	answer  Answer
	hold    int
	whole   bool
	through bool
	links   []*link
	tail    []byte // the first bytes of an incomplete character
	wait    strings.Builder
	res     Result
	over    error
	began   time.Time
	watch   watch
	hasher  hasher
}

// ErrStopped is the error of Write after a stage rejected the text. Show no more text; Close
// returns the Result.
var ErrStopped = errors.New("the answer was stopped by the output guard")

// StreamOption configures a Stream.
type StreamOption func(*Stream)

// MaxHeld sets the number of bytes that a Stream holds back at most (default 1 MiB). A text that
// has to be held back beyond that is stopped.
func MaxHeld(n int) StreamOption { return func(s *Stream) { s.hold = n } }

// AfterCompletion makes a Stream release nothing before Close, which checks the whole text.
func AfterCompletion() StreamOption { return func(s *Stream) { s.whole = true } }

// Unchecked makes a Stream release everything at once and check the whole text at Close. The Result
// then reports text that should not have been shown. Use it if a late answer is worse than a bad
// one. Write still stops at MaxHeld.
func Unchecked() StreamOption {
	return func(s *Stream) { s.whole, s.through = true, true }
}

// An edit replaces a span.
type edit struct {
	start, end int
	text       string
}

// A scanner checks a text that grows. scan checks text[from:]; the bytes before from are context
// only. It returns the changes in text[from:], and the offset up to which they are final. A Result
// that rejects stops the text.
type scanner interface {
	scan(text string, from int, first, last bool) (edits []edit, settled int, res Result, err error)
	behind() int // number of bytes before from that scan needs
}

// A link is one stage of a stream.
type link struct {
	stage   *OutputStage
	scanner scanner
	seen    []byte // context bytes, then the bytes that are not final
	from    int
	base    int // offset of seen in the text of the stage
	first   bool
	res     Result
	told    string // the reported reason, made while seen still has the text that it may quote
	out     []byte
	begun   startedStage
}

// Stream starts the check of an answer. If a stage needs the whole text, the stream releases
// nothing before Close.
func (p *Output) Stream(ctx context.Context, a Answer, opts ...StreamOption) *Stream {
	if p == nil || !p.made {
		return &Stream{}
	}
	if own := p.tenants[a.TenantID]; own != nil {
		return own.Stream(ctx, a, opts...)
	}
	s := &Stream{ctx: ctx, p: p, answer: a, hold: 1 << 20, began: time.Now(), res: Result{Verdict: Allowed}}
	s.answer.UserID = cmp.Or(s.answer.UserID, "anonymous")
	for _, o := range opts {
		o(s)
	}
	s.watch = p.watch("output", s.answer.UserID, s.answer.TenantID)
	s.ctx = s.watch.begin(ctx)
	for i := range p.stages {
		st := &p.stages[i]
		if st.Disabled {
			continue
		}
		l := &link{stage: st, first: true, res: Result{Verdict: Allowed}}
		switch {
		case st.scanner != nil:
			given := s.answer
			l.scanner = st.scanner(&given)
		case st.Reach > 0 && st.Check != nil:
			l.scanner = &checker{s: s, stage: st}
		}
		if l.scanner == nil {
			s.whole = true
		}
		_, l.begun = s.watch.stage(s.ctx, st.Name)
		s.links = append(s.links, l)
	}
	s.hasher = newHasher(s.watch.watched())
	return s
}

// Write takes the next piece of the text and returns the text that may be shown now, which can be
// shorter or longer than the piece. The error is ErrStopped after a rejection.
func (s *Stream) Write(chunk string) (safe string, err error) {
	if s.p == nil {
		return "", errZero
	}
	if s.over != nil {
		return "", s.over
	}
	s.hasher.write(chunk)
	if s.whole {
		if s.wait.Len()+len(chunk) > s.hold {
			return "", s.stop(tooLong(), true)
		}
		s.wait.WriteString(chunk)
		if s.through {
			return chunk, nil
		}
		return "", nil
	}
	in := chunk
	if len(s.tail) > 0 {
		in = string(s.tail) + chunk
		s.tail = s.tail[:0]
	}
	cut := len(in) - partial(in)
	s.tail = append(s.tail, in[cut:]...)
	return s.push(in[:cut], false)
}

// Close ends the text and returns the rest that may be shown, and the Result for the whole text.
// The Text of the Result is empty, because Write returned it in pieces. If a text is rejected after
// a part of it was shown, tell the reader.
func (s *Stream) Close() (rest string, res Result) {
	if s.p == nil {
		return "", failed("", errZero)
	}
	if s.over == nil {
		if s.whole {
			r := s.p.Check(s.ctx, s.wait.String(), s.answer)
			s.wait.Reset()
			s.over = errClosed
			if !s.through {
				rest = r.Text
			}
			r.Text = ""
			s.res = r
			return rest, r
		}
		rest, _ = s.push(string(s.tail), true)
	}
	if s.over == nil {
		s.over = errClosed
		s.finish()
	}
	return rest, s.res
}

var errClosed = errors.New("the stream is closed: start a new one")

// push passes text through the stages.
func (s *Stream) push(in string, last bool) (out string, err error) {
	if err := s.ctx.Err(); err != nil {
		return "", s.stop(failed("", err), true)
	}
	text := in
	for _, l := range s.links {
		res, err := run(s.ctx, true, 0, func(context.Context) (Result, error) { return l.feed(text, last) })
		if err == nil && len(l.seen)-l.from > s.hold {
			res = tooLong()
		}
		if err != nil {
			return "", s.stop(failed(l.stage.Name, err), true)
		}
		if res.Verdict == Rejected {
			res.Category = cmp.Or(res.Category, SystemError)
			res.Stage = l.stage.Name
			s.watch.texts = []string{string(l.seen)}
			return "", s.stop(res, l.stage.ours)
		}
		text = string(l.out)
		l.out = l.out[:0]
	}
	return text, nil
}

// feed passes more text to a stage and appends the text that the stage released to out.
func (l *link) feed(text string, last bool) (Result, error) {
	l.seen = append(l.seen, text...)
	edits, settled, res, err := l.scanner.scan(string(l.seen), l.from, l.first, last)
	if err != nil || res.Verdict == Rejected {
		return res, err
	}
	if settled < l.from || settled > len(l.seen) || last && settled != len(l.seen) {
		return res, fmt.Errorf("settled %d of %d bytes", settled, len(l.seen))
	}
	if res.Verdict == Modified {
		if l.told = res.Reason; !l.stage.ours {
			l.told = apart(res.Reason, string(l.seen))
		}
	}
	for _, f := range res.Findings[:min(len(res.Findings), maxFindings-len(l.res.Findings))] {
		f.Start += l.base
		f.End += l.base
		l.res.Findings = append(l.res.Findings, f)
	}
	at := l.from
	for _, e := range edits {
		if e.start < at || e.end < e.start || e.end > settled {
			return res, fmt.Errorf("a change at %d to %d is out of order", e.start, e.end)
		}
		l.out = append(l.out, l.seen[at:e.start]...)
		l.out = append(l.out, e.text...)
		at = e.end
	}
	l.out = append(l.out, l.seen[at:settled]...)
	l.from = settled
	if drop := l.from - l.scanner.behind() - utf8.UTFMax; drop > 0 {
		for drop > 0 && !utf8.RuneStart(l.seen[drop]) && drop > l.from-l.scanner.behind()-2*utf8.UTFMax {
			drop--
		}
		if drop > 0 {
			l.seen = append(l.seen[:0], l.seen[drop:]...)
			l.from -= drop
			l.base += drop
			l.first = false
		}
	}
	l.res.Score = max(l.res.Score, res.Score)
	if res.Verdict == Modified {
		l.res.Verdict, l.res.Reason = Modified, res.Reason
	}
	return res, nil
}

// hasher hashes a text piece by piece, if an observer needs the hash.
type hasher struct{ h stdhash.Hash }

func newHasher(wanted bool) hasher {
	if !wanted {
		return hasher{}
	}
	return hasher{sha256.New()}
}

func (h hasher) write(s string) {
	if h.h != nil {
		io.WriteString(h.h, s) //nolint:errcheck // a hash takes everything
	}
}

func (h hasher) sum() string {
	if h.h == nil {
		return ""
	}
	return hex.EncodeToString(h.h.Sum(nil))
}

// maxFindings is the limit of findings that one stage of a stream keeps.
const maxFindings = 1000

func tooLong() Result {
	return Reject(SystemError, "a span in the answer is too long to check")
}

func (s *Stream) stop(r Result, ours bool) error {
	s.over = ErrStopped
	r.Text = ""
	s.res = r
	s.watch.input = s.hasher.sum()
	b := startedStage{at: s.began}
	for _, l := range s.links {
		if l.stage.Name == r.Stage {
			b = l.begun
		} else if l.begun.ended != nil { // end the span of a stage without a verdict
			var lost atomic.Int64
			deliver(l.begun.ended, Event{Time: time.Now(), Pipeline: "output", Stage: l.stage.Name, Verdict: l.res.Verdict, Took: time.Since(s.began), Input: s.watch.input}, &lost)
		}
	}
	s.watch.report(r.Stage, r, s.watch.reason(r, ours), b)
	s.watch.end(r, s.began)
	return ErrStopped
}

// finish combines the results of the stages.
func (s *Stream) finish() {
	s.watch.input = s.hasher.sum()
	for _, l := range s.links {
		l.res.Stage = l.stage.Name
		b := l.begun
		b.at = s.began
		s.watch.report(l.stage.Name, l.res, l.told, b)
		s.res.Score = max(s.res.Score, l.res.Score)
		s.res.Findings = append(s.res.Findings, l.res.Findings...)
		if l.res.Verdict == Modified {
			s.res.Verdict, s.res.Stage, s.res.Reason = Modified, l.stage.Name, l.res.Reason
			s.res.Changes = append(s.res.Changes, Change{l.stage.Name, l.res.Reason})
		}
	}
	s.watch.end(s.res, s.began)
}

// partial returns the number of bytes of an incomplete character at the end of s.
func partial(s string) int {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if b := s[len(s)-n]; utf8.RuneStart(b) {
			if b >= utf8.RuneSelf && !utf8.FullRuneInString(s[len(s)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// A checker streams a stage that has a Reach and a Check but no scanner: its result for a byte does
// not depend on bytes farther away than Reach. After the first change the checker holds back the
// rest until the end, because only the stage knows which output belongs to which byte.
type checker struct {
	s     *Stream
	stage *OutputStage
	wait  bool
}

func (c *checker) behind() int { return 2 * c.stage.Reach }

func (c *checker) scan(text string, from int, _, last bool) ([]edit, int, Result, error) {
	if c.wait && !last {
		return nil, from, Result{Verdict: Allowed}, nil
	}
	given := c.s.answer
	res, err := run(c.s.ctx, c.stage.Quick, c.stage.Timeout, func(ctx context.Context) (Result, error) { return c.stage.Check(ctx, text, &given) })
	res.Findings = nil // their positions are not those in the whole text
	switch {
	case err != nil:
		return nil, from, res, err
	case res.Verdict == Modified && !last:
		c.wait = true
		return nil, from, Result{Verdict: Allowed}, nil
	case res.Verdict == Modified:
		rest, ok := strings.CutPrefix(res.Text, text[:from])
		if !ok {
			return nil, from, res, errors.New("the stage changed text that was already sent")
		}
		return []edit{{from, len(text), rest}}, len(text), res, nil
	case last:
		return nil, len(text), res, nil
	}
	settled := max(from, len(text)-c.stage.Reach)
	for settled > from && !utf8.RuneStart(text[settled]) {
		settled--
	}
	return nil, settled, res, nil
}
