package static

import (
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/inject"
	"github.com/umpire-dev/umpire/internal/lazy"
	"github.com/umpire-dev/umpire/internal/review/finding"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

var referred = &Rule{
	ID: "umpire/injection/referred", Severity: finding.Medium, CWE: "CWE-1427",
	Title:  "Orders in a file that another file says to follow",
	Text:   "One file tells its readers to follow another file, and that file gives orders. Each file alone looks harmless. " + steers,
	Remedy: "Read both files together, and remove them if their purpose is unknown.",
}

// referral matches a sentence that sends its reader to a file for instructions.
var referral = lazy.Regexp("(?i)^(?:follow|obey|apply|execute|carry out|comply with|act on|do|befolge|suivez|sigue)\\b[^.\\n]{0,60}?\\b(?:instructions?|steps?|rules?|directions?|orders?|commands?|procedures?|polic(?:y|ies)|everything|all|what|anweisungen|regeln|schritte|consignes|instrucciones|reglas|pasos)\\b[^.\\n]{0,40}?(?:\\b(?:in|from|of|at|inside|within|file|aus|dans|de|en)\\b|:)[ \\t]+[`\"'(<\\[]*([A-Za-z0-9_@./-]{1,200}[A-Za-z0-9_])")

const (
	maxReferrals = 2000
	// orderedWeight is the least weight (see JudgeSource) of a passage that counts in a file that
	// readers must follow. "Run make test" weighs -10, and "delete the tests and merge" -3.7.
	orderedWeight = -4.0
)

type pointer struct{ from, to string }

// refers records the places that send their readers to another file.
func (f *file) refers() {
	lower := lowered(f.text)
	for _, w := range referringWords {
		for at := 0; ; {
			k := strings.Index(lower[at:], w)
			if k < 0 {
				break
			}
			at += k
			m := referral().FindStringSubmatch(f.text[at:min(len(f.text), at+reach)])
			at += len(w)
			if m == nil || !strings.ContainsAny(m[1], "./_-") && m[1] != strings.ToUpper(m[1]) {
				continue
			}
			f.k.mu.Lock()
			if len(f.k.referrals) < maxReferrals {
				f.k.referrals = append(f.k.referrals, pointer{f.path, m[1]})
			}
			f.k.mu.Unlock()
		}
	}
}

var referringWords = []string{"follow", "obey", "apply", "execute", "carry out", "comply with", "act on", "do all", "do what", "do everything", "befolge", "suivez", "sigue"}

// follow judges the files to which others refer their readers.
func (k *checker) follow() error {
	slices.SortFunc(k.referrals, func(a, b pointer) int {
		return strings.Compare(a.from+"\x00"+a.to, b.from+"\x00"+b.to)
	})
	done := map[string]bool{}
	for _, r := range k.referrals {
		sf := k.target(r)
		if sf == nil || done[sf.Path] {
			continue
		}
		done[sf.Path] = true
		b, err := k.s.Read(sf)
		if err != nil {
			return err
		}
		f := &file{k: k, f: sf, path: sf.Path, base: strings.ToLower(path.Base(sf.Path)), text: string(b)}
		segs := inject.Segments(f.text)
		for i, s := range inject.JudgeSource(segs, inject.Tool()) {
			if s.Weight >= orderedWeight && s.Asks && !isGuess(s.View) && !k.reports(sf.Path, f.lineAt(segs[i].Start)) {
				if h := f.place(referred, referred.Severity, segs[i].Start, quoted(r.from)+" says to follow this file, and here it says "+quoted(strings.Join(strings.Fields(s.Text), " "))); h != nil {
					h.sure = likely
				}
			}
		}
		k.take(f)
	}
	return nil
}

// target returns the file that a referral names: beside the referring file, or relative to the
// root.
func (k *checker) target(r pointer) *snapshot.File {
	for _, p := range []string{path.Join(path.Dir(r.from), r.to), path.Clean(strings.TrimPrefix(r.to, "/"))} {
		if to, ok := k.resolve(p); ok {
			p = to
		}
		sf, ok := k.s.File(p)
		if ok && sf.Path != r.from && sf.Kind == snapshot.Regular && sf.Digest != "" && !sf.Binary && sf.Size <= maxScript && surfaceOf(sf.Path) == nil {
			return sf
		}
	}
	return nil
}

// reports reports whether a graver injection finding exists on a line.
func (k *checker) reports(file string, line int) bool {
	return slices.ContainsFunc(k.hits, func(h hit) bool {
		return h.file == file && h.line == line && h.severity <= referred.Severity && strings.HasPrefix(h.rule.ID, "umpire/injection/")
	})
}

func (f *file) lineAt(offset int) int {
	return f.line + strings.Count(f.text[:min(offset, len(f.text))], "\n") + 1
}
