package command

import (
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

func doNode(c *Call) {
	if c.Inert() || len(c.Args) == 1 && c.AsksAboutItself() {
		return
	}
	for _, o := range []string{"-r", "--import", "--loader"} {
		for _, w := range c.All(o) {
			if isPathWord(w.Text) || CodeAddress(w.Text) {
				c.RunFile("js", w, Run{})
			} else if strings.HasPrefix(w.Text, "data:") {
				nodeData(c, w)
			}
		}
	}
	done := false
	for _, o := range []string{"-e", "-p"} {
		for _, w := range c.All(o) {
			if o == "-p" && w.Text == "e" && len(c.Operands) > 0 {
				w = c.Operands[0] // -pe is -p -e
			}
			if o == "-p" && !strings.ContainsAny(w.Text, ";\n") { // node prints the value of the expression
				w = w.With("console.log(" + w.Text + ")")
			}
			c.Code("js", w, Run{Out: true, Args: c.Operands})
			done = true
		}
	}
	if done {
		return
	}
	if w, ok := c.Opt("--run"); ok {
		c.Exec(append(Lits("npm", "run"), w), Run{Out: true})
		return
	}
	ws := c.Operands
	switch {
	case len(ws) == 0 || ws[0].Text == "-" || ws[0].Text == "/dev/stdin":
		if !c.Has("--test") {
			stdinScript(c, "js", c.Operands)
		}
	case ws[0].Text == "inspect" && len(ws) > 1:
		c.RunFile("js", ws[1], Run{Out: true, Args: ws[2:]})
	case strings.HasPrefix(ws[0].Text, "data:"):
		nodeData(c, ws[0])
	case c.Has("--test"):
		for _, w := range ws[:min(len(ws), maxTestsRun)] { // files that match a pattern are only scanned
			c.RunFile("js", w, Run{Out: true, Scan: strings.Contains(w.Text, "*")})
		}
	default:
		c.RunFile("js", ws[0], Run{Out: true, Args: ws[1:]})
	}
}

// nodeData runs a module in a data URL: data:text/javascript,...
func nodeData(c *Call, w Word) {
	head, body, _ := strings.Cut(w.Text, ",")
	if strings.HasSuffix(head, ";base64") {
		w.Taint |= FromDecoder
	}
	c.Code("js", w.With(body), Run{Out: true})
}

// isPathWord reports whether a word is a path by its beginning, and not the name of a package.
func isPathWord(s string) bool {
	return anyof.HasPrefix(s, ".", "/", "~")
}

// doDenoFiles runs the operands that are addresses. Files are read where deno looks for them.
func doDenoFiles(c *Call) {
	denoImports(c)
	for _, w := range c.Operands {
		if CodeAddress(w.Text) {
			c.RunFile("js", w, Run{Out: true})
		}
	}
}

// denoImports runs the map that gives the names of modules other addresses, if it has one itself.
func denoImports(c *Call) {
	for _, o := range []string{"--import-map", "--config", "-c"} {
		if w, ok := c.Opt(o); ok && CodeAddress(w.Text) {
			c.RunFile("js", w, Run{})
		}
	}
}

// doDenoRun runs a script.
func doDenoRun(c *Call) {
	denoImports(c)
	if len(c.Operands) == 0 || c.Inert() {
		return
	}
	w := c.Operands[0]
	switch {
	case anyof.HasPrefix(w.Text, "npm:", "jsr:") && anyof.Contains(w.Text, "://", "git+"):
		c.runRemote("js", w, Run{Out: true})
	case anyof.HasPrefix(w.Text, "npm:", "jsr:"):
		Packages(c, "run", c.Operands[:1], 0)
	case anyof.HasPrefix(w.Text, "https://deno.land/", "https://jsr.io/"): // a package of a registry
	case w.Text == "-":
		stdinScript(c, "js", c.Operands)
	default:
		c.RunFile("js", w, Run{Out: true, Args: c.Operands[1:]})
	}
}

// doBun runs scripts, and reads package commands as those of npm.
func doBun(c *Call) {
	if c.Has("-e", "-p") || c.Inert() {
		return
	}
	ws := c.Operands
	if len(ws) == 0 {
		stdinScript(c, "js", c.Operands)
		return
	}
	switch ws[0].Text {
	case "-":
		stdinScript(c, "js", c.Operands)
	case "run", "test", "x", "install", "i", "add", "a", "remove", "rm", "update", "link", "unlink", "pm", "create", "build", "init", "upgrade", "publish", "outdated", "patch", "exec", "repl", "why", "audit", "info":
		rest := skipOptions(ws[1:])
		switch {
		case ws[0].Text == "exec" && len(rest) > 0:
			c.Shell(rest[0], Run{Out: true})
		case ws[0].Text == "x" && len(rest) > 0:
			c.Exec(append(Lits("npx"), ws[1:]...), Run{Out: true})
		case ws[0].Text == "run" && len(rest) > 0 && (isPathWord(rest[0].Text) || ScriptName(rest[0].Text)):
			c.RunFile("js", rest[0], Run{Out: true, Args: rest[1:]})
		case ws[0].Text == "repl", ws[0].Text == "run" && len(ws) > 1 && ws[1].Text == "-":
			stdinScript(c, "js", nil)
		case ws[0].Text == "run":
			bunScript(c, ws[1:])
		case ws[0].Text == "install" || ws[0].Text == "i" || ws[0].Text == "add" || ws[0].Text == "a" || ws[0].Text == "publish" || ws[0].Text == "remove" || ws[0].Text == "rm":
			c.Exec(append(Lits("npm"), ws...), Run{Out: true})
		}
	default:
		if isPathWord(ws[0].Text) || ScriptName(ws[0].Text) {
			c.RunFile("js", ws[0], Run{Out: true, Args: ws[1:]})
		} else {
			bunScript(c, ws)
		}
	}
}

// bunScript runs a script by its name, of this package or of the packages that --filter selects.
func bunScript(c *Call, ws []Word) {
	filters := c.All("--filter")
	for len(ws) > 1 && (ws[0].Text == "--filter" || ws[0].Text == "-F") {
		filters, ws = append(filters, ws[1]), ws[2:]
	}
	if len(filters) == 0 {
		c.Exec(append(Lits("npm", "run"), ws...), Run{Out: true})
		return
	}
	run := Lits("pnpm")
	for _, w := range filters {
		run = append(run, w.With("--filter="+w.Text))
	}
	c.Exec(append(append(run, Lit("run")), ws...), Run{Out: true})
}

// ScriptName reports whether a file is a script of JavaScript or TypeScript, by its ending.
func ScriptName(s string) bool {
	return anyof.HasSuffix(s, ".js", ".ts", ".mjs", ".cjs", ".mts", ".cts", ".jsx", ".tsx")
}

// doDenoTask runs a task of deno.json or deno.jsonc.
func doDenoTask(c *Call) {
	if len(c.Operands) > 0 {
		for _, manifest := range []string{"deno.json", "deno.jsonc"} {
			PackageScripts(c, manifest, c.Operands[1:], c.Operands[0].Text)
		}
	}
}
