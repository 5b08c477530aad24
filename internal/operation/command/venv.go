package command

import (
	"path"
	"strings"
)

// loadsEnvironment runs the code that Python runs first in a virtual environment: the import lines
// of .pth files, sitecustomize and usercustomize. It takes the environment from the program's path
// in the call, from VIRTUAL_ENV, or, for tools such as uv run, from .venv.
func loadsEnvironment(c *Call, as Word) {
	dir := ""
	if bin := path.Dir(as.Text); as.Known() && bin != "." && (path.Base(bin) == "bin" || path.Base(bin) == "Scripts") {
		dir = path.Dir(bin)
	} else if w, ok := c.Var("VIRTUAL_ENV"); ok && w.Known() {
		dir = w.Text
	} else if hasWord("uv poetry pdm hatch rye", c.Program) && c.verb() == "run" {
		dir = ".venv"
	}
	if dir == "" {
		return
	}
	for _, version := range c.Names(Lit(path.Join(dir, "lib"))) {
		site := path.Join(dir, "lib", version, "site-packages")
		for _, name := range c.Names(Lit(site)) {
			if name == "sitecustomize.py" || name == "usercustomize.py" {
				startsFile(c, "python", path.Join(site, name))
			}
			if !strings.HasSuffix(name, ".pth") {
				continue
			}
			f, ok := c.startedFile(path.Join(site, name))
			if !ok {
				continue
			}
			var code strings.Builder
			for line := range strings.Lines(f.Text) {
				if strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "import\t") {
					code.WriteString(line)
				}
			}
			if f.Text = code.String(); f.Text != "" {
				f.code("python", Run{})
			}
		}
	}
}
