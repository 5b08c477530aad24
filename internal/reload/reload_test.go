package reload

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/umpire-dev/umpire/internal/snapshot"
)

var errTorn = errors.New("policy.yaml: line 1: the text ends in the middle")

// disk is a policy file and how it is read.
type disk struct {
	t     *testing.T
	path  string
	while func() // runs after the file was read, and before the caller has it
	told  []error
}

func newDisk(t *testing.T, text string) *disk {
	d := &disk{t: t, path: filepath.Join(t.TempDir(), "policy.yaml")}
	d.put(text)
	return d
}

// put replaces the file by another one of the same age.
func (d *disk) put(text string) {
	d.t.Helper()
	next := d.path + ".new"
	if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.Chtimes(next, old, old), os.Rename(next, d.path)); err != nil {
		d.t.Fatal(err)
	}
}

func (d *disk) read() (string, error) {
	b, err := os.ReadFile(d.path)
	if d.while != nil {
		d.while()
	}
	if err == nil && string(b) == "torn" {
		err = errTorn
	}
	return string(b), err
}

func (d *disk) open() (*Files[string], error) {
	return Open(snapshot.Layers{User: d.path}, d.read, func(err error) { d.told = append(d.told, err) })
}

func (d *disk) want(f *Files[string], value string, fault error) {
	d.t.Helper()
	if got, err := f.Now(); got != value || !errors.Is(err, fault) || (err == nil) != (fault == nil) {
		d.t.Errorf("in force is %q, %v, want %q, %v", got, err, value, fault)
	}
}

// While the policy is torn, away or not to be read, the last good one stays in force with the
// fault, which is told once; as soon as the file is whole it is in force.
func TestFaultyFile(t *testing.T) {
	d := newDisk(t, "one")
	f, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	d.want(f, "one", nil)
	for _, fault := range []struct {
		name string
		make func()
		err  error
	}{
		{"torn", func() { d.put("torn") }, errTorn},
		{"away", func() {
			if err := os.Remove(d.path); err != nil {
				t.Fatal(err)
			}
		}, os.ErrNotExist},
	} {
		d.told = nil
		fault.make()
		for range 3 {
			d.want(f, "one", fault.err)
		}
		if len(d.told) != 1 || !errors.Is(d.told[0], fault.err) {
			t.Errorf("%s: told %v, want %v once", fault.name, d.told, fault.err)
		}
	}
	d.put("two")
	d.want(f, "two", nil)
}

// A policy that is broken at the start is not replaced by another one.
func TestFaultAtTheStart(t *testing.T) {
	d := newDisk(t, "torn")
	if f, err := d.open(); !errors.Is(err, errTorn) || f != nil {
		t.Errorf("got %v, %v, want no policy and %v", f, err, errTorn)
	}
}

// A file that is replaced while it is read is read again by the next call.
func TestReplacedWhileRead(t *testing.T) {
	d := newDisk(t, "one")
	d.while = func() {
		d.while = nil
		d.put("two")
	}
	f, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	d.want(f, "two", nil)
	d.while = func() {
		d.while = nil
		d.put("four")
	}
	d.put("three")
	if got, err := f.Now(); got != "three" || err != nil {
		t.Errorf("in force is %q, %v, want what was read", got, err)
	}
	d.want(f, "four", nil)
}

// After a change, no caller gets the old policy, however many ask at the same time.
func TestManyAsk(t *testing.T) {
	d := newDisk(t, "one")
	f, err := d.open()
	if err != nil {
		t.Fatal(err)
	}
	d.put("second")
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if got, err := f.Now(); got != "second" || err != nil {
				t.Errorf("in force is %q, %v, want the new file", got, err)
			}
		})
	}
	all.Wait()
}
