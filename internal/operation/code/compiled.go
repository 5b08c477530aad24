package code

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// unpaired takes errors and what nobody wants off the left side of an assignment.
var unpaired = strings.NewReplacer(", _ :=", " :=", ",_:=", ":=", ", err :=", " :=", ",err:=", ":=")

// flat takes the functions of Go or Rust apart, so that all of their bodies are read, one
// after the other: which of them runs when is not followed.
func flat(text string) string {
	var b strings.Builder
	text = strings.ReplaceAll(text, "::", ".")
	if strings.Count(text, "\n") < 2 { // all on one line
		text = strings.ReplaceAll(text, ";", "\n")
	}
	for line := range strings.Lines(text) {
		l := strings.TrimSpace(line)
		l = strings.TrimPrefix(strings.TrimPrefix(l, "pub "), "async ")
		switch {
		case strings.HasPrefix(l, "func "), strings.HasPrefix(l, "fn "):
			_, body, _ := strings.Cut(l, "{")
			b.WriteString(unpaired.Replace(strings.TrimSuffix(strings.TrimSpace(body), "}")) + "\n")
		case l == "}" || strings.HasPrefix(l, "package ") || strings.HasPrefix(l, "import ") || strings.HasPrefix(l, "use "):
		default:
			l = unpaired.Replace(l)
			b.WriteString(strings.TrimPrefix(l, "let ") + "\n")
		}
	}
	return b.String()
}

func compiledCall(m *machine, c *call) (value, bool) {
	ref := strings.TrimPrefix(c.ref, "std.")
	switch ref {
	case "os.RemoveAll", "fs.remove_dir_all":
		return m.del(c.arg(0), umpire.Recursive), true
	case "os.Remove", "syscall.Unlink", "fs.remove_file", "fs.remove_dir":
		return m.del(c.arg(0), 0), true
	case "os.Rename", "fs.rename":
		return m.rename(c.arg(0), c.arg(1)), true
	case "os.WriteFile", "ioutil.WriteFile", "fs.write", "os.Create", "File.create":
		m.write(c.arg(0), c.arg(1), umpire.Truncate)
	case "os.ReadFile", "ioutil.ReadFile", "os.Open", "fs.read_to_string", "fs.read", "File.open":
		return m.read(c.arg(0)), true
	case "exec.Command", "syscall.Exec":
		args := c.args
		if ref == "syscall.Exec" {
			args = c.args[:min(2, len(c.args))]
		}
		return m.exec([]value{listOf(args)}, value{}), true
	case "exec.CommandContext":
		return m.exec([]value{listOf(c.args[min(1, len(c.args)):])}, value{}), true
	case "net.Dial", "net.DialTimeout", "tls.Dial":
		return m.connect(c.arg(1)), true
	case "TcpStream.connect", "net.TcpStream.connect":
		return m.connect(c.arg(0)), true
	case "Command.new", "process.Command.new":
		return m.exec([]value{listOf(c.args)}, value{}), true
	case "http.Get", "reqwest.get", "reqwest.blocking.get":
		return m.net(c.arg(0), value{}, 0), true
	case "http.Post":
		return m.net(c.arg(0), c.arg(2), 0), true
	case "os.Getenv", "env.var":
		return m.getenv(c.arg(0).text()), true
	case "os.UserHomeDir", "dirs.home_dir", "env.home_dir":
		return m.home(), true
	case "filepath.Join", "path.Join":
		return joinPath(c.args...), true
	case "os.ExpandEnv":
		return m.expandVars(c.arg(0)), true
	case "string", "Path.new", "PathBuf.from", "String.from", "filepath.Clean", "format":
		return c.arg(0), true
	}
	switch c.method() {
	case "unwrap", "expect", "to_string", "join", "String", "as_str", "unwrap_or_default", "clone":
		if c.method() == "join" {
			return joinPath(c.recv, c.arg(0)), true
		}
		return c.recv, true
	}
	return value{}, false
}
