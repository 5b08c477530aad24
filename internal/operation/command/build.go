package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// publishTask tells tasks of build tools that send what was built to others.
func publishTask(s string) bool {
	s = s[strings.LastIndexByte(s, ':')+1:]
	switch s {
	case "deploy", "publish", "release", "upload", "uploadArchives", "bintrayUpload", "perform", "publishPlugins", "closeAndReleaseRepository", "publishToSonatype", "stage-release", "publishSigned", "sonatypeRelease", "dockerPush", "jib", "clojars":
		return true
	}
	return strings.HasPrefix(s, "publish") && s != "publishToMavenLocal" && s != "publishLocal" && s != "publishM2"
}

func doMaven(c *Call)  { doBuildPublish(c) }
func doGradle(c *Call) { doBuildPublish(c) }

func doBuildPublish(c *Call) {
	for _, w := range c.Operands {
		if publishTask(w.Text) {
			packages(c, "publish", []Word{w}, umpire.Upload|umpire.Mutate)
		}
		if strings.HasPrefix(w.Text, "exec:") || strings.Contains(w.Text, "exec-maven-plugin") {
			c.Op(umpire.Exec, Quote(c.Program, c.Args), umpire.RunsProgram)
		}
	}
}

func doMake(c *Call) {
	for _, w := range c.All("-f") {
		if w.Text == "-" || w.Text == "/dev/stdin" {
			makefile(c, c.Stdin)
			continue
		}
		if s := c.File(w); s.Seen {
			makefile(c, s)
		}
	}
	for _, w := range c.All("--eval") {
		makefile(c, Stream{Text: w.Text, Seen: w.Known(), Taint: w.Taint, Pipe: true})
	}
	for _, w := range c.Operands { // SHELL=./x make runs everything by it
		if v, ok := strings.CutPrefix(w.Text, "SHELL="); ok {
			c.Op(umpire.Exec, v, umpire.RunsProgram)
		}
	}
}

// makefile reads the recipes of a makefile, and what it runs while it is read.
func makefile(c *Call, s Stream) {
	if !s.Seen {
		if s.Pipe {
			c.Script("sh", s, Run{Via: "make"})
		}
		return
	}
	for line := range strings.SplitSeq(s.Text, "\n") {
		if i := strings.Index(line, "$(shell "); i >= 0 {
			if end := strings.LastIndexByte(line, ')'); end > i {
				c.Shell(Word{Text: line[i+len("$(shell ") : end], Taint: s.Taint}, Run{})
			}
		}
		recipe, ok := strings.CutPrefix(line, "\t")
		if !ok {
			if i := strings.IndexByte(line, ';'); i > 0 && strings.Contains(line[:i], ":") {
				recipe, ok = line[i+1:], true
			}
		}
		if ok {
			c.Shell(Word{Text: strings.ReplaceAll(strings.TrimLeft(recipe, "@-+ \t"), "$$", "$"), Taint: s.Taint}, Run{})
		}
	}
}

func doCmake(c *Call) {
	if c.Has("-E") { // cmake -E rm and its like
		ops := c.Operands
		if len(ops) == 0 {
			return
		}
		switch ops[0].Text {
		case "rm", "remove", "remove_directory":
			for _, w := range ops[1:] {
				if !strings.HasPrefix(w.Text, "-") {
					c.Delete(w, umpire.Recursive|umpire.Force)
				}
			}
		case "env", "time":
			a := ops[1:]
			for len(a) > 0 && strings.Contains(a[0].Text, "=") {
				a = a[1:]
			}
			c.Exec(a, Run{Out: true})
		case "chdir":
			if len(ops) > 2 {
				c.Exec(ops[2:], Run{Dir: &ops[1], Out: true})
			}
		}
	}
}
