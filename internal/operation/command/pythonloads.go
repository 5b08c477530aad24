package command

import (
	"path"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/datafile"
)

// loadsPython runs the modules of the project that Python programs load: those that an operand, an
// option, a variable or a setting names.
func loadsPython(c *Call) {
	switch c.Program {
	case "uvicorn", "gunicorn", "hypercorn", "daphne", "granian", "waitress-serve", "fastapi", "streamlit", "taskiq", "arq", "dramatiq":
		for _, w := range c.Operands {
			if w.Known() && !strings.HasPrefix(w.Text, "-") {
				loadsModule(c, w.Text)
			}
		}
		if c.Program == "fastapi" && len(c.Operands) < 2 {
			startsFile(c, "python", "main.py", "app.py", "app/main.py")
		}
	case "celery", "flask":
		for _, o := range []string{"-A", "--app"} {
			if m, ok := configValue(c, o); ok {
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
		if m, ok := configValue(c, "--settings"); ok {
			loadsModule(c, m)
		}
	case "alembic":
		name := "alembic.ini"
		if w, ok := configValue(c, "-c", "--config"); ok {
			name = w
		}
		if f, ok := c.startedFile(name); ok {
			dir := f.tree(datafile.INI).Str("alembic", "script_location")
			startsFile(c, "python", path.Join(strings.TrimPrefix(dir, "%(here)s/"), "env.py"))
		}
	case "scrapy":
		if f, ok := c.startedFile("scrapy.cfg"); ok {
			loadsModule(c, f.tree(datafile.INI).Str("settings", "default"))
		}
	case "hatch", "poetry", "pdm", "rye", "flit":
		if hasWord("build install sync publish", c.verb()) {
			buildsPackage(c, ".")
		}
	}
}

// loadsConftest runs each conftest.py in the folders of the named tests, in the folders above
// those, and in the folders above the call's.
func loadsConftest(c *Call) {
	done := map[string]bool{".": true} // every run reads the call's folder anyway
	for _, w := range c.Operands {
		name, _, _ := strings.Cut(w.Text, "::")
		if name = path.Clean(name); !w.Known() || path.IsAbs(name) {
			continue
		}
		if len(done) > maxFolders {
			c.beyond(name)
			break
		}
		for dir := path.Dir(name); !done[dir] && dir != ".."; dir = path.Dir(dir) {
			done[dir] = true
			startsFile(c, "python", path.Join(dir, "conftest.py"))
		}
	}
	for _, dir := range foldersAbove(c) {
		startsFile(c, "python", path.Join(dir, "conftest.py"))
	}
}

// foldersAbove returns the folders of the workspace above the call's folder.
func foldersAbove(c *Call) (dirs []string) {
	for up := ".."; len(dirs) < maxFoldersUp; up = "../" + up {
		if abs, p := c.Path(Lit(up)); p&(umpire.PlaceWorkspace|umpire.PlaceInWorkspace) == 0 || abs == "/" {
			break
		}
		dirs = append(dirs, up)
	}
	return dirs
}
