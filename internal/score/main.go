// Command score measures the built-in packs on labelled commands and prints a table by
// category. It compiles the packs from their sources, so that you can try a rule without
// building anything else.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/platform"
	"github.com/umpire-dev/umpire/internal/policyfile"
	"github.com/umpire-dev/umpire/policy"
)

// Case is one labelled call.
type Case struct {
	ID       string          `json:"id"`
	Command  string          `json:"command"`
	Tool     string          `json:"tool_name"`
	Input    json.RawMessage `json:"tool_input"`
	Dir      string          `json:"cwd"`
	Expect   umpire.Effect   `json:"expect"`
	AlsoOK   []umpire.Effect `json:"also_ok"`
	Category string          `json:"category"`
	Why      string          `json:"why"`
	Label    string          `json:"label"`  // of recorded calls: right, defensible, wrong or missed
	Client   string          `json:"client"` // that the call was recorded from

	Unlabelled bool `json:"-"`
}

func (c *Case) action() *umpire.Action {
	a := &umpire.Action{Tool: c.Tool, Input: c.Input, Dir: c.Dir, Workspace: "/home/dev/proj", Home: "/home/dev", Temp: "/tmp", Principal: umpire.Principal{Platform: "claude"}}
	if c.Command != "" {
		a.Tool = "Bash"
		a.Input, _ = json.Marshal(map[string]string{"command": c.Command})
	}
	a.Dir = cmp.Or(a.Dir, a.Workspace)
	return a
}

// listed reports whether the case is an entry of a list of allowed commands, such as Bash(npm
// run:*). It begins like a call, but no one made it.
func (c *Case) listed() bool { return c.Client == "allow-list" || c.Client == "allow-prefix" }

// checkout is the folder whose files every call finds.
var checkout string

// files is what the calls find on the disk. Recorded calls ran in many folders: of a path
// outside of the workspace, the longest end that the checkout has is found.
func files() operation.Env {
	if checkout == "" {
		return operation.Env{}
	}
	return operation.Env{ReadFile: func(path string) ([]byte, bool) {
		if rest, ok := strings.CutPrefix(path, "/home/dev/proj/"); ok {
			return platform.ReadFile(filepath.Join(checkout, rest))
		}
		for rest, ok := strings.TrimPrefix(path, "/"), true; ok; _, rest, ok = strings.Cut(rest, "/") {
			if b, found := platform.ReadFile(filepath.Join(checkout, rest)); found {
				return b, true
			}
		}
		return nil, false
	}}
}

// harmless reports whether a careful user would let the call pass. Recorded calls that
// nobody labelled did.
func (c *Case) harmless() bool { return c.Unlabelled || c.Expect == umpire.Allow }

// tally counts outcomes of the cases with one label.
type tally struct{ n, denied, stopped, right int }

func (t *tally) add(got umpire.Effect, right bool) {
	t.n++
	if got == umpire.Deny {
		t.denied++
	}
	if got != umpire.Allow {
		t.stopped++
	}
	if right {
		t.right++
	}
}

func main() {
	corpora := flag.String("corpora", "../shared/corpora", "folder with the labelled calls")
	packs := flag.String("packs", "internal/packs", "folder with the packs")
	category := flag.String("category", "", "list the misjudged cases of the categories that begin so (\"all\" for every one, \"real\" for the recorded calls)")
	label := flag.String("label", "", "list only cases with this label: deny, ask or allow")
	grep := flag.String("grep", "", "only cases whose command contains this")
	least := flag.Int("stopped", 0, "list the classes with at least this number of harmless calls that a default that asks stops")
	dump := flag.String("class", "", "with -stopped, also list the calls of the classes that begin so")
	list := flag.String("lines", "", "print the decision on each line of this file, taken for a command")
	facts := flag.Int("options", -1, "measure the descriptions of programs by options-dev.jsonl, and list this number of lines of each class")
	spell := flag.Bool("spellings", false, "measure the dangerous commands in other spellings, and harmless commands that mention them")
	flag.StringVar(&checkout, "checkout", "", "a project's folder: every call is read as if it ran in such a one")
	flag.Parse()
	var err error
	switch {
	case *list != "":
		err = lines(*list, *packs)
	case *facts >= 0:
		err = options(*corpora, *facts)
	case *least > 0:
		err = classes(*corpora, *packs, *least, *dump)
	case *spell:
		err = spellings(*corpora, *packs)
	default:
		err = run(*corpora, *packs, *category, *label, *grep)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		os.Exit(1)
	}
}

func classes(corpora, packs string, least int, dump string) error {
	asking, err := compile(packs, umpire.Ask)
	if err != nil {
		return err
	}
	for _, file := range []string{"commands-benign-dev", "real-dev"} {
		if err := stopped(corpora, file, asking, least, dump); err != nil {
			return err
		}
	}
	return nil
}

func run(corpora, packs, category, label, grep string) error {
	p, err := compile(packs, umpire.Allow)
	if err != nil {
		return err
	}
	asking, err := compile(packs, umpire.Ask)
	if err != nil {
		return err
	}
	for _, file := range []string{"commands-dev.jsonl", "tools-dev.jsonl", "commands-benign-dev.jsonl"} {
		cases, err := load(filepath.Join(corpora, file))
		if err != nil {
			return err
		}
		byCategory := map[string]*[3]tally{}
		var total [3]tally
		start := time.Now()
		for i := range cases {
			c := &cases[i]
			if grep != "" && !strings.Contains(c.Command, grep) {
				continue
			}
			a := c.action()
			ops := operation.Read(a, files())
			d := p.Decide(a, ops)
			right := d.Effect == c.Expect || slices.Contains(c.AlsoOK, d.Effect)
			t := byCategory[c.Category]
			if t == nil {
				t = new([3]tally)
				byCategory[c.Category] = t
			}
			t[c.Expect].add(d.Effect, right)
			total[c.Expect].add(d.Effect, right)
			if !right && category != "" && (category == "all" || strings.HasPrefix(c.Category, category)) && (label == "" || label == c.Expect.String()) {
				show(c, ops, d)
			}
		}
		took := time.Since(start)
		fmt.Printf("%s: %d cases, %s a case\n", file, len(cases), (took / time.Duration(max(1, len(cases)))).Round(time.Microsecond))
		table(byCategory, &total)
	}
	if err := recorded(filepath.Join(corpora, "real-dev.jsonl"), p, category); err != nil {
		return err
	}
	return strict(corpora, p, asking)
}

// strict prints what a default that asks stops: of the calls that should pass, and of the
// dangerous ones, where the rules alone stop some already.
func strict(corpora string, p, asking *policy.Policy) error {
	fmt.Println("with defaultAction: ask")
	left := ""
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "calls\tharmless\tstopped\tfully known\tstopped\tdangerous\tstopped\tby rules alone\t")
	for _, file := range []string{"commands-benign-dev.jsonl", "real-dev.jsonl", "commands-dev.jsonl", "tools-dev.jsonl"} {
		cases, err := load(filepath.Join(corpora, file))
		if err != nil {
			return err
		}
		var harmless, known, dangerous, alone, listed tally
		for i := range cases {
			c := &cases[i]
			a := c.action()
			ops := operation.Read(a, files())
			d := asking.Decide(a, ops)
			if c.harmless() && c.listed() {
				listed.add(d.Effect, false)
				continue
			}
			if c.harmless() {
				harmless.add(d.Effect, false)
				if !slices.ContainsFunc(ops, func(o umpire.Operation) bool { return o.Traits&umpire.Unknown != 0 }) {
					known.add(d.Effect, false)
				}
				continue
			}
			dangerous.add(d.Effect, false)
			alone.add(p.Decide(a, ops).Effect, false)
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%d\t%s\t%d\t%s\t%s\t\n", strings.TrimSuffix(file, ".jsonl"), harmless.n, percent(harmless.stopped, harmless.n), known.n, percent(known.stopped, known.n),
			dangerous.n, percent(dangerous.stopped, dangerous.n), percent(alone.stopped, alone.n))
		if listed.n > 0 {
			left = fmt.Sprintf("left out of %s: %d entries of lists of allowed commands, which are not calls (%d stopped)", strings.TrimSuffix(file, ".jsonl"), listed.n, listed.stopped)
		}
	}
	if err := w.Flush(); err != nil || left == "" {
		return err
	}
	_, err := fmt.Println(left)
	return err
}

func show(c *Case, ops []umpire.Operation, d umpire.Decision) {
	what := c.Command
	if what == "" {
		what = c.Tool + " " + string(c.Input)
	}
	want := c.Expect.String()
	if c.Unlabelled {
		want = "nothing known"
	}
	fmt.Printf("%s %s: want %s, got %v\n    %s\n", c.ID, c.Category, want, d.Effect, what)
	for _, o := range ops {
		fmt.Printf("      %v [%v] {%v}\n", o, o.Traits, o.Places)
	}
	for _, r := range d.Reasons {
		fmt.Printf("      -> %v %s\n", r.Effect, r.Rule)
	}
}

func table(by map[string]*[3]tally, total *[3]tally) {
	names := make([]string, 0, len(by))
	for n := range by {
		names = append(names, n)
	}
	slices.Sort(names)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "category\tdeny\tstopped\tdenied\tright\task\tstopped\tright\tallow\tstopped\t")
	row := func(name string, t *[3]tally) {
		d, a, o := &t[umpire.Deny], &t[umpire.Ask], &t[umpire.Allow]
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%d\t%s\t%s\t%d\t%s\t\n", name, d.n, percent(d.stopped, d.n), percent(d.denied, d.n), percent(d.right, d.n),
			a.n, percent(a.stopped, a.n), percent(a.right, a.n), o.n, percent(o.stopped, o.n))
	}
	for _, n := range names {
		row(n, by[n])
	}
	row("total", total)
	w.Flush()
}

func percent(n, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(of))
}

func compile(dir string, def umpire.Effect) (*policy.Policy, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no packs in %s", dir)
	}
	src := policy.Source{Default: def}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		p, err := policyfile.ParsePack(f, data)
		if err != nil {
			fmt.Fprintf(os.Stderr, "left out: %v\n", err)
			continue
		}
		src.Rules = append(src.Rules, p.Rules...)
	}
	return policy.Compile(src)
}

func load(path string) ([]Case, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []Case
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var c Case
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		c.Unlabelled = !bytes.Contains(sc.Bytes(), []byte(`"expect":`))
		out = append(out, c)
	}
	return out, sc.Err()
}
