package command

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// rakeTasks runs the code of a Rakefile outside of tasks, and the code of the wanted tasks and of
// the tasks that they depend on.
func rakeTasks(c *Call, want []string) {
	f, _ := c.StartedFile("rakefile", "Rakefile", "rakefile.rb", "Rakefile.rb")
	type task struct {
		needs []string
		body  string
	}
	text := f.Text
	for _, n := range rakeFiles(c, f.Text) {
		if more, ok := c.StartedFile(n); ok {
			text += "\n" + more.Text
		}
	}
	tasks, outside := map[string]*task{}, ""
	var in *task
	indent := 0
	for _, line := range strings.Split(text, "\n") {
		s := strings.TrimSpace(line)
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case in != nil && depth <= indent && (s == "end" || s == "}"):
			in = nil
		case in != nil:
			in.body += RakeLine(s) + "\n"
		case anyof.HasPrefix(s, "task ", "file ", "task("):
			head, body, one := strings.Cut(s, "{")
			if !one {
				head, body, one = strings.Cut(s, " do ")
			}
			names := strings.FieldsFunc(head[5:], func(r rune) bool { return strings.ContainsRune(` :,=>[]()"'|{}`, r) })
			if len(names) == 0 || len(tasks) > MaxTargets {
				continue
			}
			t := tasks[names[0]]
			if t == nil {
				t = &task{}
				tasks[names[0]] = t
			}
			t.needs = append(t.needs, names[1:]...)
			if one && (strings.HasSuffix(s, "}") || strings.HasSuffix(s, " end")) {
				t.body += RakeLine(strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(body, "}"), " end"))) + "\n"
			} else if one || strings.HasSuffix(s, " do") || strings.Contains(s, " do |") {
				in, indent = t, depth
			}
		default:
			outside += RakeLine(line) + "\n"
		}
	}
	if len(want) == 0 {
		want = []string{"default"}
	}
	done := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		if t := tasks[name]; t != nil && !done[name] {
			done[name] = true
			for _, n := range t.needs {
				visit(n)
			}
			outside += t.body
		}
	}
	for _, n := range want {
		n, _, _ = strings.Cut(n, "[")
		visit(n)
		visit(n[strings.LastIndexByte(n, ':')+1:])
	}
	f.Text = outside
	f.RunAs("ruby", Run{})
}

// rakeFiles returns the task files that a Rakefile loads: those that it names, also by a pattern,
// and those in rakelib.
func rakeFiles(c *Call, text string) (files []string) {
	names := []string{"rakelib/*.rake"}
	if strings.Contains(text, "load_tasks") { // Rails
		names = append(names, "lib/tasks/*.rake")
	}
	for line := range strings.Lines(text) {
		for _, q := range [...]string{"'", `"`} {
			if parts := strings.Split(line, q); len(parts) > 2 && strings.HasSuffix(parts[1], ".rake") {
				names = append(names, strings.ReplaceAll(parts[1], "**/", ""))
			}
		}
	}
	for _, n := range names {
		if strings.Contains(n, "*") {
			for _, w := range FilesOf(c, Lit(n)) {
				files = append(files, w.Text)
			}
			continue
		}
		files = append(files, n)
	}
	return files
}

// RakeLine replaces a helper of rake at the beginning of a line by plain Ruby.
func RakeLine(s string) string {
	for _, w := range rakeWords {
		if rest, ok := strings.CutPrefix(s, w.name); ok && rest != "" && (rest[0] == ' ' || rest[0] == '(') {
			return w.ruby + rest
		}
	}
	return s
}

var rakeWords = [...]struct{ name, ruby string }{
	{"sh", "system"}, {"ruby", "system 'ruby', "}, {"rm_rf", "FileUtils.rm_rf"}, {"rm_r", "FileUtils.rm_r"}, {"rm", "FileUtils.rm"}, {"rm_f", "FileUtils.rm_f"}, {"rmtree", "FileUtils.rm_rf"},
}
