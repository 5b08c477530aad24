package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/install"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/platform/clients"
	"github.com/umpire-dev/umpire/internal/prune"
	"github.com/umpire-dev/umpire/policy"
)

// slow is the wait for umpire that counts as slow.
const slow = 200 * time.Millisecond

func (d *Doctor) env() install.Env {
	return install.Env{Home: d.Home, Dir: d.Workspace, Getenv: d.Getenv, LookPath: exec.LookPath, Hook: cmp.Or(d.Hook, d.hookProgram())}
}

// Install writes umpire's settings for a client into a temporary home, as `umpire init` does. No
// client can refuse the trust settings there.
func (d *Doctor) Install(client, home, project string) error {
	env := install.Env{Home: home, Dir: project, LookPath: exec.LookPath, Hook: d.hookProgram()}
	changes, err := install.Plan(env, client, install.User, install.Options{Trust: true})
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		return errors.New("`umpire init` would write nothing")
	}
	return install.Apply(env, changes)
}

// agents examines all agents.
func (d *Doctor) agents(ctx context.Context) {
	found := install.Found(d.env())
	if len(found) == 0 {
		d.report(About, "agents", Warn, "install one, and run `umpire init`", "no coding agent was found here")
		return
	}
	var guarded, open []string
	states := make([]install.Status, len(found))
	for i, a := range found {
		s, err := install.Inspect(d.env(), a.Name)
		if err != nil {
			s.Problems = append(s.Problems, install.Problem{Kind: install.Broken, Text: err.Error(), Next: "fix or remove that file"})
		}
		switch states[i] = s; {
		case s.OnlyHere:
			guarded = append(guarded, a.Name+" (only in this project)")
		case s.Installed:
			guarded = append(guarded, a.Name)
		default:
			open = append(open, a.Name)
		}
	}
	switch {
	case len(guarded) == 0:
		d.report(About, "agents", Fail, "run `umpire init`; see "+doclink.Hook.URL(), "no agent is guarded; found: %s", strings.Join(open, ", "))
	case len(open) > 0:
		d.report(About, "agents", Warn, "run `umpire init` for them, or see the problem below", "%s guarded; not guarded: %s", strings.Join(guarded, ", "), strings.Join(open, ", "))
	default:
		d.ok("agents", "%s guarded", strings.Join(guarded, ", "))
	}
	for i, a := range found {
		if ctx.Err() != nil {
			return
		}
		d.agent(ctx, a, states[i])
	}
}

// agent examines one agent. It skips an agent that was never set up.
func (d *Doctor) agent(ctx context.Context, a install.Agent, s install.Status) {
	for i, p := range s.Problems {
		alike := func(o install.Problem) bool { return o.Kind == p.Kind && o.Path == p.Path && o.Next == p.Next }
		if slices.ContainsFunc(s.Problems[:i], alike) {
			continue // one remedy fixes all of them
		}
		status := cmp.Or(map[install.Trouble]Status{install.Broken: Fail, install.Off: Fail, install.Note: OK}[p.Kind], Warn)
		if p.Kind == install.Changed && !s.Installed {
			status = Fail
		}
		text := p.Text
		if p.Path != "" && !strings.Contains(text, p.Path) {
			text = p.Path + ": " + text
		}
		more := 0
		for _, o := range s.Problems[i+1:] {
			if alike(o) {
				more++
			}
		}
		if more > 0 {
			text += fmt.Sprintf(" (and %d more like it)", more)
		}
		d.report(a.Name, "settings", status, p.Next, "%s", text)
	}
	for _, f := range s.Files {
		d.foreign(a, f)
	}
	lines := d.lines(s)
	for _, l := range lines {
		if d.line(a, l) && d.policy != nil {
			d.probe(ctx, a, l)
		}
	}
	if len(lines) > 0 {
		d.newer(a)
	}
	if len(lines) > 0 && s.Heartbeat != "" {
		d.heartbeat(a, s.Heartbeat, s.Files)
	}
}

// newer warns about a release of an agent that umpire was not tested with: it may call its hooks in
// another way, or read other settings.
func (d *Doctor) newer(a install.Agent) {
	bin, err := a.Program(d.env())
	if err != nil || a.Observed == "" || d.Version == nil {
		return
	}
	if v := d.Version(bin); semver.Compare("v"+v, "v"+a.Observed) > 0 {
		d.report(a.Name, "version", Warn, "run `umpire doctor --live "+a.Name+"`", "%s is newer than %s, the newest release that umpire was tested with", v, a.Observed)
	}
}

// commandLine is a command line of umpire in an agent's settings, with its place.
type commandLine struct {
	line  string
	files []string
	users bool // at least one place other than the project
}

// lines lists the different command lines that an agent starts for calls.
func (d *Doctor) lines(s install.Status) (out []commandLine) {
	for _, f := range s.Files {
		for _, o := range f.Ours {
			if !isCall(o.Event) {
				continue
			}
			where := fmt.Sprintf("%s (%s)", f.Path, f.Scope)
			i := slices.IndexFunc(out, func(e commandLine) bool { return e.line == o.Command })
			if i < 0 {
				out, i = append(out, commandLine{line: o.Command}), len(out)
			}
			out[i].users = out[i].users || f.Scope != install.Project
			if !slices.Contains(out[i].files, where) {
				out[i].files = append(out[i].files, where)
			}
		}
	}
	return out
}

// isCall reports whether a hook's event precedes a tool call, by any client's name.
func isCall(event string) bool {
	return anyof.Equal(strings.ToLower(strings.NewReplacer("_", "", ".", "").Replace(event)), "pretooluse", "beforetool", "toolexecutebefore", "toolcall", "preruncommand", "beforeshellexecution", "delegate", "call")
}

// foreign reports hooks of other programs for the same calls.
func (d *Doctor) foreign(a install.Agent, f install.File) {
	seen := map[string]bool{} // a program may be listed for several matchers
	for _, e := range f.Foreign {
		if !isCall(e.Event) || seen[e.Command] {
			continue
		}
		seen[e.Command] = true
		when := "beside umpire"
		if e.Before {
			when = "before umpire"
		}
		if f.Scope == install.Project {
			d.report(a.Name, "others", Warn, "read it: this project brings a program that "+a.Title+" runs", "another hook answers %s: %s (%s)", when, e.Command, f.Path)
			continue
		}
		d.report(a.Name, "others", OK, "", "another hook answers %s: %s (%s)", when, e.Command, f.Path)
	}
}

// line returns the place of a command line, and whether it can be tested. The settings check has
// already looked for its program.
func (d *Doctor) line(a install.Agent, e commandLine) bool {
	const check = "hook"
	prog, text := firstWord(e.line), strings.Join(e.files, ", ")
	if !e.users && (!same(prog, d.hookProgram()) || strings.ContainsAny(e.line, "\n;|&<>`$(){}")) {
		// The author of the project chose this line, so doctor does not run it.
		d.report(a.Name, check, Warn, "read it: this project brings a program that "+a.Title+" runs", "%s starts %s, which is not this umpire; doctor did not run it", text, e.line)
		return false
	}
	if filepath.IsAbs(prog) {
		if info, err := os.Stat(prog); err != nil || info.IsDir() {
			return false
		}
		if filepath.Base(prog) == filepath.Base(d.hookProgram()) && !same(prog, d.hookProgram()) {
			d.report(a.Name, check, Warn, "run `umpire init` again, or remove the other umpire", "%s starts the umpire-hook of another umpire, %s", text, prog)
			return true
		}
	}
	if c := clients.Find(a.Name); c != nil && !c.Asks(&platform.Event{Kind: platform.Call}, d.Getenv) {
		text += "; this agent cannot ask you, so " + d.whenCannotAsk()
	}
	d.report(a.Name, check, OK, "", "%s", text)
	return true
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// whenCannotAsk describes what happens to a question that an agent cannot ask.
func (d *Doctor) whenCannotAsk() string {
	if d.policy != nil && d.policy.CannotAsk() == policy.AskWait {
		return "a call that needs you waits for `umpire approve`"
	}
	return "a call that needs you is denied until `umpire approve`"
}

// firstWord returns the program of a command line, without quotes.
func firstWord(line string) string {
	line = strings.TrimSpace(line)
	if line == "" {
		return ""
	}
	if q := line[0]; q == '\'' || q == '"' {
		if end := strings.IndexByte(line[1:], q); end >= 0 {
			return line[1 : 1+end]
		}
	}
	word, _, _ := strings.Cut(line, " ")
	return word
}

// tempPrefix begins the names of the folders for probes. A killed process leaves its folder behind.
const tempPrefix = "umpire-doctor-"

// probe runs the hook's command line on a harmless and a destructive call, and measures it.
// Both calls come from the folder in which umpire was started, so that this folder's policy
// applies.
func (d *Doctor) probe(ctx context.Context, a install.Agent, e commandLine) {
	const check = "probe"
	prune.Temporary(tempPrefix, time.Hour)
	state, err := os.MkdirTemp("", tempPrefix)
	if err != nil {
		d.report(a.Name, check, Fail, "make the folder for temporary files writable", "%v", err)
		return
	}
	defer os.RemoveAll(state)
	undo, err := home.TrustDir(state, checkTime*runs)
	if err != nil {
		d.report(a.Name, check, Fail, "make umpire's state folder writable", "%v", err)
		return
	}
	defer undo()
	var fates []string
	sound := true
	for _, command := range []string{harmless, destructive} {
		data := payload(a.Name, command, d.Dir)
		expected, known, err := d.expect(a.Name, data)
		switch {
		case err != nil:
			d.report(a.Name, check, Fail, "update umpire", "the probe failed: %v", err)
			return
		case command == destructive && expected == umpire.Allow && known:
			d.report(a.Name, check, Fail, "to see why, run umpire check '"+command+"'", "your policy lets `%s` pass", command)
			sound = false
			continue
		case !known:
			fates = append(fates, fmt.Sprintf("`%s` is for the judge or you", command))
			continue
		case d.policy.Observe():
			expected = umpire.Allow
		}
		s := d.ask(ctx, e.line, data, d.Dir, state)
		got, why := understood(a.Name, s)
		if why == "" && (got == expected || got == umpire.Deny && expected == umpire.Ask) {
			fates = append(fates, fmt.Sprintf("`%s` would be %s", command, effectText(got)))
			continue
		}
		sound = false
		if why == "" {
			why = fmt.Sprintf("it said %s, and the policy says %s", got, expected)
		}
		d.report(a.Name, check, Fail, "run it yourself: "+e.line, "`%s` would be %s: %s", command, effectText(got), why)
	}
	if !sound {
		return
	}
	status, next := OK, ""
	if d.policy.Observe() {
		status, next = Warn, "remove `mode: observe` from the policy"
	}
	d.report(a.Name, check, status, next, "called as %s would: %s", a.Title, strings.Join(fates, ", "))
	d.latency(ctx, a, e, state)
}

func effectText(e umpire.Effect) string {
	switch e {
	case umpire.Allow:
		return "let through"
	case umpire.Ask:
		return "asked about"
	}
	return "denied"
}

// latency measures how long a call waits for umpire, compared with a shell that does nothing.
func (d *Doctor) latency(ctx context.Context, a install.Agent, e commandLine, state string) {
	data := payload(a.Name, harmless, d.Dir)
	measure := func(line string) (p50, longest time.Duration) {
		var took []time.Duration
		for range runs {
			took = append(took, d.ask(ctx, line, data, d.Dir, state).took)
		}
		slices.Sort(took)
		return took[len(took)/2], took[len(took)-1]
	}
	p50, longest := measure(e.line)
	idle, _ := measure(":")
	status, next := OK, ""
	if p50 > slow {
		status, next = Warn, "see what the machine is busy with; `umpire audit stats` has umpire's share"
	}
	d.report(a.Name, "latency", status, next, "%d calls: median %s, longest %s; a shell that does nothing takes %s", runs, millis(p50), millis(longest), millis(idle))
}

func millis(t time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(t)/float64(time.Millisecond))
}

// heartbeat checks that the agent has loaded umpire's plugin: it reports no error for one that it
// cannot load.
func (d *Doctor) heartbeat(a install.Agent, path string, files []install.File) {
	const check = "plugin"
	next := "start " + a.Title + " once, and look again"
	beat, err := os.Stat(path)
	if err != nil {
		d.report(a.Name, check, Warn, next, "%s has not loaded umpire's plugin yet, and does not report a failure to load it", a.Title)
		return
	}
	for _, f := range files {
		if info, err := os.Stat(f.Path); len(f.Ours) > 0 && err == nil && info.ModTime().After(beat.ModTime()) {
			d.report(a.Name, check, Warn, next, "%s has not loaded umpire's plugin since it was written", a.Title)
			return
		}
	}
	d.report(a.Name, check, OK, "", "last loaded %s", beat.ModTime().Format("2006-01-02 15:04"))
}
