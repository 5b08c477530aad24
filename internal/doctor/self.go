package doctor

import (
	"context"
	"debug/buildinfo"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/audit"
	"github.com/umpire-dev/umpire/internal/doclink"
	"github.com/umpire-dev/umpire/internal/home"
	"github.com/umpire-dev/umpire/internal/packs"
	"github.com/umpire-dev/umpire/internal/plural"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/internal/question"
	"github.com/umpire-dev/umpire/internal/snapshot"
)

// maxVerify limits the part of the log that doctor verifies, in bytes.
const maxVerify = 128 << 20

// hookProgram is the path of umpire-hook, beside umpire.
func (d *Doctor) hookProgram() string {
	return filepath.Join(filepath.Dir(d.Exe), "umpire-hook"+filepath.Ext(d.Exe))
}

// programs checks that both programs exist, have the same version, and cannot be changed by other
// users.
func (d *Doctor) programs() {
	const check = "programs"
	hook := d.hookProgram()
	if info, err := os.Stat(hook); err != nil {
		d.report(About, check, Fail, "install both programs into one folder, and run `umpire init` again", "umpire-hook is not in the folder of umpire: %v", err)
		return
	} else if info.IsDir() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		d.report(About, check, Fail, "run `chmod 755 "+hook+"`", "%s is not a program", hook)
		return
	}
	mine, theirs := build(d.Exe), build(hook)
	if mine != theirs {
		d.report(About, check, Fail, "install both programs from one release", "umpire is %s and umpire-hook is %s", mine, theirs)
		return
	}
	for _, path := range []string{d.Exe, hook} {
		if why := writable(path); why != "" {
			d.report(About, check, Fail, "install umpire where only you or root can write, and run `umpire init` again", "someone else can replace %s: %s", path, why)
			return
		}
	}
	if runtime.GOOS == "linux" && linksC(d.Exe) {
		d.report(About, check, Warn, "build it with CGO_ENABLED=0, as `make build` does", "umpire was built with cgo: reviewers of untrusted code lose two layers of isolation")
		return
	}
	d.ok(check, "%s and umpire-hook beside it, %s", d.Exe, mine)
}

// linksC reports whether a program was built with cgo. C code starts threads that Go does not know,
// and a sandbox must restrict all threads. `go install` uses cgo if there is a C compiler.
func linksC(path string) bool {
	info, err := buildinfo.ReadFile(path)
	return err == nil && slices.ContainsFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == "CGO_ENABLED" && s.Value == "1" })
}

// build returns the build information of a program.
func build(path string) string {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return "of an unknown build"
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return v
}

func (d *Doctor) rules() {
	const check = "policy"
	p, loaded, err := d.Policy()
	if err != nil {
		n, first := 1, err
		var errs policyfile.Errors
		if errors.As(err, &errs) && len(errs) > 0 {
			n, first = len(errs), errs[0]
		}
		d.report(About, check, Fail, "run `umpire policy check`, which shows every fault", "%s, so the last valid or the built-in policy is in force: %v", plural.Count(n, "fault"), first)
		return
	}
	d.policy, d.people = p, loaded.Approval.Gateway
	rest := map[umpire.Effect]string{umpire.Allow: "runs", umpire.Ask: "is asked about", umpire.Deny: "is denied"}[p.Default()]
	switch {
	case p.Observe():
		d.report(About, check, Warn, "remove `mode: observe` from the policy when `umpire status` shows few denials and questions", "%s, and all of them only observe: nothing is stopped", plural.Count(p.Len(), "rule"))
	case len(loaded.Warnings) > 0:
		d.report(About, check, Warn, "run `umpire policy check`", "%s; a call that none of them settles %s; %s: %s", plural.Count(p.Len(), "rule"), rest, plural.Count(len(loaded.Warnings), "warning"), loaded.Warnings[0])
	default:
		d.ok(check, "%s; a call that none of them settles %s", plural.Count(p.Len(), "rule"), rest)
	}
}

// compiled checks that the hook finds the compiled policy. It recompiles a stale one as the hook
// would, to see whether that works.
func (d *Doctor) compiled(ctx context.Context) {
	const check = "snapshot"
	if d.policy == nil {
		return // already reported, by the hook at each call and by the finding above
	}
	layers := snapshot.DefaultLayers(d.Home, d.Workspace, d.Getenv)
	if layers.Empty() {
		d.ok(check, "the built-in policy is in force, already compiled")
		return
	}
	builtin, err := packs.Default()
	if err != nil {
		d.report(About, check, Fail, "install umpire again", "the built-in policy is damaged: %v", err)
		return
	}
	path := layers.Name(snapshot.CacheDir(d.Home, d.Workspace, d.Getenv), d.Workspace)
	s, err := snapshot.Open(path, builtin.Hash(), snapshot.Stat)
	if err != nil {
		ctx, cancel := context.WithTimeout(ctx, checkTime)
		defer cancel()
		cmd := exec.CommandContext(ctx, d.Exe, "policy", "compile", "--quiet", "--dir", d.Workspace)
		cmd.WaitDelay = time.Second
		_ = cmd.Run() // the next Open shows the result
		if s, err = snapshot.Open(path, builtin.Hash(), snapshot.Stat); errors.Is(err, snapshot.ErrStale) {
			s, err = snapshot.Last(path) // written within one tick of the clock
		}
	}
	switch {
	case err != nil:
		d.report(About, check, Fail, "make "+filepath.Dir(path)+" a folder that you can write to", "cannot store the compiled policy, so every call waits for compiling: %v", err)
	case s.Policy.Hash() != d.policy.Hash():
		d.report(About, check, Fail, "run `umpire policy compile`", "the compiled policy is not the one in force here")
	case s.Fault != "":
		d.report(About, check, Fail, "run `umpire policy check`", "the last good policy is in force: %s", s.Fault)
	default:
		d.ok(check, "the compiled policy is fresh")
	}
}

// folders checks that the environment names the folders from the setup of umpire.
func (d *Doctor) folders() {
	const check = "folders"
	own := home.Own()
	if own == "" {
		d.ok(check, "the environment names the right folders")
		return
	}
	for _, v := range home.Moved(own, d.Getenv) {
		d.report(About, check, Warn, "if you moved them, run `umpire init` in your own terminal; otherwise find out what sets "+v.Name, "%s is %q, and umpire was set up in %s, so files there can only make the policy stricter", v.Name, v.Dir, own)
	}
}

// state checks that decisions are recorded, and that the audit log is intact.
func (d *Doctor) state() {
	const check = "record"
	dir, err := audit.DefaultDir()
	if err == nil {
		err = tryWrite(dir)
	}
	if err != nil {
		d.report(About, check, Fail, "free space there, or make it a folder that only you can write to: mkdir -p, chmod 700", "decisions cannot be recorded: %v", err)
		return
	}
	var size int64
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	if size > maxVerify {
		d.report(About, check, OK, "run `umpire audit verify` for it", "decisions are recorded in %s; it is large, so its chain was not verified here", dir)
		return
	}
	r, err := audit.Verify(dir)
	switch {
	case audit.IsMissing(err), err == nil && r.OK() && r.Events == 0:
		d.ok(check, "decisions will be recorded in %s", dir)
	case err != nil:
		d.report(About, check, Fail, "run `umpire audit verify`", "cannot read the record: %v", err)
	case !r.OK():
		d.report(About, check, Fail, "run `umpire audit verify`; someone changed it, or the disk did", "the record was tampered with: %s", r.Faults[0])
	default:
		d.ok(check, "%s in %s, the chain is whole", plural.Count(r.Events, "event"), dir)
		d.unjudged(dir)
	}
}

// unjudged reports the calls of the last day that ran without a complete check, and the cause of the
// last one.
func (d *Doctor) unjudged(dir string) {
	const check = "decisions"
	n, cause := 0, ""
	for r, err := range audit.Read(dir, audit.Query{Since: time.Now().Add(-24 * time.Hour)}) {
		if err != nil {
			d.report(About, check, Warn, "run `umpire audit verify`", "cannot read the record: %v", err)
			return
		}
		if why := r.Data[audit.Unjudged]; why != "" {
			n, cause = n+1, why
		}
	}
	if n > 0 {
		d.report(About, check, Warn, "run `umpire audit search --failed`, which lists them; if an agent sent them, update umpire or the agent",
			"%s ran without a complete check in the last 24 hours, the last because: %s", plural.Count(n, "call"), cause)
		return
	}
	d.ok(check, "every call of the last 24 hours had a decision")
}

// tryWrite creates a file in the folder and removes it, together with the folder if it is new: a
// check must leave nothing behind.
func tryWrite(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		defer os.Remove(dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if _, err := audit.Open(dir, audit.Options{}); err != nil { // like the hook
		return err
	}
	f, err := os.CreateTemp(dir, ".doctor-")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, 16<<10)) // a full disk still accepts empty files
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

func (d *Doctor) questions() {
	const check = "questions"
	dir, err := audit.DefaultDir()
	if err != nil {
		return
	}
	open, err := question.Open(filepath.Join(dir, "questions")).List(question.Pending)
	switch {
	case err != nil:
		d.report(About, check, Warn, "check the folder questions in "+dir, "cannot read questions: %v", err)
	case len(open) > 0:
		d.report(About, check, Warn, "run `umpire questions` to see them", "%s without an answer", plural.Count(len(open), "question"))
	default:
		d.ok(check, "none pending")
	}
}

// gateway checks that the people at the policy's gateway can be asked.
func (d *Doctor) gateway(ctx context.Context) {
	const check = "gateway"
	if d.Gateway == nil || d.people == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if err := d.Gateway(ctx, d.people); err != nil {
		d.report(About, check, Warn, "correct `approval.gateway` in the policy, or the token there; see "+doclink.Gateway.URL(), "no one at %s can be asked: %v", d.people.URL, err)
		return
	}
	d.ok(check, "questions also go to the people at %s", d.people.URL)
}

// models checks that the judge has a provider.
func (d *Doctor) models(ctx context.Context) {
	const check = "judge"
	if d.Models == nil || d.policy == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	list, err := d.Models(ctx)
	if err != nil {
		d.report(About, check, Fail, "run `umpire judge providers`", "it is not available: %v", err)
		return
	}
	if len(list) == 0 {
		d.ok(check, "off: the policy has no judge")
		return
	}
	var why []string
	for _, s := range list {
		if s.Available {
			d.ok(check, "%s comes first, %s", s.Name, s.Model)
			return
		}
		why = append(why, s.Name+": "+s.Why)
	}
	d.report(About, check, Warn, "run `umpire judge providers`", "no provider is available, so rules and the default decide alone: %s", strings.Join(why, "; "))
}

// box checks whether `umpire run` works here. Hooks do not need it, so a problem is never a
// failure.
func (d *Doctor) box(ctx context.Context) {
	const about = "box"
	if d.Box == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	list, err := d.Box(ctx)
	if err != nil {
		d.report(about, "box", Warn, "", "`umpire run` does not work here: %v", err)
		return
	}
	for _, l := range list {
		switch {
		case l.OK:
			d.report(about, l.Name, OK, "", "%s", l.Text)
		case l.Tried:
			d.report(about, l.Name, Warn, boxCures[l.Name], "%s", l.Text)
		default:
			d.report(about, l.Name, Warn, "", "%s", l.Text)
		}
	}
}

// boxCures has the next step for each missing layer.
var boxCures = map[string]string{
	"namespaces":  "see whether sysctl kernel.unprivileged_userns_clone, user.max_user_namespaces or kernel.apparmor_restrict_unprivileged_userns forbids them, or the container's seccomp profile",
	"overlay":     "use a kernel of 5.11 or newer, and keep the state folder on a file system that an overlay can write to",
	"pivot_root":  "run it outside the container or chroot",
	"connections": "programs without proxy settings reach nothing; `umpire run --best-effort` starts anyway",
	"landlock":    "use a kernel of 6.2 or newer, with landlock among its security modules (lsm=)",
	"seccomp":     "use a kernel with CONFIG_SECCOMP_FILTER",
	"box":         "`umpire run` starts nothing here until this works",
}
