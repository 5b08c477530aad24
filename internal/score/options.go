package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
)

// fact is what a completion specification says of one command: its operands, its flags and
// its options with values.
type fact struct {
	Path     []string `json:"path"`
	Operands []struct {
		Optional bool `json:"optional"`
		Variadic bool `json:"variadic"`
		Files    bool `json:"files"`
		Command  bool `json:"command"`
	} `json:"operands"`
	Flags  [][]string `json:"flags"`
	Values []struct {
		Names    []string `json:"names"`
		Optional bool     `json:"optional"`
		Files    bool     `json:"files"`
	} `json:"values"`
}

// probes are the operands for commands: secret files, files elsewhere and files in the project.
var probes = []string{"/home/dev/.ssh/id_rsa", "/home/dev/notes/draft.txt", "src/draft.txt"}

// operandsWith returns the operands of the command, with file in place of the first that
// is a file. It reports false if no operand is one.
func (f *fact) operandsWith(file string) (args []string, ok bool) {
	for _, o := range f.Operands {
		switch {
		case o.Files && !ok:
			args, ok = append(args, file), true
		case o.Command:
			return nil, false // what follows is another program's
		case o.Optional && ok:
		default:
			args = append(args, "x1")
		}
	}
	return args, ok
}

// shown returns the kind of the operation that names file, "" if none does.
func shown(line []string, file string) string {
	c := Case{Command: strings.Join(line, " ")}
	for _, o := range operation.Read(c.action(), operation.Env{}) {
		if o.Kind != umpire.Exec && strings.Contains(o.Resource, file) {
			return o.Kind.String()
		}
	}
	return ""
}

// count is how many of n lines show their file.
type count struct{ n, shown int }

func (c *count) add(ok bool) {
	c.n++
	if ok {
		c.shown++
	}
}

// options measures the descriptions of programs by facts of other people: whether the
// commands that take files show one, whether an option's file is shown, and whether a flag
// hides an operand. It lists up to most lines of each class that fail.
func options(corpora string, most int) error {
	f, err := os.Open(filepath.Join(corpora, "options-dev.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	r := optionReport{classes: map[string]*count{}, missed: map[string][]string{}, programs: map[string]*count{}, kinds: map[string]int{}}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<22)
	for sc.Scan() {
		var c fact
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			return err
		}
		for _, file := range probes {
			r.operands(&c, file)
			r.options(&c, file)
		}
	}
	if err := sc.Err(); err != nil {
		return err
	}
	r.print(most)
	return nil
}

// optionReport counts the command lines whose reading shows their file.
type optionReport struct {
	classes  map[string]*count
	missed   map[string][]string // lines by class
	programs map[string]*count
	kinds    map[string]int // of operands
}

func (r *optionReport) note(class, program string, line []string, ok bool) {
	for _, c := range []struct {
		counts map[string]*count
		key    string
	}{{r.classes, class}, {r.programs, program}} {
		if c.counts[c.key] == nil {
			c.counts[c.key] = new(count)
		}
		c.counts[c.key].add(ok)
	}
	if !ok {
		r.missed[class] = append(r.missed[class], strings.Join(line, " "))
	}
}

// operands tries a file as an operand, alone and after each flag.
func (r *optionReport) operands(c *fact, file string) {
	args, ok := c.operandsWith(file)
	if !ok {
		return
	}
	kind := " " + filepath.Base(filepath.Dir(file))
	line := slices.Concat(c.Path, args)
	role := shown(line, file)
	r.note("operand"+kind, c.Path[0], line, role != "")
	if role == "" {
		return
	}
	r.kinds[role]++
	for _, flag := range append(slices.Concat(c.Flags...), "--unheard-of", "-Z") {
		if !strings.HasPrefix(flag, "-") || strings.ContainsAny(flag, "=<>[]") || asks(flag) {
			continue
		}
		line := slices.Concat(c.Path, []string{flag}, args)
		r.note("flag"+kind, c.Path[0], line, shown(line, file) != "")
	}
}

// options tries a file as the value of each option that takes one.
func (r *optionReport) options(c *fact, file string) {
	for _, v := range c.Values {
		if !v.Files || len(v.Names) == 0 || !strings.HasPrefix(v.Names[0], "-") {
			continue
		}
		name := v.Names[len(v.Names)-1]
		args, _ := c.operandsWith("x2")
		line := slices.Concat(c.Path, []string{name, file}, args)
		if v.Optional {
			line = slices.Concat(c.Path, []string{name + "=" + file}, args)
		}
		r.note("option "+filepath.Base(filepath.Dir(file)), c.Path[0], line, shown(line, file) != "")
	}
}

func (r *optionReport) print(most int) {
	for _, class := range slices.Sorted(maps.Keys(r.classes)) {
		t := r.classes[class]
		fmt.Printf("%-16s %6d lines, %6d show their file, %5d do not (%s)\n", class, t.n, t.shown, t.n-t.shown, percent(t.shown, t.n))
		for _, line := range r.missed[class][:min(most, len(r.missed[class]))] {
			fmt.Println("   ", line)
		}
	}
	fmt.Println("operands are", r.kinds)
	if most == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(r.programs), func(a, b string) int {
		x, y := r.programs[a], r.programs[b]
		return cmp.Or(cmp.Compare(y.n-y.shown, x.n-x.shown), cmp.Compare(a, b))
	})
	for _, n := range names[:min(most, len(names))] {
		if p := r.programs[n]; p.shown < p.n {
			fmt.Printf("%s: %d of %d hide their file\n", n, p.n-p.shown, p.n)
		}
	}
}

// asks reports whether a flag only asks the program about itself, so that no file is read.
func asks(flag string) bool {
	switch flag {
	case "--help", "-h", "-help", "--version", "-version", "-V", "-v", "--dry-run", "-n", "-?":
		return true
	}
	return false
}
