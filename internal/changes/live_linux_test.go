package changes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sys/unix"

	"github.com/umpire-dev/umpire/internal/host"
)

// rules is an Approver that decides by names, and writes as a gateway does.
type rules struct {
	t        *testing.T
	b        *Box
	asked    []string
	sets     map[string][]*Change
	answers  map[string]Outcome
	canceled []string
	away     bool
	before   func() // the next set is written
}

func (r *rules) Check(_ context.Context, set []*Change) (Outcome, error) {
	if r.away {
		return Open, errors.New("away")
	}
	says := Written
	for _, c := range set {
		switch {
		case strings.HasPrefix(c.Path, "no"):
			return Refused, nil
		case strings.HasPrefix(c.Path, "ask"):
			says = Open
		}
	}
	return says, nil
}

func (r *rules) Ask(ctx context.Context, set []*Change) (string, error) {
	id := fmt.Sprint("q", len(r.asked))
	var paths []string
	for _, c := range set {
		paths = append(paths, c.Path)
	}
	r.asked = append(r.asked, strings.Join(paths, " "))
	r.sets[id] = set
	if says, _ := r.Check(ctx, set); says == Written {
		r.write(id)
	}
	return id, nil
}

// write is a person's yes, or a rule's.
func (r *rules) write(id string) {
	low, err := host.OpenTree(r.b.Dir)
	if err != nil {
		r.t.Fatal(err)
	}
	defer low.Close()
	var steps []host.Change
	for _, c := range r.sets[id] {
		steps = append(steps, c.Step)
	}
	if r.before != nil {
		r.before()
		r.before = nil
	}
	r.answers[id] = Written
	if err := low.Apply(r.t.Context(), "live-"+id, steps); err != nil {
		r.answers[id] = Lapsed
	}
}

func (r *rules) Answers(_ context.Context, ids []string) (map[string]Outcome, error) {
	out := map[string]Outcome{}
	for _, id := range ids {
		out[id] = r.answers[id]
	}
	return out, nil
}

func (r *rules) Cancel(_ context.Context, id string) error {
	r.canceled = append(r.canceled, id)
	if r.answers[id] == Open {
		r.answers[id] = Lapsed
	}
	return nil
}

func watched(t *testing.T, low map[string]string) (*Live, *rules) {
	t.Helper()
	b := laid(t, low, nil)
	r := &rules{t: t, b: b, sets: map[string][]*Change{}, answers: map[string]Outcome{}}
	return b.Watch(r), r
}

// looks has a Live look some times.
func (l *Live) looks(t *testing.T, n int) {
	t.Helper()
	for range n {
		if err := l.compare(t.Context(), false); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLive(t *testing.T) {
	l, r := watched(t, map[string]string{"a": "1", "ask": "1", "d/x": "1", "d/y": "2"})
	put(t, l.box.Upper(), map[string]string{"a": "22", "ask": "22", "no": "no", "new/deep/f": "3", "d": "whiteout", "empty/": ""})
	l.looks(t, 1)
	if len(r.asked) != 0 {
		t.Errorf("a change is judged as soon as it is seen: %v", r.asked)
	}
	l.looks(t, 2)
	if got := listing(t, l.box.Dir); got != "a=22|644 ask=1|644 empty/ new/ new/deep/ new/deep/f=3|644" {
		t.Errorf("%s", got)
	}
	if !slices.Equal(r.asked, []string{"ask", "a empty new/deep/f d/y d/x d"}) || l.Done != 6 || l.Refusals != 1 {
		t.Errorf("asked %q, done %d, refused %d", r.asked, l.Done, l.Refusals)
	}
	l.looks(t, 3)
	if len(r.asked) != 2 || l.Refusals != 1 {
		t.Errorf("asked again: %q", r.asked)
	}
	// A newer version is another question, and one that is no more is taken back.
	put(t, l.box.Upper(), map[string]string{"ask": "333", "ask2": "1"})
	l.looks(t, 2)
	if !slices.Equal(r.asked[2:], []string{"ask", "ask2"}) {
		t.Errorf("asked %q", r.asked)
	}
	if err := os.Remove(filepath.Join(l.box.Upper(), "ask2")); err != nil {
		t.Fatal(err)
	}
	l.looks(t, 1)
	if !slices.Contains(r.canceled, "q3") {
		t.Errorf("canceled %q", r.canceled)
	}
	r.write("q2")
	l.looks(t, 1)
	if got := told(l.box.mustList(t)); got != "created no" {
		t.Errorf("left: %s", got)
	}
	// What was written is known to the program: the next version is no conflict.
	put(t, l.box.Upper(), map[string]string{"a": "4444"})
	l.looks(t, 3)
	if data, _ := os.ReadFile(filepath.Join(l.box.Dir, "a")); string(data) != "4444" {
		t.Errorf("a has %s", data)
	}
}

// Run asks about a change only when the next pass finds it as it was.
func TestRunWaitsForCalm(t *testing.T) {
	l, r := watched(t, nil)
	put(t, l.box.Upper(), map[string]string{"ask": "1"})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); l.Run(ctx) }()
		time.Sleep(shortest) // of the bubble's clock
		synctest.Wait()
		if len(r.asked) != 0 || len(l.last) != 1 {
			t.Errorf("first pass: asked %q after it saw %d changes, want no question and 1 change", r.asked, len(l.last))
		}
		time.Sleep(longest)
		synctest.Wait()
		if !slices.Equal(r.asked, []string{"ask"}) || l.Err != nil {
			t.Errorf("later: asked %q, %v, want one question about \"ask\"", r.asked, l.Err)
		}
		cancel()
		<-done
	})
}

// Files are equal only if both are files that can be read, of that size.
func TestEqualOfOddFiles(t *testing.T) {
	up, low := t.TempDir(), t.TempDir()
	put(t, up, map[string]string{"same": "a", "alone": "a", "other": "a", "pipe": "a", "long": "aa", "link": "a"})
	put(t, low, map[string]string{"same": "a", "other": "b", "pipe": "pipe", "long": "a", "link": "-> same"})
	var fds [2]int
	for i, dir := range []string{up, low} {
		f, err := os.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		fds[i] = int(f.Fd())
	}
	for name, want := range map[string]bool{"same": true, "alone": false, "other": false, "pipe": false, "long": false, "link": false, "none": false} {
		var w walker
		if got := w.equal(fds[0], fds[1], name, 1); got != want {
			t.Errorf("%s: got equal %v, want %v", name, got, want)
		}
		if got := w.equal(fds[1], fds[0], name, 1); got != want {
			t.Errorf("%s, the other way round: got equal %v, want %v", name, got, want)
		}
	}
}

// A folder of the project whose names cannot be read is an error, not an empty one.
func TestHiddenFolderUnreadable(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"up/": "", "low": "no folder"})
	var fds [2]int
	for i, name := range []string{"up", "low"} {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		fds[i] = int(f.Fd())
	}
	if err := unix.Fsetxattr(fds[0], "user.overlay.opaque", []byte("y"), 0); err != nil {
		t.Fatal(err)
	}
	var w walker
	if err := w.folder(fds[0], fds[1], "", 0); !errors.Is(err, unix.ENOTDIR) {
		t.Errorf("got %v, want %v", err, unix.ENOTDIR)
	}
}

// A removed folder stays until what is moved out of it is, and one change that cannot be
// written keeps no other from it.
func TestLiveAlone(t *testing.T) {
	l, r := watched(t, map[string]string{"d/x": "to move", "d/y": "2", "f": "1"})
	put(t, l.box.Upper(), map[string]string{"d": "whiteout", "ask": "to move"})
	l.looks(t, 3)
	if !slices.Equal(r.asked, []string{"ask"}) {
		t.Errorf("asked %q", r.asked)
	}
	r.write("q0")
	l.looks(t, 3)
	if got := listing(t, l.box.Dir); got != "ask=to move|644 f=1|644" {
		t.Error(got)
	}
	put(t, l.box.Upper(), map[string]string{"a": "1", "b": "1", "e": "1"})
	r.before = func() { put(t, l.box.Dir, map[string]string{"b": "mine"}) } // when it is approved
	l.looks(t, 4)
	if got := listing(t, l.box.Dir); got != "a=1|644 ask=to move|644 b=mine|644 e=1|644 f=1|644" {
		t.Errorf("%s, asked %q", got, r.asked)
	}
	n := len(r.asked)
	if l.looks(t, 3); len(r.asked) != n {
		t.Errorf("asked again and again: %q", r.asked[n:])
	}
}

// What somebody edits in the project is theirs, before a question and after it.
func TestLiveConflicts(t *testing.T) {
	l, r := watched(t, map[string]string{"a": "1", "ask": "1"})
	put(t, l.box.Upper(), map[string]string{"a": "22", "ask": "22"})
	put(t, l.box.Dir, map[string]string{"a": "mine"})
	l.looks(t, 3)
	put(t, l.box.Dir, map[string]string{"ask": "mine"})
	r.write("q0")
	l.looks(t, 2)
	if got := listing(t, l.box.Dir); got != "a=mine|644 ask=mine|644" || len(r.asked) != 1 {
		t.Errorf("%s, asked %q", got, r.asked)
	}
	if got := told(l.box.mustList(t)); got != "changed a conflict; changed ask conflict" {
		t.Error(got)
	}
	if base, ok := l.box.Base("ask"); !ok || string(base) != "1" {
		t.Errorf("before, ask had %q, %v", base, ok)
	}
	if base, ok := l.box.Base("a"); ok { // it was another file already
		t.Errorf("a had %q", base)
	}
}

// A program that makes many files, or one without end, fills neither queue nor memory.
func TestLiveBounds(t *testing.T) {
	l, r := watched(t, nil)
	up := map[string]string{"large": strings.Repeat("x", host.MaxContent+1)}
	for i := range 3 * maxOpen {
		up[fmt.Sprintf("ask%d", i)] = "1"
	}
	for i := range 3 * host.MaxChanges {
		up[fmt.Sprintf("free/%d", i)] = "1"
	}
	put(t, l.box.Upper(), up)
	l.looks(t, 4)
	if len(l.open) != maxOpen || l.Done != 3*host.MaxChanges {
		t.Errorf("%d questions, %d written", len(l.open), l.Done)
	}
	open, err := l.Finish(t.Context(), true)
	if err != nil || open != 0 || len(r.canceled) != maxOpen {
		t.Errorf("%d open, %d taken back, %v", open, len(r.canceled), err)
	}
}

// A judge that is away judges when it is back.
func TestLiveJudgeAway(t *testing.T) {
	l, r := watched(t, nil)
	put(t, l.box.Upper(), map[string]string{"a": "1"})
	r.away = true
	l.looks(t, 1)
	if err := l.compare(t.Context(), false); err == nil {
		t.Error("no error")
	}
	r.away = false
	if _, err := l.Finish(t.Context(), false); err != nil || listing(t, l.box.Dir) != "a=1|644" {
		t.Errorf("%v, %s", err, listing(t, l.box.Dir))
	}
}

// Without a judge nothing is written, and the bases are kept.
func TestLiveWithoutJudge(t *testing.T) {
	l := laid(t, map[string]string{"a": "1"}, map[string]string{"a": "22"}).Watch(nil)
	l.looks(t, 3)
	if _, ok := l.box.Base("a"); !ok || listing(t, l.box.Dir) != "a=1|644" {
		t.Error(listing(t, l.box.Dir))
	}
}
