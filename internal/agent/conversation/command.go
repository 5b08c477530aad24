package conversation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/session"
	"github.com/umpire-dev/umpire/internal/agent/undo"
	"github.com/umpire-dev/umpire/internal/plural"
)

// Commands implements tui.Session.
func (t *Conversation) Commands() []Command {
	list := []Command{
		{Name: "allowed", Args: "[forget]", Help: "list what you allowed for this session, or revoke it", Run: t.allowed},
		{Name: "clear", Help: "start a new conversation", Run: t.clear},
		{Name: "compact", Args: "[focus]", Help: "summarize the older messages", Run: t.fold},
		{Name: "cost", Help: "show tokens and money of this session", Busy: true, Run: t.cost},
		{Name: "effort", Args: "[low|medium|high]", Help: "show or set the reasoning effort of the model", Run: t.effort},
		{Name: "save", Args: "[name]", Help: "name this session; it is saved continuously", Busy: true, Run: t.save},
		{Name: "load", Args: "number|file", Help: "continue a saved session", Run: t.Load},
		{Name: "export", Args: "[file]", Help: "write the conversation as Markdown", Busy: true, Run: t.export},
	}
	if t.o.Changes != nil {
		list = append(list,
			Command{Name: "undo", Args: "[n] [force]", Help: "undo the last messages and their changes to files", Run: t.undo},
			Command{Name: "redo", Args: "[force]", Help: "redo what you undid", Run: t.redo})
	}
	return append(list, t.o.Commands...)
}

func (t *Conversation) clear(context.Context, string) (Reply, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.session.Close(); err != nil {
		return Reply{}, err
	}
	t.session = session.New(t.o.Sessions, t.o.Dir, t.model.Name())
	t.fresh, t.last, t.turns, t.undone = true, 0, nil, nil
	if t.o.Reopen != nil {
		if err := t.o.Reopen(t.session.Metadata().ID); err != nil {
			return Reply{}, err
		}
	}
	t.o.Caller.State.SetTodo(nil)
	if err := t.o.Caller.Forget(); err != nil {
		return Reply{}, err
	}
	return Reply{Replaced: true, Text: "A new conversation begins."}, nil
}

func (t *Conversation) fold(ctx context.Context, focus string) (Reply, error) {
	s := t.current()
	o := t.options(s)
	o.Compact.Focus = focus
	n := 0
	o.Compact.Folded = func(k int, now []agent.Message) error { n = k; return s.Fold(k, now[0]) } // the reply says it
	if _, err := o.Compact.Compact(ctx, s.State().Messages); err != nil {
		return Reply{}, err
	}
	t.mu.Lock()
	t.last = 0
	t.mu.Unlock()
	return Reply{Text: "Summarized: " + plural.Count(n, "message") + ". The whole conversation stays in the session's file."}, nil
}

func (t *Conversation) cost(context.Context, string) (Reply, error) {
	u := t.Usage()
	text := fmt.Sprintf("%s tokens in (%s of them cached), %s out.", Thousands(u.InputTokens), Thousands(u.CachedTokens), Thousands(u.OutputTokens))
	if u.Priced {
		text += fmt.Sprintf(" $%.4f", u.Cost)
		if t.o.MaxCost > 0 {
			text += fmt.Sprintf(" of $%.2f", t.o.MaxCost)
		}
		text += "."
	}
	return Reply{Text: text}, nil
}

func (t *Conversation) allowed(_ context.Context, word string) (Reply, error) {
	switch word {
	case "":
	case "forget":
		if err := t.o.Caller.Forget(); err != nil {
			return Reply{}, err
		}
		return Reply{Text: "Your approvals for this session are revoked. Your lasting approvals are in your policy: `umpire policy list`."}, nil
	default:
		return Reply{}, fmt.Errorf("unknown argument %q: /allowed accepts only forget", word)
	}
	list := t.o.Caller.Allowed()
	if len(list) == 0 {
		return Reply{Text: "Nothing was allowed for this session yet, beyond single calls."}, nil
	}
	return Reply{Text: "Allowed for this session:\n\n    " + strings.Join(list, "\n    ") + "\n\n`/allowed forget` revokes it."}, nil
}

func (t *Conversation) effort(_ context.Context, word string) (Reply, error) {
	if word != "" && !slices.Contains(agent.Efforts, word) {
		return Reply{}, fmt.Errorf("%q is not an effort: use %s", word, strings.Join(agent.Efforts, ", "))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if word != "" {
		t.o.Effort = word
	}
	if t.o.Effort == "" {
		return Reply{Text: "The model uses its default effort."}, nil
	}
	return Reply{Text: "The model thinks with " + t.o.Effort + " effort."}, nil
}

func (t *Conversation) save(_ context.Context, name string) (Reply, error) {
	s := t.current()
	if len(s.State().Shown) == 0 {
		return Reply{Text: "There is nothing to save yet."}, nil
	}
	if name != "" {
		if err := s.SetName(name); err != nil {
			return Reply{}, err
		}
	}
	if err := s.Sync(); err != nil {
		return Reply{}, err
	}
	m := s.Metadata()
	return Reply{Text: fmt.Sprintf("Saved as %q in %s.", m.Name, m.File)}, nil
}

func (t *Conversation) export(_ context.Context, name string) (Reply, error) {
	s := t.current()
	m := s.Metadata()
	name = cmp.Or(name, "umpire-"+m.ID+".md")
	if !filepath.IsAbs(name) {
		name = filepath.Join(t.o.Dir, name)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Reply{}, err
	}
	_, err = f.Write(session.Markdown(m, s.State()))
	if err = errors.Join(err, f.Close()); err != nil {
		return Reply{}, err
	}
	return Reply{Text: "Written to " + name + "."}, nil
}

// Models implements tui.Session.
func (t *Conversation) Models(ctx context.Context) ([]Model, error) {
	if t.o.List == nil {
		return nil, errors.New("the provider does not list its models: name one with /model")
	}
	return t.o.List(ctx)
}

// SetModel implements tui.Session.
func (t *Conversation) SetModel(_ context.Context, id string) (Reply, error) {
	if t.o.Open == nil {
		return Reply{}, errors.New("this model cannot be changed")
	}
	m, err := t.o.Open(id)
	if err != nil {
		return Reply{}, err
	}
	t.mu.Lock()
	t.model = m
	s := t.session
	t.mu.Unlock()
	if err := s.SetModel(m.Name()); err != nil {
		return Reply{}, err
	}
	return Reply{Text: "The next turn is " + m.Name() + "'s."}, nil
}

// Saved implements tui.Session.
func (t *Conversation) Saved(context.Context) ([]Saved, error) {
	list, err := session.List(t.o.Sessions, func(err error) { t.warn("%v", err) })
	if err != nil {
		return nil, err
	}
	own := t.current().Metadata().ID
	var out []Saved
	for _, m := range list {
		if m.ID != own {
			out = append(out, Offer(m))
		}
	}
	return out, nil
}

// Offer returns a session in the form of the screen's list.
func Offer(m session.Metadata) Saved {
	return Saved{ID: m.File, Name: m.Name, Messages: m.MessageCount, Model: m.ModelID, Dir: m.Cwd, Updated: m.UpdatedAt}
}

// Load implements tui.Session.
func (t *Conversation) Load(ctx context.Context, which string) (Reply, error) {
	saved, err := t.Saved(ctx)
	if err != nil {
		return Reply{}, err
	}
	if which == "" {
		return Reply{}, errors.New("name a session: /load NUMBER, from /sessions, or /load FILE")
	}
	name := which
	if n, err := strconv.Atoi(which); err == nil {
		if n < 1 || n > len(saved) {
			return Reply{}, fmt.Errorf("there is no session %d: /sessions lists them", n)
		}
		name = saved[n-1].ID
	}
	s, err := session.Open(t.o.Sessions, name)
	if err != nil {
		return Reply{}, err
	}
	model, note := t.model, ""
	if id := s.Metadata().ModelID; id != "" && id != model.Name() && t.o.Open != nil {
		if m, err := t.o.Open(id); err == nil {
			model = m
		} else {
			note = fmt.Sprintf(" Its model %s is not available: %v.", id, err)
		}
	}
	t.mu.Lock()
	old := t.session
	t.session, t.model, t.fresh, t.turns, t.undone = s, model, false, nil, nil
	if t.o.Reopen != nil { // only the session's own changes can be undone
		if err := t.o.Reopen(s.Metadata().ID); err != nil {
			note += " Its changes to files cannot be undone: " + err.Error() + "."
		}
		t.turns = t.earlier()
	}
	_, last := s.Usage()
	t.last = last.InputTokens
	t.o.Caller.State.SetTodo(nil)
	err = t.o.Caller.Forget()
	t.mu.Unlock()
	if err != nil {
		return Reply{}, err
	}
	if err := old.Close(); err != nil {
		note += " " + err.Error()
	}
	if moved := Moved(s.Metadata(), t.o.Dir); moved != "" {
		note += " " + moved
	}
	return Reply{Replaced: true, Entries: Entries(s.State()), Text: fmt.Sprintf("Continuing %q.%s", s.Metadata().Name, note)}, nil
}

// Moved returns a notice if a session began in another folder than it continues in, otherwise "".
// Paths in it refer to the other folder.
func Moved(m session.Metadata, dir string) string {
	if m.Cwd == "" || m.Cwd == dir {
		return ""
	}
	return fmt.Sprintf("It began in %s; the agent now works in %s.", m.Cwd, dir)
}

// Entries returns a conversation in the form of the screen.
func Entries(st session.State) (list []Entry) {
	results := map[string]*agent.Returned{}
	for _, m := range st.Shown {
		for _, p := range m.Parts {
			if p.Result != nil {
				results[p.Result.ID] = p.Result
			}
		}
	}
	for _, m := range st.Shown {
		if m.Role == agent.User {
			list = append(list, Entry{User: typed(m)})
			continue
		}
		for _, p := range m.Parts {
			switch {
			case p.Text != "":
				list = append(list, Entry{Agent: p.Text})
			case p.Call != nil:
				e := Entry{Call: &agent.ToolCall{ToolName: p.Call.Name, ToolCallID: p.Call.ID, Input: p.Call.Input}}
				if r, ok := st.Cards[p.Call.ID]; ok {
					e.Result = &r
				} else if b := results[p.Call.ID]; b != nil {
					e.Result = &agent.Result{}
					if json.Unmarshal([]byte(b.Text), e.Result) != nil || e.Result.Output+e.Result.Error == "" {
						e.Result = &agent.Result{Success: !b.Error, Output: b.Text} // a result of another form
					}
				}
				list = append(list, e)
			}
		}
		if m.Cancelled {
			list = append(list, Entry{Notice: "[cancelled]"})
		}
	}
	return list
}

// typed returns the user's part of a message, without umpire's additions.
func typed(m agent.Message) string {
	for _, p := range m.Parts {
		if p.Text != "" && !agent.Attached(p.Text) {
			return p.Text
		}
	}
	return m.Text()
}

// force reports whether an argument requests overwriting other people's changes.
func force(args string) (rest string, yes bool) {
	words := strings.Fields(args)
	i := slices.Index(words, "force")
	if i >= 0 {
		words = slices.Delete(words, i, i+1)
	}
	return strings.Join(words, " "), i >= 0
}

func (t *Conversation) undo(_ context.Context, args string) (Reply, error) {
	rest, all := force(args)
	n := 1
	if rest != "" {
		var err error
		if n, err = strconv.Atoi(rest); err != nil || n < 1 {
			return Reply{}, fmt.Errorf("%q must be a number of messages", rest)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n > len(t.turns) {
		return Reply{}, fmt.Errorf("only %s of this run can be undone", plural.Count(len(t.turns), "message"))
	}
	report, err := t.o.Changes.Undo(n, all)
	if err != nil {
		return Reply{}, err
	}
	to := t.turns[len(t.turns)-n]
	was := t.session.State().Shown
	if err := t.session.Back(to.before); err != nil {
		return Reply{}, err
	}
	now, draft := t.session.State(), ""
	if len(now.Shown) < len(was) {
		draft = typed(was[len(now.Shown)]) // the first undone message
	}
	for range n {
		last := len(t.turns) - 1
		t.turns, t.undone = t.turns[:last], append(t.undone, t.turns[last])
	}
	again := fmt.Sprintf("`/redo`, then `/undo %d force`", n) // the message itself is undone already
	if n > 1 {
		again = fmt.Sprintf("`/redo` for each message, then `/undo %d force`", n)
	}
	return Reply{Replaced: true, Entries: Entries(now), Draft: draft, Text: undoSummary("Undone", report, again)}, nil
}

func (t *Conversation) redo(_ context.Context, args string) (Reply, error) {
	_, all := force(args)
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.undone) == 0 {
		return Reply{}, errors.New("nothing was undone")
	}
	next := t.undone[len(t.undone)-1]
	report, err := t.o.Changes.Redo(1, all)
	if err != nil {
		return Reply{}, err
	}
	if err := t.session.Back(next.after); err != nil {
		return Reply{}, err
	}
	t.turns, t.undone = append(t.turns, next), t.undone[:len(t.undone)-1]
	return Reply{Replaced: true, Entries: Entries(t.session.State()), Text: undoSummary("Redone", report, "`/undo`, then `/redo force`")}, nil
}

// undoSummary reports an undo or a redo. again are the commands that repeat it and overwrite.
func undoSummary(what string, r undo.Report, again string) string {
	var text string
	var left, overwritten []string
	for _, path := range r.Changed {
		if slices.Contains(r.Restored, path) {
			overwritten = append(overwritten, path)
		} else {
			left = append(left, path)
		}
	}
	switch n := len(r.Restored); {
	case n == 1:
		text = what + "; restored 1 file: " + r.Restored[0] + "."
	case n > 1 && n <= 5:
		text = fmt.Sprintf("%s; restored %s: %s.", what, plural.Count(n, "file"), strings.Join(r.Restored, ", "))
	case n > 5:
		text = fmt.Sprintf("%s; restored %s: %s and %d more.", what, plural.Count(n, "file"), strings.Join(r.Restored[:5], ", "), n-5)
	case len(r.Changed)+len(r.Failed) == 0:
		text = what + "; the file tools had changed nothing, and changes of commands stay."
	default:
		text = what + "; restored no file."
	}
	if len(overwritten) > 0 {
		text += fmt.Sprintf(" Overwritten, with what someone else had changed since: %s.", strings.Join(overwritten, ", "))
	}
	if len(left) > 0 {
		text += fmt.Sprintf(" Left unchanged, because someone else changed them since: %s. To overwrite, run %s.", strings.Join(left, ", "), again)
	}
	if len(r.Failed) > 0 {
		text += " Not restored: " + strings.Join(r.Failed, "; ") + "."
	}
	return text
}
