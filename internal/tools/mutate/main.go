// Mutate plants faults in Go code one by one, and reports those that no test notices.
//
// It takes a random sample of what a branch changed (or of whole packages), breaks one
// statement at a time, and runs the package's tests. A mutant that the tests pass is printed
// as a difference: read it, and either write the test that fails, or see that nothing changed.
//
//	go run ./internal/tools/mutate [-base REV] [-n N] [-seed N] [-operator NAME] [PACKAGE...]
//
// A mutant may remove files or send signals. scripts/mutate.sh runs this program in a box in
// which only temporary folders can be written.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	base := flag.String("base", "main", "mutate the lines that changed since this `revision`")
	n := flag.Int("n", 20, "number of mutants")
	seed := flag.Uint64("seed", 1, "which sample to take")
	within := flag.Duration("timeout", 2*time.Minute, "how long the tests of a mutant may take; a mutant that takes longer is killed")
	operator := flag.String("operator", "", "only mutants of this `operator`, such as \"skip error check\"")
	users := flag.Bool("users", false, "also run the tests of the packages that import a survivor's package")
	least := flag.Int("least", 0, "exit with 1 if less than this percentage is killed")
	flag.Parse()
	ctx := context.Background()
	lines, err := changedLines(ctx, *base, flag.Args())
	if err == nil {
		var all []site
		if all, err = sample(lines, *operator, *n, *seed); err == nil {
			var r results
			if r, err = run(ctx, all, *within, *users, os.Stdout); err == nil {
				err = r.report(os.Stdout, *least)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// changed maps a file to the lines that may be mutated: nil means all.
type changed map[string]map[int]bool

// changedLines returns the files of packages with all their lines, or, without packages, the
// lines that were added since base.
func changedLines(ctx context.Context, base string, packages []string) (changed, error) {
	out := changed{}
	if len(packages) > 0 {
		list, err := output(ctx, append([]string{"go", "list", "-f", `{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`}, packages...)...)
		if err != nil {
			return nil, err
		}
		here, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		for _, path := range strings.Fields(string(list)) {
			rel, err := filepath.Rel(here, path)
			if err != nil {
				return nil, err
			}
			out[rel] = nil
		}
		return out, nil
	}
	diff, err := output(ctx, "git", "diff", "-U0", "--no-color", "--no-ext-diff", base, "--", "*.go")
	if err != nil {
		return nil, err
	}
	return parseDiff(diff), nil
}

// parseDiff reads which lines of which files a unified difference without context adds.
func parseDiff(diff []byte) changed {
	out := changed{}
	file := ""
	for line := range bytes.Lines(diff) {
		text := strings.TrimRight(string(line), "\n")
		if name, ok := strings.CutPrefix(text, "+++ b/"); ok {
			file = name
			continue
		}
		hunk, ok := strings.CutPrefix(text, "@@ ")
		if !ok || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		_, added, ok := strings.Cut(hunk, "+")
		added, _, _ = strings.Cut(added, " ")
		from, count, several := strings.Cut(added, ",")
		first, err := strconv.Atoi(from)
		n := 1
		if several && err == nil {
			n, err = strconv.Atoi(count)
		}
		if !ok || err != nil {
			continue
		}
		if out[file] == nil {
			out[file] = map[int]bool{}
		}
		for i := range n {
			out[file][first+i] = true
		}
	}
	return out
}

// sample draws n sites, at most one per line, of one operator or, if it is empty, of all. Each
// operator is equally likely; otherwise most mutants would be changed constants.
func sample(lines changed, operator string, n int, seed uint64) ([]site, error) {
	byOperator := map[string][]site{}
	var files []string
	for file := range lines {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found, err := sites(file, source)
		if err != nil {
			return nil, err
		}
		for _, s := range found {
			if (lines[file] == nil || lines[file][s.line]) && (operator == "" || s.operator == operator) {
				byOperator[s.operator] = append(byOperator[s.operator], s)
			}
		}
	}
	var operators []string
	for o := range byOperator {
		operators = append(operators, o)
	}
	slices.Sort(operators)
	random := rand.New(rand.NewPCG(seed, 0))
	for _, o := range operators {
		random.Shuffle(len(byOperator[o]), func(i, j int) { byOperator[o][i], byOperator[o][j] = byOperator[o][j], byOperator[o][i] })
	}
	type place struct {
		file string
		line int
	}
	taken := map[place]bool{}
	var out []site
	for progress := true; progress && len(out) < n; {
		progress = false
		for _, o := range operators {
			for len(byOperator[o]) > 0 && len(out) < n {
				s := byOperator[o][0]
				byOperator[o] = byOperator[o][1:]
				if at := (place{s.file, s.line}); !taken[at] {
					taken[at], progress = true, true
					out = append(out, s)
					break
				}
			}
		}
	}
	if len(out) == 0 {
		return nil, errors.New("nothing to mutate: no Go line changed; name packages, or another -base")
	}
	return out, nil
}

// verdict is the outcome of a mutant.
type verdict string

const (
	killed    verdict = "killed"
	survived  verdict = "survived"
	noCompile verdict = "does not compile"
)

type testedSite struct {
	site
	verdict verdict
}

type results []testedSite

// run tests each mutant, after a package's tests have passed without one. It does not change the
// tree: the go command reads mutants from an overlay.
func run(ctx context.Context, all []site, within time.Duration, users bool, w io.Writer) (out results, err error) {
	dir, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sound := map[string]bool{}
	for i, s := range all {
		source, err := os.ReadFile(s.file)
		if err != nil {
			return nil, err
		}
		path, err := filepath.Abs(s.file)
		if err != nil {
			return nil, err
		}
		mutant, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
		replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutant}})
		if err == nil {
			err = errors.Join(os.WriteFile(mutant, s.apply(source), 0o600), os.WriteFile(overlay, replace, 0o600))
		}
		if err != nil {
			return nil, err
		}
		pkg := "./" + filepath.Dir(s.file)
		if !sound[pkg] {
			if _, err := output(ctx, "go", "test", "-vet=off", "-count=1", "-timeout", within.String(), pkg); err != nil {
				return nil, fmt.Errorf("the tests of %s fail without a mutant: %w", pkg, err)
			}
			sound[pkg] = true
		}
		v, err := try(ctx, overlay, within, pkg)
		if err == nil && v == survived && users {
			var importers []string
			if importers, err = importersOf(ctx, pkg); err == nil && len(importers) > 0 {
				v, err = try(ctx, overlay, within, importers...)
			}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, testedSite{s, v})
		fmt.Fprintf(w, "%3d/%d %-16s %s:%d (%s)\n", i+1, len(all), v, s.file, s.line, s.operator)
		if v == survived {
			fmt.Fprint(w, s.diff(source))
		}
	}
	return out, nil
}

// try runs tests on a mutant. The overlay is in GOFLAGS, because some tests build the program that
// they run.
func try(ctx context.Context, overlay string, within time.Duration, packages ...string) (verdict, error) {
	test := []string{"env", "GOFLAGS=" + os.Getenv("GOFLAGS") + " -overlay=" + overlay, "go", "test", "-vet=off", "-count=1", "-failfast", "-timeout", within.String()}
	if _, err := output(ctx, append(append(test, "-run", "^$"), packages...)...); err != nil {
		return noCompile, ctx.Err()
	}
	if _, err := output(ctx, append(test, packages...)...); err != nil {
		return killed, ctx.Err()
	}
	return survived, nil
}

// importersOf returns the packages of the module that import pkg.
func importersOf(ctx context.Context, pkg string) ([]string, error) {
	path, err := output(ctx, "go", "list", pkg)
	if err != nil {
		return nil, err
	}
	all, err := output(ctx, "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	if err != nil {
		return nil, err
	}
	var out []string
	for lines := bufio.NewScanner(bytes.NewReader(all)); lines.Scan(); {
		words := strings.Fields(lines.Text())
		if len(words) > 0 && slices.Contains(words[1:], strings.TrimSpace(string(path))) {
			out = append(out, words[0])
		}
	}
	return out, nil
}

// output runs a command and returns what it writes; its error has all that it wrote.
func output(ctx context.Context, argv ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(argv, " "), err, bytes.TrimSpace(append(out, errs.Bytes()...)))
	}
	return out, nil
}

// diff shows a mutant as the lines that change.
func (s site) diff(source []byte) string {
	before, after := strings.Split(string(source), "\n"), strings.Split(string(s.apply(source)), "\n")
	head := s.line - 1
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var b strings.Builder
	for _, l := range before[head : len(before)-tail] {
		b.WriteString("    - " + l + "\n")
	}
	for _, l := range after[head : len(after)-tail] {
		b.WriteString("    + " + l + "\n")
	}
	return b.String()
}

// report prints how many mutants the tests killed, by package and by operator.
func (r results) report(w io.Writer, least int) error {
	packages, operators, total := counts{}, counts{}, counts{}
	for _, x := range r {
		if x.verdict == noCompile {
			continue
		}
		packages.add(filepath.Dir(x.file), x.verdict)
		operators.add(x.operator, x.verdict)
		total.add("all", x.verdict)
	}
	if len(total) == 0 {
		return errors.New("no mutant compiled: take another -seed or a larger -n")
	}
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	for _, c := range []counts{packages, operators, total} {
		for _, name := range slices.Sorted(maps.Keys(c)) {
			fmt.Fprintf(t, "%s\t%d of %d killed\t%d%%\n", name, c[name].killed, c[name].all, c[name].percent())
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if percent := total["all"].percent(); percent < least {
		return fmt.Errorf("%d%% killed, and %d%% wanted", percent, least)
	}
	return nil
}

// counts has the mutants of each package, or of each operator.
type counts map[string]count

type count struct{ killed, all int }

func (c counts) add(name string, v verdict) {
	n := c[name]
	n.all++
	if v == killed {
		n.killed++
	}
	c[name] = n
}

func (c count) percent() int { return 100 * c.killed / c.all }
