package host

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/place"
	"github.com/umpire-dev/umpire/internal/redact"
	"github.com/umpire-dev/umpire/internal/visible"
)

// zero is git's notation for no commit. An Update uses "" instead.
const zero = "0000000000000000000000000000000000000000"

// emptyTree is the hash of the empty tree.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// Update moves one branch or tag of the remote to another commit.
type Update struct {
	Ref    string   `json:"ref"`
	Old    string   `json:"old,omitempty"` // empty if the ref does not exist
	New    string   `json:"new,omitempty"` // empty if the ref is deleted
	Force  bool     `json:"force,omitempty"`
	Main   bool     `json:"main,omitempty"`   // the remote's default branch
	Doubts []string `json:"doubts,omitempty"` // warnings for people
}

// GoodCommit reports whether a text is a full object name.
func GoodCommit(c string) bool {
	return len(c) == len(zero) && strings.Trim(c, "0123456789abcdef") == "" && c != zero
}

// GoodRef checks the name of a branch or tag. It is stricter than git: it refuses characters
// that people cannot see or that would disturb a line.
func GoodRef(ref string) error {
	name, ok := strings.CutPrefix(ref, "refs/heads/")
	if !ok {
		name, ok = strings.CutPrefix(ref, "refs/tags/")
	}
	bad := func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == utf8.RuneError || strings.ContainsRune("~^:?*[\\\"'`$;&|<>(){}!", r)
	}
	// refs/heads/refs/tags/v1 would mislead people and rules.
	if strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "+") || GoodCommit(strings.ToLower(name)) {
		ok = false
	}
	if !ok || name == "" || len(name) > 250 || name == "@" || name == "HEAD" || strings.HasPrefix(name, "-") || strings.HasSuffix(name, ".") || strings.Contains(name, "..") || strings.Contains(name, "@{") || strings.ContainsFunc(name, bad) {
		return fmt.Errorf("%q is not a branch or tag name that umpire accepts", visible.Clip(ref, 100))
	}
	for _, part := range strings.Split(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "-") || strings.HasSuffix(part, ".lock") {
			return fmt.Errorf("%q is not a branch or tag name that umpire accepts", visible.Clip(ref, 100))
		}
	}
	return nil
}

// Check checks an update by itself.
func (u *Update) Check() error {
	if err := GoodRef(u.Ref); err != nil {
		return err
	}
	if u.Old != "" && !GoodCommit(u.Old) || u.New != "" && !GoodCommit(u.New) || u.Old == u.New {
		return errors.New("an update must name both commits or neither")
	}
	return nil
}

// Name returns the name of the branch or tag without refs/heads/ or refs/tags/.
func (u *Update) Name() string {
	return strings.TrimPrefix(strings.TrimPrefix(u.Ref, "refs/heads/"), "refs/tags/")
}

// Tag reports whether it is a tag.
func (u *Update) Tag() bool { return strings.HasPrefix(u.Ref, "refs/tags/") }

// Limits on the display of a push.
const (
	maxCommits  = 50
	maxShown    = 128 << 10 // bytes of its diff
	maxScanned  = 32 << 20  // bytes to search for secrets
	maxFindings = 20
)

// Look examines an update: it sets Force, Main and Doubts, and returns commits, files and diffs for
// people. Secrets are masked. It reports omissions; rest names the place of the full text.
func (s *Staging) Look(ctx context.Context, u *Update, rest string) (string, error) {
	if err := u.Check(); err != nil {
		return "", err
	}
	if err := s.wait(ctx); err != nil {
		return "", err
	}
	defer s.done()
	head, _ := s.git(ctx, gitCommand{args: []string{"symbolic-ref", "--quiet", "--", remoteRefs + "HEAD"}})
	u.Main = strings.TrimSpace(head) == remoteRefs+u.Ref
	if u.New == "" {
		u.Force = true
		return "deletes " + visible.Line(u.Ref) + ", which is at " + u.Old + "\n", nil
	}
	kind, err := s.git(ctx, gitCommand{args: []string{"cat-file", "-t", u.New}})
	if err != nil {
		return "", err
	}
	if kind = strings.TrimSpace(kind); kind != "commit" && (kind != "tag" || !u.Tag()) {
		return "", fmt.Errorf("a branch must point at a commit, and this is a %s", visible.Line(kind))
	}
	u.Force = u.Old != "" && u.Tag()
	if u.Old != "" && !u.Tag() {
		if has, err := s.Has(ctx, u.Old); err != nil || !has {
			return "", cmp.Or(err, conflict(u.Ref))
		}
		_, err := s.git(ctx, gitCommand{args: []string{"merge-base", "--is-ancestor", u.Old, u.New}})
		u.Force = err != nil
	}
	base := s.base(ctx, u)
	var b strings.Builder
	if err := s.commits(ctx, &b, u); err != nil {
		return "", err
	}
	if err := s.secrets(ctx, u); err != nil {
		return "", err
	}
	other := Update{New: u.New} // with a separate limit: neither kind of warning displaces the other
	if err := s.raw(ctx, &other, base); err != nil {
		return "", err
	}
	u.Doubts = append(u.Doubts, other.Doubts...)
	for _, d := range u.Doubts {
		fmt.Fprintf(&b, "look: %s\n", d)
	}
	err = s.difference(ctx, &b, u, base, rest)
	return b.String(), err
}

// base returns the commit or tree to compare an update with.
func (s *Staging) base(ctx context.Context, u *Update) string {
	if u.Old != "" && !u.Force {
		return u.Old
	}
	if out, err := s.git(ctx, gitCommand{args: []string{"merge-base", u.New, remoteRefs + "HEAD"}}); err == nil {
		return strings.TrimSpace(out)
	}
	return emptyTree
}

// Objects returns the object folder of an update, and its two commits, for checks of its content.
func (s *Staging) Objects(ctx context.Context, u *Update) (dir, base, head string) {
	return filepath.Join(s.dir, "objects"), s.base(ctx, u), u.New
}

func (s *Staging) commits(ctx context.Context, b *strings.Builder, u *Update) error {
	from := cmp.Or(u.Old, "none")
	fmt.Fprintf(b, "%s from %s to %s\n", visible.Line(u.Ref), from, u.New)
	out, err := s.git(ctx, gitCommand{args: []string{"rev-list", "--count", u.New, "--not", "--glob=" + remoteRefs + "refs/*"}})
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(strings.TrimSpace(out))
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "commits that the remote does not have: %d\n", n)
	out, err = s.git(ctx, gitCommand{cut: true, args: []string{"log", "--no-color", "--no-decorate", "--no-mailmap", "--no-notes", "--format=%h %an <%ae> %s", "-n", strconv.Itoa(maxCommits), u.New, "--not", "--glob=" + remoteRefs + "refs/*"}})
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		fmt.Fprintf(b, "  %s\n", visible.Clip(redact.String(strings.TrimSuffix(line, "\n")), 200))
	}
	if n > maxCommits {
		fmt.Fprintf(b, "  and %d more\n", n-maxCommits)
	}
	return nil
}

// plain makes git print a raw diff: no external programs, filters or renamed paths.
var plain = []string{"--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--ignore-submodules=none", "--submodule=short", "--src-prefix=a/", "--dst-prefix=b/"}

// names tells what a name in a repository means.
var names = place.Map{Workspace: "/project", Dir: "/project"}

// raw checks which files change: some control what other programs run.
func (s *Staging) raw(ctx context.Context, u *Update, base string) error {
	out, err := s.git(ctx, gitCommand{most: maxScanned, cut: true, args: append(append([]string{"diff-tree", "-r", "-z", "--no-abbrev"}, plain...), base, u.New+"^{commit}")})
	if err != nil {
		return err
	}
	u.unread(out, "names of files")
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		name, at := fields[i+1], strings.Fields(fields[i])
		if len(at) < 5 || at[4] == "D" {
			continue
		}
		why := ""
		switch _, p := names.Resolve(names.Workspace + "/" + name); {
		case at[1] == "160000":
			why = "a submodule"
		case at[1] == "120000":
			why = "a symbolic link"
		case p&umpire.PlaceUmpire != 0, strings.Contains("/"+strings.ToLower(name), "/.umpire"):
			why = "umpire's policy"
		case p&(umpire.PlaceAgentConfig|umpire.PlaceMCP) != 0:
			why = "settings of a coding agent"
		case p&(umpire.PlaceGitDir|umpire.PlaceGitHooks) != 0, strings.EqualFold(path.Base(name), ".gitattributes"):
			why = "configuration of git"
		case p&umpire.PlaceCI != 0, strings.HasPrefix(strings.ToLower(name), ".github/"), strings.HasPrefix(strings.ToLower(name), ".gitlab-ci"):
			why = "run by the forge"
		}
		if why != "" {
			u.doubt(why + ": " + visible.Clip(name, 150))
		}
	}
	return nil
}

func (u *Update) doubt(text string) {
	switch len(u.Doubts) {
	case maxFindings:
		u.Doubts = append(u.Doubts, "and more")
		fallthrough
	case maxFindings + 1:
		return
	}
	u.Doubts = append(u.Doubts, text)
}

// unread warns about a push that was not searched completely.
func (u *Update) unread(out, what string) {
	if len(out) >= maxScanned {
		u.doubt(fmt.Sprintf("only the first %d MiB of %s were checked, also for secrets", maxScanned>>20, what))
	}
}

// secrets searches everything that the push would publish: the text of its commits and tags, names,
// and every line that any commit adds. Text that a later commit removes is published as well.
func (s *Staging) secrets(ctx context.Context, u *Update) error {
	if hasSecret(u.Ref) {
		u.doubt("a possible secret in the name " + visible.Clip(redact.String(u.Ref), 150))
	}
	new := []string{u.New, "--not", "--glob=" + remoteRefs + "refs/*"}
	list, err := s.git(ctx, gitCommand{most: 50 * maxObjects, args: append([]string{"rev-list", "--objects", "--no-object-names", "--filter=tree:0"}, new...)})
	if err != nil {
		return err
	}
	objects, err := s.git(ctx, gitCommand{most: maxScanned, cut: true, args: []string{"cat-file", "--batch"}, in: strings.NewReader(list)})
	if err != nil {
		return err
	}
	if hasSecret(objects) {
		u.doubt("a possible secret in a commit or tag: its message, names, or another part")
	}
	u.unread(objects, "commits and tags")
	names, err := s.git(ctx, gitCommand{most: maxScanned, cut: true, args: append(append([]string{"log", "-m", "--root", "--name-only", "-z", "--format="}, plain...), new...)})
	if err != nil {
		return err
	}
	if hasSecret(strings.ReplaceAll(names, "\x00", "\n")) {
		u.doubt("a possible secret in the name of a file")
	}
	u.unread(names, "names of files")
	args := append([]string{"log", "-p", "-m", "--root", "--text", "--unified=0", "--no-decorate", "--no-notes", "--no-mailmap", "--format=commit %H"}, plain...)
	out, err := s.git(ctx, gitCommand{most: maxScanned, cut: true, args: append(args, new...)})
	if err != nil {
		return err
	}
	u.unread(out, "the difference")
	scan(out, func(commit, file string, line int) {
		u.doubt(fmt.Sprintf("a possible secret in %s, line %d, of commit %.12s", visible.Clip(file, 150), line, commit))
	})
	return nil
}

// hasSecret reports whether a text contains a secret, also in UTF-16 or in base64, as in manifests.
func hasSecret(text string) bool {
	if redact.Contains(text) || strings.IndexByte(text, 0) >= 0 && redact.Contains(strings.ReplaceAll(text, "\x00", "")) {
		return true
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !strings.ContainsRune(alphabet, r) }) {
		if len(run) < 20 {
			continue
		}
		b, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(run[:len(run)/4*4]))
		if err == nil && redact.Contains(string(b)) {
			return true
		}
	}
	return false
}

// scan parses git patches and returns where secrets are added. Line counts identify the headers,
// because a content line may look like one.
func scan(patches string, found func(commit, file string, line int)) {
	var commit, file string
	var added []string
	first := 0
	flush := func() {
		// Check the lines together, because a key has many; then find the line.
		if text := strings.Join(added, "\n"); hasSecret(text) {
			at := first
			for i, l := range added {
				if hasSecret(l) {
					at = first + i
					break
				}
			}
			found(commit, file, at)
		}
		added = added[:0]
	}
	removed, adding := 0, 0
	for line := range strings.Lines(patches) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case removed > 0 && strings.HasPrefix(line, "-"):
			removed--
		case adding > 0 && strings.HasPrefix(line, "+"):
			adding--
			added = append(added, line[1:])
		case strings.HasPrefix(line, "\\"):
		default:
			flush()
			removed, adding = 0, 0
			if c, ok := strings.CutPrefix(line, "commit "); ok {
				commit = c
			} else if f, ok := strings.CutPrefix(line, "+++ "); ok {
				file = strings.TrimPrefix(f, "b/")
			} else if h, ok := strings.CutPrefix(line, "@@ -"); ok {
				_, removed = hunk(h)
				if _, to, ok := strings.Cut(h, " +"); ok {
					first, adding = hunk(to)
				}
			}
		}
	}
	flush()
}

// hunk parses "12,3 ..." as a line number and a count; the count defaults to 1.
func hunk(s string) (line, count int) {
	s, _, _ = strings.Cut(s, " ")
	a, b, ok := strings.Cut(s, ",")
	line, _ = strconv.Atoi(a)
	if count = 1; ok {
		count, _ = strconv.Atoi(b)
	}
	return line, count
}

// difference describes which files change, and how.
func (s *Staging) difference(ctx context.Context, b *strings.Builder, u *Update, base, rest string) error {
	for _, how := range [][]string{{"--stat=120,90"}, {"--patch"}} {
		out, err := s.git(ctx, gitCommand{most: maxShown, cut: true, args: append(append(append([]string{"diff-tree", "-r"}, how...), plain...), base, u.New+"^{commit}")})
		if err != nil {
			return err
		}
		b.WriteString(maskPatch(strings.ToValidUTF8(out, "\uFFFD")))
		if len(out) >= maxShown {
			fmt.Fprintf(b, "\n[umpire: the rest of the difference is not shown: %s]\n", rest)
		}
	}
	return nil
}

// Whole passes all of an update's changes to put, in complete lines; Look shortens them. Secrets
// are masked.
func (s *Staging) Whole(ctx context.Context, u *Update, put func(string) error) error {
	if err := u.Check(); err != nil {
		return err
	}
	if u.New == "" {
		return put("deletes " + visible.Line(u.Ref) + ", which is at " + u.Old + "\n")
	}
	if err := s.wait(ctx); err != nil {
		return err
	}
	defer s.done()
	if has, err := s.Has(ctx, u.New); err != nil || !has {
		return cmp.Or(err, fmt.Errorf("the commit %s is no longer stored", u.New))
	}
	r, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := s.git(ctx, gitCommand{out: w, args: append(append([]string{"diff-tree", "-r", "--stat=120,90", "--patch"}, plain...), s.base(ctx, u), u.New+"^{commit}")})
		ended <- err
		_ = w.Close()
	}()
	err := writeMasked(r, put)
	_ = r.CloseWithError(err) // git ends when no one reads
	return errors.Join(err, <-ended)
}

// maskPatch masks the secrets of a patch. It masks consecutive lines of one kind together, without
// their signs.
func maskPatch(p string) string {
	var b strings.Builder
	_ = writeMasked(strings.NewReader(p), func(text string) error { b.WriteString(text); return nil }) // neither end fails
	return b.String()
}

// writeMasked is like maskPatch for a patch of any length.
func writeMasked(r io.Reader, put func(string) error) error {
	var run []string
	sign := byte(0)
	flush := func() error {
		if len(run) == 0 {
			return nil
		}
		var b strings.Builder
		for l := range strings.SplitSeq(redact.Readable(strings.Join(run, "\n")), "\n") {
			if sign != 0 {
				b.WriteByte(sign)
			}
			b.WriteString(l + "\n")
		}
		run = run[:0]
		return put(b.String())
	}
	for in := bufio.NewReader(r); ; {
		line, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if line == "" {
			return flush()
		}
		line = strings.ToValidUTF8(strings.TrimSuffix(line, "\n"), "\uFFFD")
		now := byte(0)
		if line != "" && strings.ContainsRune("+- ", rune(line[0])) {
			now = line[0]
			line = line[1:]
		}
		if now != sign {
			if err := flush(); err != nil {
				return err
			}
			sign = now
		}
		run = append(run, line)
	}
}

// PktReader reads the lines of git's protocol.
type PktReader struct{ r io.Reader }

// NewPktReader returns a PktReader on r. It reads no byte beyond the requested lines.
func NewPktReader(r *bufio.Reader) *PktReader { return &PktReader{r} }

// Next returns the next line; nil is a flush.
func (p *PktReader) Next() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(p.r, head[:]); err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(string(head[:]), 16, 16)
	switch {
	case err != nil || n > 0 && n < 4 || n > 65520:
		return nil, errors.New("it is not valid git data")
	case n == 0:
		return nil, nil
	}
	line := make([]byte, n-4)
	_, err = io.ReadFull(p.r, line)
	return line, err
}
