package projectfile

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// loadsPython runs the modules of the project that Python programs load: those that an operand, an
// option, a variable or a setting names.
func loadsPython(c *command.Call) {
	switch c.Program {
	case "uvicorn", "gunicorn", "hypercorn", "daphne", "granian", "waitress-serve", "fastapi", "streamlit", "taskiq", "arq", "dramatiq":
		for _, w := range c.Operands {
			if w.Known() && !strings.HasPrefix(w.Text, "-") {
				loadsModule(c, w.Text)
			}
		}
		if c.Program == "fastapi" && len(c.Operands) < 2 {
			command.StartsFile(c, "python", "main.py", "app.py", "app/main.py")
		}
	case "celery", "flask":
		for _, o := range []string{"-A", "--app"} {
			if m, ok := command.ConfigValue(c, o); ok {
				loadsModule(c, m)
				loadsModule(c, m+".celery")
			}
		}
		if w, ok := c.Var("FLASK_APP"); ok && w.Known() {
			loadsModule(c, w.Text)
		}
	case "django-admin":
		if w, ok := c.Var("DJANGO_SETTINGS_MODULE"); ok && w.Known() {
			loadsModule(c, w.Text)
		}
		if m, ok := command.ConfigValue(c, "--settings"); ok {
			loadsModule(c, m)
		}
	case "alembic":
		name := "alembic.ini"
		if w, ok := command.ConfigValue(c, "-c", "--config"); ok {
			name = w
		}
		if f, ok := c.StartedFile(name); ok {
			dir := f.Tree(datafile.INI).Str("alembic", "script_location")
			command.StartsFile(c, "python", path.Join(strings.TrimPrefix(dir, "%(here)s/"), "env.py"))
		}
	case "scrapy":
		if f, ok := c.StartedFile("scrapy.cfg"); ok {
			loadsModule(c, f.Tree(datafile.INI).Str("settings", "default"))
		}
	case "hatch", "poetry", "pdm", "rye", "flit":
		if anyof.Listed("build install sync publish", c.Verb()) {
			command.BuildsPackage(c, ".")
		}
	}
}

// loadsConftest runs each conftest.py in the folders of the named tests, in the folders above
// those, and in the folders above the call's.
func loadsConftest(c *command.Call) {
	done := map[string]bool{".": true} // every run reads the call's folder anyway
	for _, w := range c.Operands {
		name, _, _ := strings.Cut(w.Text, "::")
		if name = path.Clean(name); !w.Known() || path.IsAbs(name) {
			continue
		}
		if len(done) > command.MaxFolders {
			c.Beyond(name)
			break
		}
		for dir := path.Dir(name); !done[dir] && dir != ".."; dir = path.Dir(dir) {
			done[dir] = true
			command.StartsFile(c, "python", path.Join(dir, "conftest.py"))
		}
	}
	for _, dir := range command.FoldersAbove(c) {
		command.StartsFile(c, "python", path.Join(dir, "conftest.py"))
	}
}

// loadsEnvironment runs the code that Python runs first in a virtual environment: the import lines
// of .pth files, sitecustomize and usercustomize. It takes the environment from the program's path
// in the call, from VIRTUAL_ENV, or, for tools such as uv run, from .venv.
func loadsEnvironment(c *command.Call, as command.Word) {
	dir := ""
	if bin := path.Dir(as.Text); as.Known() && bin != "." && (path.Base(bin) == "bin" || path.Base(bin) == "Scripts") {
		dir = path.Dir(bin)
	} else if w, ok := c.Var("VIRTUAL_ENV"); ok && w.Known() {
		dir = w.Text
	} else if anyof.Listed("uv poetry pdm hatch rye", c.Program) && c.Verb() == "run" {
		dir = ".venv"
	}
	if dir == "" {
		return
	}
	for _, version := range c.Names(command.Lit(path.Join(dir, "lib"))) {
		site := path.Join(dir, "lib", version, "site-packages")
		for _, name := range c.Names(command.Lit(site)) {
			if name == "sitecustomize.py" || name == "usercustomize.py" {
				command.StartsFile(c, "python", path.Join(site, name))
			}
			if !strings.HasSuffix(name, ".pth") {
				continue
			}
			f, _ := c.StartedFile(path.Join(site, name))
			var code strings.Builder
			for line := range strings.Lines(f.Text) {
				if strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "import\t") {
					code.WriteString(line)
				}
			}
			if f.Text = code.String(); f.Text != "" {
				f.RunAs("python", command.Run{})
			}
		}
	}
}
