package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

// lines is the interface that prints and reads line by line.
type lines struct {
	opts  Options
	out   *bufio.Writer
	in    chan typedLine
	msgs  chan any // messages from send and from the session's work
	ended chan struct{}

	s       Session
	asked   []*question
	shown   bool // the first question was printed
	note    bool // the next line is the reason for a denial
	typed   []string
	busy    bool
	stop    context.CancelFunc // stops the work in progress
	unsaved bool               // the session could not be saved, so leaving was refused
	partial bool               // the last line is incomplete
	calls   map[string]agent.ToolCall
	printed map[string]int // printed characters of each running call's output, by call ID
	outcome error          // ErrFailed, ErrRefused or nil, of the newest message
	eof     bool           // end of input
	offers  bool           // a person can answer an offer at the start
	now     func() time.Time
}

// Errors of a run whose input is not a terminal, about its last message. A script needs them: it
// cannot read what the screen says.
var (
	ErrFailed  = errors.New("the last message ended with an error")
	ErrRefused = errors.New("stopped: the last call of the agent was refused")
)

// last returns the outcome of the last message, for an input that is not a terminal.
func (l *lines) last() error {
	if l.offers {
		return nil
	}
	return l.outcome
}

func newLines(o Options) *lines {
	return &lines{
		opts: o, out: bufio.NewWriter(o.Out), in: make(chan typedLine), msgs: make(chan any), ended: make(chan struct{}),
		calls: map[string]agent.ToolCall{}, printed: map[string]int{}, now: time.Now,
		offers: term.IsTerminal(int(o.In.Fd())),
	}
}

// typedLine is a line with its arrival time.
type typedLine struct {
	text string
	at   time.Time
}

func (l *lines) send(msg any) {
	select {
	case l.msgs <- msg:
	case <-l.ended:
	}
}

// Limits of typed input: size of a line, and number of waiting lines.
const (
	maxTyped  = 1 << 20
	maxQueued = 100
)

// answerDelay is the time after a question appears in which lines do not answer it, because they were
// typed before the person could read it. The arrival of a line counts, however long it waits.
const answerDelay = 300 * time.Millisecond

type (
	worked  struct{ e agent.Event } // an event of the work in progress
	stopped struct{ err error }     // the work ended
	replied struct {                // result of a command
		r     conversation.Reply
		err   error
		last  bool // it was the work in progress
		fresh bool // it answers the offer at the start
	}
)

func (l *lines) run(ctx context.Context, s Session) error {
	defer close(l.ended)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	l.s = s
	go l.read()
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)

	l.entries(l.opts.Entries)
	l.printf("%s. /help lists the commands, /exit quits.\n", cleanLine(s.Status().Model))
	if l.opts.Resume != nil && l.offers {
		l.resume(ctx, *l.opts.Resume)
	}
	if l.opts.Prompt != "" {
		l.typed = append(l.typed, l.opts.Prompt)
	}
	input := l.in
	for {
		if !l.busy && len(l.asked) == 0 {
			if quit, err := l.nextTyped(ctx); quit || err != nil {
				return errors.Join(err, l.last(), l.flush())
			}
			if !l.busy && len(l.typed) == 0 && input == nil {
				return errors.Join(s.Save(ctx), l.last(), l.flush()) // nothing more can arrive
			}
		}
		if err := l.flush(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return l.leave(ctx)
		case <-interrupts:
			if !l.interrupt() {
				return l.leave(ctx)
			}
		case line, ok := <-input:
			if !ok {
				input, l.eof = nil, true
				l.refuse()
				continue
			}
			l.line(line)
		case msg := <-l.msgs:
			if l.handle(msg) {
				return l.leave(ctx)
			}
		}
	}
}

// resume asks whether to continue a saved session.
func (l *lines) resume(ctx context.Context, saved conversation.Saved) {
	q := &question{confirm: true, offer: true, answer: make(chan agent.Answer, 1)}
	q.q.Tool = resumeTitle
	q.q.Preview.Text = offer(saved, l.now())
	l.handle(q)
	work, stop := context.WithCancel(ctx)
	l.busy, l.stop = true, stop
	go func() {
		defer stop()
		select {
		case a := <-q.answer:
			if a.Choice != agent.Once {
				l.send(replied{last: true})
				return
			}
		case <-work.Done():
			l.send(replied{err: work.Err(), last: true})
			return
		}
		r, err := l.s.Load(work, saved.ID)
		if err != nil {
			err = notLoaded(err)
		}
		l.send(replied{r: r, err: err, last: true})
	}()
}

// leave saves the session, after the work in progress has ended.
func (l *lines) leave(ctx context.Context) error {
	late := time.After(saveTime)
	for l.interrupt() && l.busy {
		select {
		case msg := <-l.msgs:
			l.handle(msg)
		case <-late:
			l.busy, l.stop = false, nil
		}
	}
	return errors.Join(l.s.Save(context.WithoutCancel(ctx)), l.flush())
}

func (l *lines) flush() error {
	if err := l.out.Flush(); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	return nil
}

// read passes on typed lines until the end of the input: a read cannot be cancelled.
func (l *lines) read() {
	defer close(l.in)
	sc := bufio.NewScanner(l.opts.In)
	sc.Buffer(make([]byte, 0, 4096), maxTyped)
	for sc.Scan() {
		select {
		case l.in <- typedLine{strings.TrimSuffix(sc.Text(), "\r"), l.now()}:
		case <-l.ended:
			return
		}
	}
}

// line handles a typed line: as an answer if a question was shown, otherwise as a message or
// command.
func (l *lines) line(line typedLine) {
	text := line.text
	switch {
	case len(l.asked) > 0 && l.shown:
		l.answer(line)
	case strings.TrimSpace(text) == "":
	case l.busy && strings.HasPrefix(text, "!"):
		if !l.s.Interject(strings.TrimSpace(text[1:])) {
			l.typed = append(l.typed, text[1:])
		}
	case len(l.typed) >= maxQueued:
		l.printf("Too many messages are queued: this one was dropped.\n")
	default:
		if l.typed = append(l.typed, text); l.busy {
			l.printf("(queued: it is sent when the turn ends; ! before a message sends it at once)\n")
		}
	}
}

// nextTyped sends the message, or runs the command, that has waited longest.
func (l *lines) nextTyped(ctx context.Context) (quit bool, err error) {
	if len(l.typed) == 0 {
		return false, nil
	}
	text := l.typed[0]
	l.typed = l.typed[1:]
	if name, args, ok := slash(text); ok {
		return l.command(ctx, name, args)
	}
	if l.opts.Remember != nil {
		l.opts.Remember(text)
	}
	work, stop := context.WithCancel(ctx)
	l.busy, l.stop, l.outcome = true, stop, nil
	go func() {
		defer stop()
		for e, err := range l.s.Send(work, conversation.Message{Text: text}) {
			if err != nil {
				l.send(stopped{err})
				return
			}
			l.send(worked{e})
		}
		if work.Err() != nil {
			l.send(stopped{context.Canceled})
			return
		}
		l.send(stopped{})
	}()
	return false, nil
}

func (l *lines) command(ctx context.Context, name, args string) (quit bool, err error) {
	var run func(context.Context) (conversation.Reply, error)
	switch name {
	case "exit", "quit":
		if err := l.s.Save(ctx); err != nil {
			l.fault(fmt.Sprintf("the session could not be saved: %v\nType /exit again to quit anyway.", err))
			leave := l.unsaved
			l.unsaved = true
			return leave, nil
		}
		return true, nil
	case "help":
		l.printf("%s", helpText(l.s.Commands(), 0))
		return false, nil
	case "model":
		if args == "" {
			run = func(ctx context.Context) (conversation.Reply, error) { return listModels(ctx, l.s) }
		} else {
			run = func(ctx context.Context) (conversation.Reply, error) { return l.s.SetModel(ctx, args) }
		}
	case "sessions":
		run = func(ctx context.Context) (conversation.Reply, error) { return listSaved(ctx, l.s, l.now()) }
	case "load":
		run = func(ctx context.Context) (conversation.Reply, error) { return l.s.Load(ctx, args) }
	default:
		c, ok := findCommand(l.s.Commands(), name)
		if !ok {
			l.fault(cleanLine(unknownCommand(l.s.Commands(), name)))
			return false, nil
		}
		run = func(ctx context.Context) (conversation.Reply, error) { return c.Run(ctx, args) }
	}
	work, stop := context.WithCancel(ctx)
	l.busy, l.stop = true, stop
	go func() {
		defer stop()
		r, err := run(work)
		l.send(replied{r: r, err: err, last: true})
	}()
	return false, nil
}

// handle processes a message from send or from the work, and reports whether to leave.
func (l *lines) handle(msg any) (quit bool) {
	switch msg := msg.(type) {
	case worked:
		l.event(msg.e)
	case stopped:
		l.busy, l.stop = false, nil
		l.endLine()
		switch {
		case errors.Is(msg.err, context.Canceled):
			l.printf("[cancelled]\n")
		case msg.err != nil:
			l.outcome = ErrFailed
			l.fault(msg.err.Error())
		}
	case replied:
		l.busy, l.stop = false, nil
		if msg.err != nil {
			l.fault(msg.err.Error())
			break
		}
		l.entries(msg.r.Entries)
		l.printf("%s", lineEnd(clean(msg.r.Text)))
		return msg.r.Quit
	case *question:
		if l.asked = append(l.asked, msg); len(l.asked) == 1 {
			l.show()
		}
		if l.eof {
			l.refuse()
		}
	case withdrawn:
		for i, q := range l.asked {
			if q == msg.q {
				l.asked = append(l.asked[:i:i], l.asked[i+1:]...)
				if i == 0 {
					l.endLine()
					l.printf("(answered elsewhere)\n")
					l.show()
				}
				break
			}
		}
	case output:
		l.output(msg)
	case doing:
		if msg.text != conversation.Thinking { // the default activity
			l.endLine()
			l.printf("(%s)\n", cleanLine(msg.text))
		}
	case notice:
		if msg.bad {
			l.fault(msg.text)
			break
		}
		l.endLine()
		l.printf("%s", lineEnd(clean(msg.text)))
	}
	return false
}

func (l *lines) event(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		if errors.Is(l.outcome, ErrFailed) { // the model goes on
			l.outcome = nil
		}
		l.print(clean(e.Text))
	case agent.ToolCall:
		l.outcome = nil
		l.endLine()
		l.calls[e.ToolCallID] = e
		l.printf("> %s %s\n", cleanLine(e.ToolName), summary(e, nil))
	case agent.ToolResult:
		if strings.HasPrefix(e.Result.Error, agent.Blocked) {
			l.outcome = ErrRefused
		}
		l.endLine()
		c, ok := l.calls[e.ToolCallID]
		if !ok {
			c = agent.ToolCall{ToolName: e.ToolName, ToolCallID: e.ToolCallID}
		}
		delete(l.calls, e.ToolCallID)
		_, streamed := l.printed[e.ToolCallID]
		delete(l.printed, e.ToolCallID)
		l.result(c, e.Result, streamed)
	case agent.Finish:
		l.endLine()
	case agent.Failure:
		l.outcome = ErrFailed
		l.fault(e.Error)
	}
}

// output prints the beginning of a running call's output.
func (l *lines) output(o output) {
	shown, more := limit(clean(o.piece), max(0, maxOpen-l.printed[o.callID]))
	l.print(shown)
	if before := l.printed[o.callID]; more > 0 && before <= maxOpen {
		l.endLine()
		l.printf("  … more is not shown\n")
		l.printed[o.callID] = maxOpen + 1
		return
	}
	l.printed[o.callID] += utf8.RuneCountInString(shown)
}

func (l *lines) result(c agent.ToolCall, r agent.Result, streamed bool) {
	word := "done"
	if !r.Success {
		word = "failed"
	}
	l.printf("< %s %s: %s\n", cleanLine(c.ToolName), summary(c, &r), word)
	for _, n := range r.Notes {
		l.printf("  note: %s\n", cleanLine(n))
	}
	if r.Error != "" {
		l.printf("  error: %s\n", cleanLine(r.Error))
	}
	if text := clean(r.Output); text != "" && !streamed {
		shown, more := limit(text, maxOpen)
		for line := range strings.Lines(shown) {
			l.printf("  %s\n", strings.TrimSuffix(line, "\n"))
		}
		if more > 0 {
			l.printf("  … %s more\n", counted(more, "character"))
		}
	}
}

// entries prints an earlier conversation.
func (l *lines) entries(list []conversation.Entry) {
	for _, e := range list {
		switch {
		case e.Call != nil && e.Result != nil:
			l.result(*e.Call, *e.Result, true)
		case e.Call != nil:
			l.printf("< %s %s: not finished\n", cleanLine(e.Call.ToolName), summary(*e.Call, nil))
		case e.User != "":
			l.printf("You: %s", lineEnd(clean(e.User)))
		case e.Agent != "":
			l.printf("Agent: %s", lineEnd(clean(e.Agent)))
		case e.Notice != "":
			l.printf("%s", lineEnd(clean(e.Notice)))
		}
	}
}

func (l *lines) show() {
	l.shown, l.note = false, false
	if len(l.asked) == 0 {
		return
	}
	q := l.asked[0]
	l.endLine()
	l.printf("--- %s\n", cleanLine(q.q.Tool))
	if !q.confirm {
		for _, line := range about(q.q) {
			l.quoted("| ", line)
		}
	}
	for line := range strings.Lines(exact(q.q.Preview.Text)) { // no line of it may imitate umpire's
		l.quoted("| ", strings.TrimSuffix(line, "\n"))
	}
	for _, line := range append(questionFacts(q.q), scopes(q)...) {
		l.quoted("", line)
	}
	var keys []string
	for _, k := range answers(q) {
		keys = append(keys, k.key+" "+k.word)
	}
	l.printf("%s, then Enter: ", strings.Join(keys, ", "))
	l.partial = true
	q.shown, l.shown = l.now(), true
}

// lineCells is the width at which lines of a question break: if a terminal breaks them, the rest
// looks like one of umpire's lines.
const lineCells = 76

// quoted prints a line of a question, with a mark before each continuation.
func (l *lines) quoted(mark, line string) {
	for _, row := range drawAll(hardwrap([]span{{untab(line), 0}}, lineCells)) {
		l.printf("%s%s\n", mark, row)
		mark = "¦ "
	}
}

// answer handles a line as the answer to the current question.
func (l *lines) answer(line typedLine) {
	q, text := l.asked[0], line.text
	l.partial = false // the user ended the line
	if l.note {
		l.settleWith(q, agent.Answer{Choice: agent.No, Note: strings.TrimSpace(text)})
		return
	}
	word := strings.TrimSpace(text)
	if q.offer && len(word) > 1 { // a message, which declines the offer
		l.settleWith(q, agent.Answer{Choice: agent.No})
		l.typed = append(l.typed, text)
		return
	}
	if line.at.Sub(q.shown) < answerDelay {
		l.printf("You typed that before you could read the question: answer it again.\n")
		q.shown = l.now()
		return
	}
	if word == "e" && !q.confirm {
		l.note = true
		l.printf("Why not (the model sees this): ")
		l.partial = true
		return
	}
	for _, k := range answers(q) {
		if strings.EqualFold(word, k.key) || k.key == "n" && word == "q" || k.key == "esc" && word == "stop" {
			if k.key == widerKey {
				q.widen()
				l.show()
				return
			}
			l.settleWith(q, agent.Answer{Choice: k.answer, Wider: q.wide})
			return
		}
	}
	l.printf("That is not an answer.\n")
	q.shown = l.now()
}

func (l *lines) settleWith(q *question, a agent.Answer) {
	q.answer <- a
	l.asked = l.asked[1:]
	if a.Choice == agent.Stop && l.stop != nil {
		l.stop()
	}
	l.show()
}

// refuse denies all questions, because no one is there any more.
func (l *lines) refuse() {
	for len(l.asked) > 0 {
		l.endLine()
		l.printf("(the input ended: no one can answer)\n")
		close(l.asked[0].answer)
		l.asked = l.asked[1:]
	}
}

// interrupt stops the work in progress, and reports whether there was any.
func (l *lines) interrupt() bool {
	for len(l.asked) > 0 {
		l.settleWith(l.asked[0], agent.Answer{Choice: agent.Stop})
	}
	if l.stop == nil {
		return false
	}
	l.stop()
	return true
}

func (l *lines) fault(text string) {
	l.endLine()
	l.printf("error: %s", lineEnd(clean(text)))
}

func (l *lines) printf(format string, args ...any) {
	l.print(fmt.Sprintf(format, args...))
}

func (l *lines) print(s string) {
	if s == "" {
		return
	}
	_, _ = l.out.WriteString(s) // flush reports the error
	l.partial = s[len(s)-1] != '\n'
}

// endLine ends an incomplete line.
func (l *lines) endLine() {
	if l.partial {
		l.print("\n")
	}
}

func lineEnd(s string) string {
	if s == "" || s[len(s)-1] == '\n' {
		return s
	}
	return s + "\n"
}

// maxOpen is how many characters of a result are shown.
const maxOpen = 2000

// limit shortens a text to n characters and returns the number of the rest.
func limit(s string, n int) (shown string, more int) {
	shown = head(s, n)
	return shown, utf8.RuneCountInString(s[len(shown):])
}

// offer describes a saved session.
func offer(s conversation.Saved, now time.Time) string {
	return cleanLine(s.Name) + " · " + counted(s.Messages, "message") + " · " + cleanLine(s.Model) + " · " + ago(now.Sub(s.Updated)) + " · " + cleanLine(s.Dir)
}
