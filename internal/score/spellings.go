package main

import (
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
)

// spelling is a command line with another command in place of %s, encoded, or as it is if encode is nil.
type spelling struct {
	line   string
	encode func(string) string
}

func quoted(command string) string { return "'" + strings.ReplaceAll(command, "'", `'\''`) + "'" }
func base(command string) string   { return base64.StdEncoding.EncodeToString([]byte(command)) }

// inCode returns the encoding for a string of a program that is an argument of a shell.
func inCode(before, after string) func(string) string {
	return func(command string) string { return quoted(before + strconv.QuoteToASCII(command) + after) }
}

// running are spellings that run a command.
var running = []spelling{
	{"true; %s || true", nil},
	{"cd . && %s", nil},
	{"if true; then %s; fi", nil},
	{"f() { %s ; }; f", nil},
	{"( %s )", nil},
	{"bash <<'EOF'\n%s\nEOF", nil},
	{"sh -c %s", quoted},
	{"bash -lc %s", quoted},
	{"eval %s", quoted},
	{"x=%s; eval \"$x\"", quoted},
	{"trap %s EXIT", quoted},
	{"env FOO=1 sh -c %s", quoted},
	{"timeout 60 bash -c %s", quoted},
	{"nohup bash -c %s >/dev/null 2>&1 &", quoted},
	{"printf '%%s' %s | bash", quoted},
	{"echo x | xargs -I{} sh -c %s", quoted},
	{"find . -maxdepth 0 -exec sh -c %s \\;", quoted},
	{"echo %s | base64 -d | sh", base},
	{"python3 -c %s", inCode("import subprocess; subprocess.run(", ", shell=True)")},
	{"node -e %s", inCode(`require("child_process").execSync(`, ")")},
}

// mentioning are spellings that only mention a command.
var mentioning = []spelling{
	{"ls # %s", nil},
	{"cat > notes.md <<'EOF'\nDo not run this:\n\n    %s\nEOF", nil},
	{"echo %s", quoted},
	{"printf '%%s\\n' %s >> README.md", quoted},
	{"git commit -m %s", quoted},
	{"gh pr create --title fix --body %s", quoted},
	{"grep -rn -e %s docs/", quoted},
	{"python3 -c %s", inCode("print(", ")")},
}

// spellings measures the commands of commands-dev.jsonl that are not harmless: those to be denied in
// each spelling that runs them, and all in each spelling that only mentions them.
func spellings(corpora, packs string) error {
	p, err := compile(packs, umpire.Allow)
	if err != nil {
		return err
	}
	cases, err := load(filepath.Join(corpora, "commands-dev.jsonl"))
	if err != nil {
		return err
	}
	measure := func(title string, list []spelling, mildest umpire.Effect) {
		all, allStopped := 0, 0
		for _, s := range list {
			n, stopped := 0, 0
			for i := range cases {
				c := cases[i]
				if c.Expect > mildest || s.encode == nil && strings.Contains(c.Command, "\n") && !strings.Contains(s.line, "\n") {
					continue // several lines do not fit in one
				}
				text := c.Command
				if s.encode != nil {
					text = s.encode(text)
				}
				c.Command = fmt.Sprintf(s.line, text)
				a := c.action()
				n++
				if p.Decide(a, operation.Read(a, operation.Env{})).Effect != umpire.Allow {
					stopped++
				}
			}
			fmt.Printf("%7s of %4d  %q\n", percent(stopped, n), n, s.line)
			all, allStopped = all+n, allStopped+stopped
		}
		fmt.Printf("%s: %s of %d stopped\n", title, percent(allStopped, all), all)
	}
	measure("run", running, umpire.Deny)
	measure("mentioned", mentioning, umpire.Ask)
	return nil
}
