// Package agent has `umpire agent`, the terminal agent with its interfaces.
package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/enforce"
	"github.com/umpire-dev/umpire/hooks"
	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
	"github.com/umpire-dev/umpire/internal/agent/folder"
	"github.com/umpire-dev/umpire/internal/agent/mcpclient"
	"github.com/umpire-dev/umpire/internal/agent/provider"
	"github.com/umpire-dev/umpire/internal/agent/session"
	"github.com/umpire-dev/umpire/internal/agent/tool"
	"github.com/umpire-dev/umpire/internal/agent/undo"
	"github.com/umpire-dev/umpire/internal/answer"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/grant"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/project"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/sandbox"
	"github.com/umpire-dev/umpire/internal/snapshot"
	"github.com/umpire-dev/umpire/internal/terminal"
	"github.com/umpire-dev/umpire/internal/tui"
	"github.com/umpire-dev/umpire/internal/version"
	"github.com/umpire-dev/umpire/internal/visible"
	"github.com/umpire-dev/umpire/internal/wire"
	"github.com/umpire-dev/umpire/policy"
)

// world is the state that all interfaces of one agent share.
type world struct {
	flags    flags
	at       project.Project
	warn     func(error) // reports messages before there is a screen
	state    string      // umpire's state folder
	config   string      // the folder of the user's policy
	sessions string
	settings config
	gateway  *policyfile.Gateway // the gateway to ask as well, if the policy names one
	waits    time.Duration       // how long to wait for people elsewhere if no one can answer here; 0: do not wait
	caller   *agent.Caller
	jobs     *tool.Jobs
	asked    sync.WaitGroup // questions at the gateway, and cancellations of those answered here
	boxes    tool.Options
	hooks    *hooks.Executor
	log      *programLog // of hooks and of policy faults
	system   string
	outside  []folder.File
	model    agent.Model
	open     func(string) (agent.Model, error)
	models   func(context.Context) ([]conversation.Model, error)
	trusts   bool
	changes  *turnChanges
	review   *quarantined
}

// turnChanges holds the file changes of the open session.
type turnChanges struct {
	dir string
	*undo.Store
}

func (c *turnChanges) open(id string) (err error) {
	c.Store, err = undo.Open(filepath.Join(c.dir, id))
	return err
}

// tidy removes the file records of sessions that are no longer kept.
func (c *turnChanges) tidy(sessions string) {
	all, err := os.ReadDir(c.dir)
	if err != nil {
		return // nothing to remove
	}
	kept, err := session.List(sessions, nil)
	if err != nil {
		return // retry at the next start
	}
	for _, e := range all {
		info, err := e.Info()
		// A new session has no file yet.
		if err != nil || time.Since(info.ModTime()) < 24*time.Hour || slices.ContainsFunc(kept, func(m session.Metadata) bool { return m.ID == e.Name() }) {
			continue
		}
		_ = os.RemoveAll(filepath.Join(c.dir, e.Name())) // retry at the next start
	}
}

// newWorld sets up an agent. It asks whether to trust the folder before umpire reads any of its
// settings. If ask is nil, no one can answer, and only an earlier trust counts.
func newWorld(f flags, stderr io.Writer, ask func(files []string) (bool, error)) (*world, error) {
	at, err := project.At(f.dir)
	if err != nil {
		return nil, err
	}
	w := &world{flags: f, at: at, warn: func(err error) { fmt.Fprintf(stderr, "umpire: %s\n", visible.Line(err.Error())) }}
	if w.state, err = audit.DefaultDir(); err != nil {
		return nil, err
	}
	layers := snapshot.DefaultLayers(at.Home, at.Workspace, os.Getenv)
	w.sessions = filepath.Join(w.state, "agent", "sessions")
	if w.config, w.settings, err = readSettings(at.Home); err != nil {
		return nil, err
	}
	// Do not ask about trust if no model could be available anyway.
	if _, err := f.provides(w.settings, os.Getenv); err != nil && (!errors.Is(err, provider.ErrNoKey) || !folder.HasEnv(at.Dir)) {
		return nil, err
	}
	trusted, err := w.trusted(ask)
	if err != nil {
		return nil, err
	}
	w.trusts = trusted
	if err := w.openModel(trusted); err != nil {
		return nil, err
	}
	w.log = &programLog{to: lineWriter(func(text string) { _, _ = fmt.Fprintln(stderr, "umpire: "+text) })}
	e, err := enforce.Open(enforce.Options{Platform: "umpire", Dir: at.Dir, State: w.state, Log: slog.New(notices{to: w.log})})
	if err != nil {
		return nil, err
	}
	if e.Policy().CannotAsk() == policy.AskWait { // as with every policy that names a gateway
		loaded, err := at.Settings()
		if err != nil {
			return nil, err
		}
		w.gateway, w.waits = loaded.Approval.Gateway, cmp.Or(loaded.Approval.Wait, answer.DefaultWait)
	}
	w.jobs = &tool.Jobs{}
	w.hooks = &hooks.Executor{Approver: hookAsks{w}, Log: slog.New(notices{to: w.log})}
	for _, h := range w.settings.Hooks {
		if err := w.hooks.Add(h); err != nil {
			return nil, fmt.Errorf("agent.json: %w", err)
		}
	}
	// An answer "always" makes the policy's folder. It exists before the first call is judged, because
	// a folder that appears later could redirect what the call reads.
	if layers.User != "" {
		_ = os.MkdirAll(filepath.Dir(layers.User), 0o700) // the answer reports why it cannot be written
	}
	w.caller = &agent.Caller{Enforcer: e, Hooks: w.hooks, State: &agent.RunState{}, Dir: at.Dir,
		Box: f.box || w.settings.Sandbox, Boxed: "sandboxed: this folder is writable, no network, no secrets",
		Keep: func(g grant.Grant) error { return w.keep(layers.User, g) }}
	w.changes = &turnChanges{dir: filepath.Join(w.state, "agent", "undo")}
	w.boxes = tool.Options{
		Changes:   w.changes,
		Protected: append([]string{w.config, w.state, "/etc/umpire"}, layers.Project),
		State:     filepath.Join(w.state, "agent"), Home: at.Home, Jobs: w.jobs,
		Env: w.settings.Env, ReadOnly: append(tool.Toolchains(at.Home, os.Getenv), w.settings.ReadOnly...), Writable: w.settings.Writable,
	}
	tools := tool.New(w.boxes)
	if err := w.caller.Add(tools...); err != nil {
		return nil, err
	}
	var files []folder.File
	if !f.noContext {
		files = folder.Context(w.config, at.Workspace, at.Dir, trusted, func(s string) { fmt.Fprintf(stderr, "umpire: %s\n", visible.Line(s)) })
		for _, c := range files {
			note := ""
			if !c.Yours && !trusted {
				note = " as data, because this folder is not trusted"
			}
			fmt.Fprintf(stderr, "umpire: context from %s%s\n", visible.Line(c.Name), note)
		}
	}
	w.system = folder.System(at.Dir, tools, files, trusted)
	w.outside = folder.Untrusted(files, trusted)
	return w, nil
}

func (w *world) trust() folder.Trust {
	return folder.Trust{Path: filepath.Join(w.state, "agent", "trust.json")}
}

// trusted reports whether the user trusts the folder in its current state, and asks if someone can
// answer. A folder without agent settings needs no trust.
func (w *world) trusted(ask func(files []string) (bool, error)) (bool, error) {
	files, err := folder.Surface(w.at.Workspace, w.at.Dir)
	if err != nil || len(files) == 0 {
		return err == nil, err
	}
	digest := folder.Digest(files)
	ok, err := w.trust().Has(w.at.Dir, digest)
	if ok || err != nil || ask == nil {
		return ok, err
	}
	var names []string
	for path := range files {
		names = append(names, path)
	}
	slices.Sort(names)
	if ok, err = ask(names); ok && err == nil {
		if err = w.trust().Set(w.at.Dir, digest); err == nil {
			err = answer.RecordChange(audit.Agent, answer.Change{What: "trust", Names: "sha256 " + digest, Path: w.at.Dir})
		}
	}
	return ok && err == nil, err
}

// openModel selects the model: by flag, by variable, by agent.json. It reads a .env of the
// folder only if the folder is trusted, because the file chooses the server that gets the
// conversation.
func (w *world) openModel(trusted bool) error {
	local := map[string]string{}
	if trusted {
		var err error
		if local, err = folder.Env(w.at.Dir, "PROVIDER", "MODEL_ID", "OPENROUTER_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OLLAMA_BASE_URL"); err != nil {
			return err
		}
	}
	getenv := func(k string) string {
		if v := os.Getenv(k); v != "" {
			return v
		}
		return local[k]
	}
	c, err := w.flags.provides(w.settings, getenv)
	if err != nil {
		return err
	}
	w.review = &quarantined{dir: w.at.Dir, model: c}
	w.models = func(ctx context.Context) (list []conversation.Model, err error) {
		names, err := provider.Models(ctx, c)
		for _, n := range names {
			m := conversation.Model{ID: n}
			if p, ok := wire.PriceOf(n); ok {
				m.Note = fmt.Sprintf("$%.2f in, $%.2f out a million tokens", float64(p.In)/100, float64(p.Out)/100)
			}
			list = append(list, m)
		}
		return list, err
	}
	w.open = func(id string) (agent.Model, error) {
		c := c
		c.Model = id
		return provider.New(c)
	}
	w.model, err = provider.New(c)
	return err
}

// keep writes permanent permissions into the user's policy.
func (w *world) keep(path string, g grant.Grant) error {
	if path == "" {
		return errors.New("cannot store a rule: HOME is not set")
	}
	reason := fmt.Sprintf("allowed by %s in the agent, %s, in %s", terminal.UserName(), time.Now().Format(time.DateOnly), w.at.Dir)
	var list []policyfile.AllowRule
	for _, p := range g.Parts {
		list = append(list, policyfile.AllowRule{Pattern: p.Pattern, Platform: "umpire", Tools: g.Tools, Foreign: !p.Clean, Without: p.Without, Reason: reason})
	}
	ids, err := policyfile.Add(path, list...)
	if err != nil {
		return err
	}
	names := strings.Join(ids, ", ") + ": allow " + strings.ReplaceAll(g.String(), "\n", ", ")
	if err := answer.RecordChange(audit.Agent, answer.Change{What: "policy", Names: names, Path: path}); err != nil {
		_, undo := policyfile.Revoke(path, ids[0]) // no rule without a record
		return errors.Join(err, undo)
	}
	return nil
}

// begin opens the session that the flags name, or a new one.
func (w *world) begin() (*session.Session, error) {
	name := ""
	switch {
	case w.flags.resume != "" || w.flags.cont:
		list, err := session.List(w.sessions, w.warn)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			if w.flags.resume != "" && (m.ID == w.flags.resume || m.File == w.flags.resume) || w.flags.cont && m.Cwd == w.at.Dir {
				name = m.File
				break
			}
		}
		switch {
		case name == "" && w.flags.cont:
			return nil, errors.New("this folder has no session to continue: start without --continue; `umpire agent sessions` lists those of all folders")
		case name == "":
			return nil, session.ErrNone
		}
	default:
		return session.New(w.sessions, w.at.Dir, w.model.Name()), nil
	}
	s, err := session.Open(w.sessions, name)
	if err != nil {
		return nil, err
	}
	if id := s.Metadata().ModelID; id != "" && w.flags.model == "" {
		if m, err := w.open(id); err == nil {
			w.model = m
		}
	}
	if moved := conversation.Moved(s.Metadata(), w.at.Dir); moved != "" {
		w.warn(errors.New("the session continues in another folder. " + moved))
	}
	return s, nil
}

// talk starts the conversation.
func (w *world) talk(s *session.Session, adjust func(*conversation.Options)) (*conversation.Conversation, error) {
	w.changes.tidy(w.sessions)
	if err := w.changes.open(s.Metadata().ID); err != nil {
		return nil, err
	}
	o := conversation.Options{Changes: w.changes, Reopen: w.changes.open, Dir: w.at.Dir, Sessions: w.sessions, Session: s, Caller: w.caller, Model: w.model, Open: w.open,
		System: w.system, Untrusted: w.outside, Hooks: w.hooks, MaxTurns: cmp.Or(w.flags.maxTurns, int(w.settings.MaxTurns)), MaxCost: w.flags.maxCost, Effort: cmp.Or(w.flags.effort, w.settings.Effort), Window: int64(w.settings.Window), List: w.models, Price: priced}
	if u, err := user.Current(); err == nil {
		o.User = u.Username
	}
	if !w.flags.costSet {
		o.MaxCost = float64(w.settings.MaxCost)
	}
	if small := cmp.Or(w.flags.small, w.settings.SmallModel); small != "" {
		var err error
		if o.Small, err = w.open(small); err != nil {
			return nil, err
		}
	}
	if adjust != nil {
		adjust(&o)
	}
	var t *conversation.Conversation
	o.Commands = append(o.Commands, w.review.command(func() *conversation.Conversation { return t }))
	t = conversation.New(o)
	return t, w.caller.Add(t.Task(), w.review.tool())
}

// servers connects the tool servers in the user's mcp.json, and those of a trusted folder. approve
// asks about new or changed tools; if nil, they are left out.
func (w *world) servers(ctx context.Context, approve func(context.Context, mcpclient.Offer) (bool, error), warn func(string)) func() {
	list, err := mcpclient.Load(filepath.Join(w.config, "mcp.json"), os.Getenv)
	if err != nil {
		warn(err.Error())
	}
	if w.trusts {
		own, err := mcpclient.Load(filepath.Join(w.at.Dir, ".mcp.json"), os.Getenv)
		if err != nil {
			warn(err.Error())
		}
		for _, s := range own {
			if !slices.ContainsFunc(list, func(t mcpclient.Server) bool { return t.Name == s.Name }) {
				list = append(list, s)
			}
		}
	}
	if len(list) == 0 {
		return func() {}
	}
	clients, _, _ := mcpclient.Connect(ctx, list, mcpclient.Options{State: filepath.Join(w.state, "agent", "mcp"), Version: version.String(), Dir: w.at.Dir, Environ: os.Environ(), Approve: approve,
		Box: func(program, dir string) (sandbox.Config, func() error, error) {
			return w.boxes.Box(program, dir, w.at.Workspace)
		},
		Late: func() {
			if approve == nil { // otherwise the screen is up, and no one waits
				warn("some tool servers have not answered yet; they have 30 seconds")
			}
		},
		Ready: func(tools []agent.Tool, warnings []string) {
			for _, text := range warnings {
				warn(text)
			}
			for _, t := range tools {
				if err := w.caller.Add(t); err != nil {
					warn(err.Error())
				}
			}
		}})
	return clients.Close
}

// offered is the question about a server's tools.
func offered(o mcpclient.Offer) (title, text string) {
	var b strings.Builder
	for _, part := range []struct {
		what string
		list []mcpclient.Info
	}{{"new", o.New}, {"CHANGED since you approved it", o.Changed}} {
		for _, i := range part.list {
			fmt.Fprintf(&b, "%s (%s)\n  %s\n", i.Name, part.what, strings.ReplaceAll(strings.TrimSpace(i.Description), "\n", "\n  "))
			for _, says := range i.Says() {
				fmt.Fprintf(&b, "    %s\n", strings.ReplaceAll(strings.TrimSpace(says), "\n", "\n    "))
			}
		}
	}
	return "Offer these tools of " + o.Server + " to the model? (" + o.Origin + ")", b.String()
}

// hookAsks asks the user of the agent a hook's question.
type hookAsks struct{ w *world }

// Approve implements hooks.Approver.
func (h hookAsks) Approve(ctx context.Context, id, message string) error {
	if h.w.caller.Asker == nil {
		return errors.New("no one is here to ask: " + message)
	}
	a, err := h.w.caller.Asker.Ask(ctx, agent.Question{ID: id, Tool: "a hook asks", Input: "{}", Dir: h.w.at.Dir, Reason: visible.Block(message)})
	switch {
	case err != nil:
		return err
	case a.Choice == agent.No || a.Choice == agent.Stop:
		return errors.New(strings.TrimSpace("the user said no " + a.Note))
	}
	return nil
}

// gatewayAsker asks the user, and the people at a gateway if the policy names one.
type gatewayAsker struct {
	local agent.Asker // nil: no user is there
	w     *world
	waits time.Duration // time limit if no one is here; 0: as long as a question stays open
}

// Ask implements agent.Asker.
func (e gatewayAsker) Ask(ctx context.Context, q agent.Question) (agent.Answer, error) {
	if g := e.w.gateway; g != nil {
		box := question.Open(filepath.Join(e.w.state, "questions"))
		if open, err := box.Find(q.ID); err == nil && open.State == question.Pending {
			// An answer at the gateway reaches the box and ends ctx.
			e.w.asked.Go(func() { _ = answer.AskGateway(ctx, box, e.w.state, g, q.Action, open) }) // if the gateway cannot ask anyone, the question stays open here
		}
	}
	if e.local == nil {
		if e.waits > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, e.waits)
			defer cancel()
		}
		<-ctx.Done()
		return agent.Answer{}, ctx.Err()
	}
	return e.local.Ask(ctx, q)
}

// end ends the background jobs. It cancels the questions at the gateway, or records their local
// answers there.
func (w *world) end() {
	w.jobs.Close()
	done := make(chan struct{})
	go func() {
		w.asked.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(answer.OfferTime + answer.WithdrawTime): // each has that long after its answer
	}
}

func (f *flags) runTerminal(cmd *cobra.Command, message string) error {
	if f.resume == chooseSession {
		f.resume, message = "", "/sessions"
	}
	w, err := newWorld(*f, cmd.ErrOrStderr(), func(files []string) (bool, error) { return askTrustFirst(cmd, f.by, files) })
	if err != nil {
		return err
	}
	defer w.end()
	s, err := w.begin()
	if err != nil {
		return err
	}
	typed := inputHistory{filepath.Join(w.state, "agent", "history")}
	o := tui.Options{Lines: f.lines, Inline: f.inline, Prompt: message, Entries: conversation.Entries(s.State()), History: typed.read(),
		Remember: func(text string) { _ = typed.add(text) }} // the history is a convenience
	if !f.cont && f.resume == "" && message == "" {
		list, err := session.List(w.sessions, w.warn)
		// /sessions lists those of other folders. An empty session was undone completely.
		here := slices.IndexFunc(list, func(m session.Metadata) bool { return m.Cwd == w.at.Dir && m.MessageCount > 0 })
		if err == nil && here >= 0 {
			newest := conversation.Offer(list[here])
			o.Resume = &newest
		}
	}
	ui := tui.New(o)
	ctx := cmd.Context()
	w.caller.Asker = gatewayAsker{local: ui, w: w}
	w.log.set(lineWriter(func(text string) { ui.Warn(ctx, text) })) // log through the screen, not across it
	t, err := w.talk(s, func(o *conversation.Options) {
		o.Output = func(id, piece string) { ui.Output(ctx, id, piece) }
		o.Doing = func(text string) { ui.Doing(ctx, text) }
		o.Notice = func(text string) { ui.Notice(ctx, text) }
		o.Warn = func(text string) { ui.Warn(ctx, text) }
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	connected := make(chan func(), 1)
	go func() { // servers connect while the screen is already up
		connected <- w.servers(ctx, func(ctx context.Context, o mcpclient.Offer) (bool, error) {
			title, text := offered(o)
			return ui.Confirm(ctx, title, text)
		}, func(text string) { ui.Warn(ctx, text) })
	}()
	err = errors.Join(ui.Run(ctx, t), t.Close())
	cancel()
	(<-connected)()
	refused := errors.Is(err, tui.ErrRefused)
	if m := t.Session().Metadata(); (err == nil || refused || errors.Is(err, tui.ErrFailed)) && m.MessageCount > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "umpire: to continue this session, run umpire agent --resume %s\n", m.ID)
	}
	if refused {
		w.warn(err)
		return cli.ExitError(ExitStopped)
	}
	return err
}

// askTrust asks a person at a terminal whether to trust the agent settings of a folder.
func askTrust(at func() (terminal.Person, error), files []string) (bool, error) {
	t, err := at()
	if err != nil {
		return false, err
	}
	defer func() { _ = t.Close() }() // nothing was written
	showTrust(t, files)
	said, err := t.Ask(trustQuestion)
	return err == nil && terminal.Yes(said), err
}

// askTrustFirst is askTrust before the screen takes over. It reads one line of standard input
// and no more. Without a person at the terminal, the folder is not trusted.
func askTrustFirst(cmd *cobra.Command, by cli.Invoker, files []string) (bool, error) {
	in, out := cmd.InOrStdin(), cmd.ErrOrStderr()
	if here := cli.OnTerminal(in) && by.Agent() == nil; !here {
		return false, nil
	}
	showTrust(out, files)
	fmt.Fprint(out, trustQuestion)
	return terminal.Yes(oneLine(in)), nil
}

// oneLine reads up to the end of one line.
func oneLine(in io.Reader) string {
	var b [1]byte
	line := ""
	for len(line) < 100 {
		if n, err := in.Read(b[:]); n == 0 || err != nil || b[0] == '\n' {
			break
		}
		line += string(b[0])
	}
	return strings.TrimSpace(line)
}

const trustQuestion = "Trust these files as they are now? [y/N] "

func showTrust(w io.Writer, files []string) {
	fmt.Fprintln(w, "These files in this folder would instruct or configure the agent:")
	for i, f := range files {
		if i == 20 {
			fmt.Fprintf(w, "  and %d more\n", len(files)-i)
			break
		}
		fmt.Fprintf(w, "  %s\n", visible.Line(f))
	}
}

// priced returns the price of a response by the model's list price. Cached tokens cost less.
func priced(model string, u agent.Usage) (dollars float64, ok bool) {
	p, ok := wire.PriceOf(model)
	return p.Of(wire.Tokens{In: u.InputTokens, Cached: u.CachedTokens, Written: u.WrittenTokens, Out: u.OutputTokens}).Dollars(), ok
}
