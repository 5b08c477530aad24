package policyfile

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// Located is a word with its position.
type Located struct {
	Text string
	Pos  policy.Pos
}

// File is one policy file, parsed and checked.
type File struct {
	Path             string
	Layer            policy.Layer
	Default          *umpire.Effect
	AutoApprove      *bool
	Packs            []Located // nil: not set in the file
	Disable          []Located
	Observe          []Located
	AllowedEndpoints []Located
	Rules            []policy.Rule
	Programs         []Program
	Modes            map[umpire.Kind]policy.Mode
	Judge            *Judge
	Audit            *Audit
	Mode             *RunMode
	Approval         *Approval
	Guard            *Guard
	Box              *Box
}

// Pack is a file of built-in rules.
type Pack struct {
	Name  string
	Title string
	Rules []policy.Rule
}

// Parse parses a policy file of a layer. The error is of type Errors.
func Parse(path string, data []byte, layer policy.Layer) (*File, error) {
	f, es := parse(path, data, layer)
	if len(es) > 0 {
		return nil, es
	}
	return f, nil
}

// parse returns every fault of a file, and the parts without a fault, in which merge finds more.
func parse(path string, data []byte, layer policy.Layer) (*File, Errors) {
	d := &decoder{file: path}
	var doc document
	f := &File{Path: path, Layer: layer}
	n := d.parse(data)
	if n == nil { // not YAML, or an empty file, which is valid
		return f, d.errs
	}
	d.value(n, reflect.ValueOf(&doc).Elem(), "the policy", 0)
	for _, t := range []text{doc.Name, doc.Title} {
		if t.s != "" {
			d.fail(t.pos, "remove it", "only packs have a name and a title")
		}
	}
	f.Rules = d.rules(&doc, layer, "")
	f.Default, f.AutoApprove, f.Modes, f.Judge, f.Audit = doc.DefaultAction, doc.AutoApprove, doc.Modes, doc.Judge, doc.Audit
	f.Mode, f.Approval, f.Guard, f.Box = doc.Mode, doc.Approval, doc.Guard, doc.Box
	f.Packs, f.Disable, f.Observe, f.AllowedEndpoints = located(doc.Packs), located(doc.Disable), located(doc.Observe), located(doc.AllowedEndpoints)
	f.Programs = d.programs(doc.Programs, layer)
	d.version(&doc, n)
	f.Rules = slices.DeleteFunc(f.Rules, func(r policy.Rule) bool { return len(r.Match) == 0 && len(d.errs) > 0 }) // reported above
	src := policy.Source{Rules: f.Rules}
	for _, e := range f.AllowedEndpoints {
		src.AllowedEndpoints = append(src.AllowedEndpoints, policy.Endpoint{Host: e.Text, Layer: layer, Pos: e.Pos})
	}
	if _, err := policy.Compile(src); err != nil {
		d.errs = append(d.errs, fromPolicy(err)...)
	}
	return f, d.errs.sorted()
}

// ParsePack parses a file of built-in rules. Each needs an ID, a reason, and examples.
func ParsePack(path string, data []byte) (*Pack, error) {
	d := &decoder{file: path}
	n := d.parse(data)
	if n == nil {
		d.fail(policy.Pos{File: path}, "add rules", "the pack is empty")
		return nil, d.err()
	}
	var doc document
	d.value(n, reflect.ValueOf(&doc).Elem(), "the pack", 0)
	d.version(&doc, n)
	at := d.pos(n)
	if doc.Name.s == "" {
		d.fail(at, "add name: and the file's name", "the pack has no name")
	}
	if doc.DefaultAction != nil || doc.AutoApprove != nil || doc.Packs != nil || doc.Disable != nil || doc.Observe != nil ||
		doc.AllowedEndpoints != nil || doc.Programs != nil || doc.Modes != nil || doc.Judge != nil || doc.Audit != nil || doc.Mode != nil || doc.Approval != nil || doc.Guard != nil || doc.Box != nil {
		d.fail(at, "put settings into a policy file", "a pack holds rules only")
	}
	p := &Pack{Name: doc.Name.s, Title: doc.Title.s, Rules: d.rules(&doc, policy.Builtin, doc.Name.s)}
	for i := range doc.Rules {
		r := &doc.Rules[i]
		for _, need := range []struct{ key, s string }{{"id", r.ID.s}, {"reason", r.Reason.s}} {
			if need.s == "" {
				d.fail(r.Pos, "add it", "a pack's rule has no %s", need.key)
			}
		}
		if len(r.Hits) < 2 || len(r.Misses) < 2 {
			d.fail(r.Pos, "add calls that the rule must match, and calls that only look like them", "rule %q has fewer than two hits or misses", r.ID.s)
		}
	}
	if len(d.errs) == 0 {
		if _, err := policy.Compile(policy.Source{Rules: p.Rules}); err != nil {
			d.errs = fromPolicy(err)
		}
	}
	if err := d.err(); err != nil {
		return nil, err
	}
	return p, nil
}

// ParsePacks parses every pack in a folder, in alphabetical order.
func ParsePacks(fsys fs.FS) ([]*Pack, error) {
	names, err := fs.Glob(fsys, "*.yaml")
	if err != nil {
		return nil, err
	}
	var out []*Pack
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		p, err := ParsePack(name, data)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func (d *decoder) err() error {
	if len(d.errs) == 0 {
		return nil
	}
	return d.errs.sorted()
}

func (d *decoder) version(doc *document, n any) {
	if doc.Version != 1 && len(d.errs) == 0 {
		d.fail(policy.Pos{File: d.file, Line: 1}, "write version: 1, or update umpire", "unknown version %d", doc.Version)
	}
}

func located(ts []text) []Located {
	if ts == nil {
		return nil
	}
	out := make([]Located, len(ts))
	for i, t := range ts {
		out[i] = Located{t.s, t.pos}
	}
	return out
}

// rules turns rule nodes into rules.
func (d *decoder) rules(doc *document, layer policy.Layer, pack string) []policy.Rule {
	certain := doc.Certain != nil && *doc.Certain
	out := make([]policy.Rule, 0, len(doc.Rules))
	for i := range doc.Rules {
		n := &doc.Rules[i]
		r := policy.Rule{ID: n.ID.s, Title: n.Title.s, Reason: n.Reason.s, Suggest: n.Suggest.s, Pack: pack, Layer: layer,
			Certain: certain, Locked: n.Locked, Observe: n.Observe, Pos: n.Pos}
		if n.Certain != nil {
			r.Certain = *n.Certain
		}
		for _, t := range []text{n.Reason, n.Suggest, n.Title} {
			if strings.ContainsAny(strings.TrimSpace(t.s), "\n\r") {
				d.fail(t.pos, "write it on one line", "it has more than one line")
			}
		}
		d.effect(n, &r)
		r.Unless = d.patterns(n.Unless)
		d.when(&n.When, &r.When)
		r.Hits, r.Misses = d.examples(n.Hits), d.examples(n.Misses)
		if r.ID != "" && !kebab(r.ID) {
			d.fail(n.ID.pos, "use small letters, digits and single hyphens", "id %q is not in kebab-case", r.ID)
		}
		out = append(out, r)
	}
	d.name(out)
	return out
}

// effect reads the only key among deny, ask and allow.
func (d *decoder) effect(n *ruleNode, r *policy.Rule) {
	found := 0
	for _, e := range []struct {
		effect   umpire.Effect
		patterns texts
	}{{umpire.Deny, n.Deny}, {umpire.Ask, n.Ask}, {umpire.Allow, n.Allow}} {
		if e.patterns == nil {
			continue
		}
		found++
		r.Effect = e.effect
		r.Match = d.patterns(e.patterns)
	}
	switch {
	case n.Pos == policy.Pos{}: // not a mapping, and reported as that
	case found == 0:
		d.fail(n.Pos, "add deny, ask or allow with a pattern, such as deny: delete(~/notes/**)", "the rule has no effect")
	case found > 1:
		d.fail(n.Pos, "split it into two rules", "the rule has more than one of deny, ask and allow")
	}
}

func (d *decoder) patterns(ts texts) []policy.Pattern {
	var out []policy.Pattern
	for _, t := range ts {
		p, err := policy.ParsePattern(t.s)
		if err != nil {
			d.fail(t.pos, "", "%v", err)
			continue
		}
		out = append(out, p)
	}
	return out
}

func (d *decoder) when(n *whenNode, c *policy.Condition) {
	c.Platforms, c.Tools, c.Agents, c.Tainted = plainTexts(n.Platform), plainTexts(n.Tool), plainTexts(n.Agent), n.Tainted
	for _, t := range n.Trait {
		name, not := strings.CutPrefix(strings.TrimSpace(t.s), "!")
		trait, err := umpire.ParseTrait(name)
		switch {
		case err != nil:
			d.fail(t.pos, didYouMean(name, umpire.Trait(1<<62-1).Names()), "unknown trait %q", name)
		case not:
			c.Without |= trait
		default:
			c.Traits |= trait
		}
	}
}

func plainTexts(ts texts) (out []string) {
	for _, t := range ts {
		out = append(out, t.s)
	}
	return out
}

func (d *decoder) examples(ns []exampleNode) []policy.Example {
	var out []policy.Example
	for _, n := range ns {
		if (n.Command.s == "") == (n.Tool.s == "") {
			d.fail(n.Pos, "write a shell command, or tool: and input:", "the example is neither a command nor a tool call")
		}
		out = append(out, policy.Example{Command: n.Command.s, Tool: n.Tool.s, Input: n.Input.s, Dir: n.Dir.s, Tainted: n.Tainted, Pos: n.Pos})
	}
	return out
}

func kebab(s string) bool {
	for i := range len(s) {
		c := s[i]
		word := c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
		if !word && (c != '-' || i == 0 || i == len(s)-1 || s[i-1] == '-') {
			return false
		}
	}
	return s != "" && len(s) <= 100
}

// name gives rules without an ID a descriptive one. It depends on the rule and on the IDs that
// would otherwise be equal, never on the order: an ID that moved to another rule would let
// `disable` turn off the wrong one.
func (d *decoder) name(rs []policy.Rule) {
	short := map[string]int{}
	for i := range rs {
		if rs[i].ID != "" {
			short[rs[i].ID]++
		} else if len(rs[i].Match) > 0 {
			short[shortID(&rs[i])]++
		}
	}
	for i := range rs {
		r := &rs[i]
		if r.ID != "" || len(r.Match) == 0 {
			continue
		}
		if id := shortID(r); short[id] == 1 {
			r.ID = id
			continue
		}
		r.ID = longID(r)
	}
}

func shortID(r *policy.Rule) string { return slug(r.Effect.String() + " " + r.Match[0].String()) }

func longID(r *policy.Rule) string {
	var b strings.Builder
	b.WriteString(r.Effect.String())
	for _, p := range r.Match {
		fmt.Fprintf(&b, " %s", p)
	}
	for _, p := range r.Unless {
		fmt.Fprintf(&b, " unless %s", p)
	}
	w := r.When
	for _, list := range [][]string{w.Platforms, w.Tools, w.Agents, w.Traits.Names()} {
		fmt.Fprintf(&b, " %s", strings.Join(list, " "))
	}
	for _, n := range w.Without.Names() {
		b.WriteString(" no " + n)
	}
	return slug(b.String())
}

// slug writes s in kebab-case. Globs become words, so that exec(a) and exec(a*) differ.
func slug(s string) string {
	s = strings.NewReplacer("~", " home ", "**", " all ", "*", " any ", "!", " not ").Replace(s)
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= 90 {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
