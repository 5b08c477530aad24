// Package kept stores the results of reviews, so that a person can read a finding later and release
// it to an agent. Texts are encoded, so that an agent that greps through umpire's files does not
// read them.
package kept

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/atomicfile"
	"github.com/umpire-dev/umpire/internal/review"
	"github.com/umpire-dev/umpire/internal/review/finding"
)

// Limits of the folder.
const (
	maxKept = 100
	maxSize = 64 << 20
)

// ErrNone means that no stored review has the finding.
var ErrNone = errors.New("no stored review has this finding")

// Store is a folder of reviews.
type Store struct{ dir string }

// Open returns the store in a folder, which need not exist yet.
func Open(dir string) Store { return Store{dir} }

type file struct {
	ID       string               `json:"id"`
	Time     time.Time            `json:"time"`
	Kind     string               `json:"kind,omitempty"`   // kind of the target
	Target   string               `json:"target,omitempty"` // its name, encoded
	Findings string               `json:"findings"`         // encoded
	Raw      review.Raw           `json:"raw"`              // the models' original text, encoded
	Released map[string]time.Time `json:"released,omitempty"`
}

// Save stores a review, and drops the oldest ones.
func (s Store) Save(r *review.Report, raw review.Raw, now time.Time) error {
	b, err := json.Marshal(r.Findings)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	if err := s.write(&file{ID: r.ID, Time: now.UTC(), Kind: r.Target.Kind, Target: base64.StdEncoding.EncodeToString([]byte(r.Target.Name)), Findings: base64.StdEncoding.EncodeToString(b), Raw: raw}); err != nil {
		return err
	}
	return s.prune()
}

func (s Store) path(id string) string { return filepath.Join(s.dir, id+".json") }

func (s Store) write(f *file) error {
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return atomicfile.Write(s.path(f.ID), b, 0o600)
}

func (s Store) prune() error {
	list, err := os.ReadDir(s.dir)
	if err != nil || len(list) <= maxKept {
		return err
	}
	age := func(e fs.DirEntry) int64 {
		if i, err := e.Info(); err == nil {
			return i.ModTime().UnixNano()
		}
		return 0 // already removed
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return cmp.Compare(age(a), age(b)) })
	for _, e := range list[:len(list)-maxKept] {
		if err := os.Remove(filepath.Join(s.dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (s Store) load(id string) (*file, error) {
	run, _, ok := strings.Cut(id, "-")
	if !ok || run == "" || len(run) > 32 || strings.Trim(run, "0123456789abcdef") != "" {
		return nil, fmt.Errorf("%w: an ID looks like 0a1b2c3d4e-1", ErrNone)
	}
	in, err := os.Open(s.path(run))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(in, maxSize))
	if err = errors.Join(err, in.Close()); err != nil {
		return nil, err
	}
	var f file
	if err := json.Unmarshal(b, &f); err != nil || f.ID != run {
		return nil, errors.Join(errors.New("the record of the review is damaged"), err)
	}
	return &f, nil
}

func (f *file) findings() ([]finding.Reported, error) {
	plain, err := base64.StdEncoding.DecodeString(f.Findings)
	var list []finding.Reported
	if err == nil {
		err = json.Unmarshal(plain, &list)
	}
	if err != nil {
		return nil, fmt.Errorf("the record of the review is damaged: %w", err)
	}
	return list, nil
}

// Review is a stored review: its time, and its findings without their texts.
type Review struct {
	ID       string
	Time     time.Time
	Kind     string // kind of the target
	Target   string // its name, which a stranger may have chosen
	Findings []StoredFinding
}

// StoredFinding is a finding of a Review, without any text of a model or of the reviewed code.
type StoredFinding struct {
	ID       string
	Severity finding.Severity
	Released bool // a person released the text to agents
}

// Reviews returns the stored reviews, the newest first. It skips damaged records.
func (s Store) Reviews() ([]Review, error) {
	list, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []Review
	for _, e := range list {
		run, ok := strings.CutSuffix(e.Name(), ".json")
		if !ok {
			continue
		}
		f, err := s.load(run + "-")
		if err != nil {
			continue
		}
		found, err := f.findings()
		if err != nil {
			continue
		}
		target, err := base64.StdEncoding.DecodeString(f.Target)
		if err != nil {
			continue
		}
		r := Review{ID: f.ID, Time: f.Time, Kind: f.Kind, Target: string(target)}
		for i := range found {
			_, released := f.Released[found[i].ID]
			r.Findings = append(r.Findings, StoredFinding{found[i].ID, found[i].Severity, released})
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Review) int { return b.Time.Compare(a.Time) })
	return out, nil
}

func (s Store) find(id string) (*file, *finding.Reported, error) {
	f, err := s.load(id)
	if err != nil {
		return nil, nil, err
	}
	list, err := f.findings()
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(list, func(r finding.Reported) bool { return r.ID == id })
	if i < 0 {
		return nil, nil, ErrNone
	}
	return f, &list[i], nil
}

// Find returns a finding by its ID, and whether a person released its text to agents.
func (s Store) Find(id string) (*finding.Reported, bool, error) {
	f, r, err := s.find(id)
	if err != nil {
		return nil, false, err
	}
	_, ok := f.Released[id]
	return r, ok, nil
}

// Raw returns the model's original text of a finding, escaped for a person at a terminal. It
// returns ErrNone if no model wrote the finding.
func (s Store) Raw(id string) (*finding.Finding, error) {
	f, _, err := s.find(id)
	if err != nil {
		return nil, err
	}
	coded, ok := f.Raw[id]
	if !ok {
		return nil, ErrNone
	}
	var said finding.Finding
	plain, err := base64.StdEncoding.DecodeString(coded)
	if err == nil {
		err = json.Unmarshal(plain, &said)
	}
	if err != nil {
		return nil, fmt.Errorf("the record of the review is damaged: %w", err)
	}
	return &said, nil
}

// Release lets agents read the text of one finding. Only a person may call it.
func (s Store) Release(id string, now time.Time) error {
	f, _, err := s.find(id)
	if err != nil {
		return err
	}
	if f.Released == nil {
		f.Released = map[string]time.Time{}
	}
	f.Released[id] = now.UTC()
	return s.write(f)
}
