package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
)

// composeFiles are the names of the project's file, in their order.
var composeFiles = [...]string{"compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml"}

// composeServices runs the services of the compose files: all, or the wanted ones and those that
// they depend on. Each is read as a "docker run" with the same mounts and rights.
func composeServices(c *Call) {
	names := composeFiles[:]
	var files []started
	if given := append(c.All("-f"), c.All("--file")...); len(given) > 0 {
		for _, w := range given {
			if f, ok := c.startedFile(w.Text); ok {
				files = append(files, f)
			}
		}
	} else if f, ok := c.startedFile(names...); ok {
		files = append(files, f)
		for _, n := range names {
			if f, ok := c.startedFile(strings.Replace(n, ".y", ".override.y", 1)); ok {
				files = append(files, f)
			}
		}
	}
	roots := map[string]*tree{} // by file name, since many services may extend those of one file
	for i := 0; i < len(files); i++ {
		f := files[i]
		if i >= maxIncludes {
			c.beyond(f.name)
			break
		}
		root := f.tree(readYAML)
		roots[f.name] = root
		for _, include := range root.get("include").list() {
			for _, n := range append(include.get("path").texts(), include.text) {
				if more, ok := c.startedFile(path.Join(path.Dir(f.name), n)); ok && n != "" {
					files = append(files, more)
				}
			}
		}
		c.composeSecrets(root)
		want := c.Operands
		if strings.HasSuffix(c.Name, " run") && len(want) > 1 { // the other words are the command of the service
			want = want[:1]
		}
		root.get("services").each(func(name string, s *tree) {
			if len(want) > 0 && !contains(want, name) && !s.needed(root, want) {
				return
			}
			composeService(c, f, roots, name, s, 0)
		})
	}
}

// composeSecrets reads the files of the secrets that services and image builds get.
func (c *Call) composeSecrets(root *tree) {
	root.get("secrets").each(func(_ string, v *tree) {
		if file := v.str("file"); file != "" {
			c.buildSecret("src=" + composeText(c, file))
		}
	})
}

// composeService runs one service, after the service that it extends, which may have mounts too.
func composeService(c *Call, f started, roots map[string]*tree, name string, s *tree, depth int) {
	if base := s.get("extends"); base != nil && depth >= 8 {
		c.beyond(f.name)
	} else if base != nil {
		from, of := f, cmp.Or(base.str("service"), base.text)
		if n := base.str("file"); n != "" {
			from, _ = c.startedFile(path.Join(path.Dir(f.name), n))
		}
		root := roots[from.name]
		if root == nil && from.Seen && len(roots) >= maxIncludes {
			c.beyond(from.name)
		} else if root == nil && from.Seen {
			root = from.tree(readYAML)
			roots[from.name] = root
		}
		if b := root.get("services", of); b != nil {
			composeService(c, from, roots, of, b, depth+1)
		}
	}
	args := []string{strings.TrimSuffix(c.Program, "-compose"), "run", "--rm"}
	for _, v := range s.get("volumes").list() {
		mount := v.text
		if len(v.keys) > 0 && v.str("type") == "bind" {
			mount = v.str("source") + ":" + v.str("target")
		}
		if strings.ContainsAny(mount[:min(len(mount), 1)], "./~$") && mount != "" {
			args = append(args, "-v", composeText(c, mount))
		}
	}
	if s.str("privileged") == "true" {
		args = append(args, "--privileged")
	}
	for _, key := range []string{"pid", "ipc", "userns_mode"} {
		if v := s.str(key); v != "" {
			args = append(args, "--"+strings.TrimSuffix(key, "_mode")+"="+composeText(c, v))
		}
	}
	for _, v := range s.get("cap_add").texts() {
		args = append(args, "--cap-add="+v)
	}
	for _, v := range s.get("devices").texts() {
		args = append(args, "--device="+composeText(c, v))
	}
	command := commandOf(c, s.get("command"))
	if entry := commandOf(c, s.get("entrypoint")); len(entry) > 0 {
		args = append(args, "--entrypoint="+entry[0])
		command = append(entry[1:], command...)
	}
	image := cmp.Or(composeText(c, s.str("image")), name)
	f.exec(s.line, append(append(args, image), command...), Run{})
}

// needed reports whether one of the wanted services directly depends on this one.
func (t *tree) needed(root *tree, want []Word) bool {
	for _, w := range want {
		deps := root.get("services", w.Text, "depends_on")
		if slices.ContainsFunc(append(deps.texts(), deps.names()...), func(n string) bool { return root.get("services", n) == t }) {
			return true
		}
	}
	return false
}

func (t *tree) names() []string {
	if t == nil {
		return nil
	}
	return t.keys
}

// commandOf returns the words of a command, which is a list or a text.
func commandOf(c *Call, t *tree) (out []string) {
	if t == nil {
		return nil
	}
	if len(t.kids) > 0 {
		for _, s := range t.texts() {
			out = append(out, composeText(c, s))
		}
		return out
	}
	for _, w := range splitWords(Lit(composeText(c, t.text))) {
		out = append(out, w.Text)
	}
	return out
}

// composeText expands the variables in a text. One without a value or a default is unknown.
func composeText(c *Call, s string) string {
	var b strings.Builder
	for b.Len() < maxMakeText {
		i := strings.IndexByte(s, '$')
		if i < 0 || i+1 == len(s) {
			break
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		if s[0] == '$' {
			b.WriteByte('$')
			s = s[1:]
			continue
		}
		var name, fallback string
		if s[0] == '{' {
			end := strings.IndexByte(s, '}')
			if end < 0 {
				break
			}
			name, s = s[1:end], s[end+1:]
			if i := strings.IndexAny(name, ":-?+"); i >= 0 {
				name, fallback = name[:i], strings.TrimLeft(name[i:], ":-")
			}
		} else {
			end := 0
			for end < len(s) && (s[end] == '_' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z' || s[end] >= '0' && s[end] <= '9') {
				end++
			}
			name, s = s[:end], s[end:]
		}
		switch w, ok := c.Var(name); {
		case ok && w.Text != "":
			b.WriteString(w.Text)
		case fallback != "":
			b.WriteString(fallback)
		case name == "PWD":
			b.WriteByte('.')
		default:
			b.WriteString(umpire.Hole)
		}
	}
	return b.String() + s
}

// devcontainer runs the commands of a development container: those in the container, with its
// mounts, and the initializeCommand, which runs on this machine.
func devcontainer(c *Call) {
	f, ok := c.startedFile(".devcontainer/devcontainer.json", ".devcontainer.json")
	if !ok {
		return
	}
	t := f.tree(readJSON)
	mounts := []string{"docker", "run"}
	for _, m := range t.get("mounts").list() {
		mount := m.text
		if len(m.keys) > 0 {
			mount = "type=" + m.str("type") + ",source=" + m.str("source") + ",target=" + m.str("target")
		}
		mounts = append(mounts, "--mount", mount)
	}
	mounts = append(mounts, t.get("runArgs").texts()...)
	for i, m := range mounts {
		mounts[i] = strings.NewReplacer("${localEnv:HOME}", "~", "${env:HOME}", "~", "${localWorkspaceFolder}", ".").Replace(m)
	}
	if len(mounts) > 2 {
		for _, key := range [...]string{"onCreateCommand", "updateContentCommand", "postCreateCommand", "postStartCommand", "postAttachCommand"} {
			if v := t.get(key); v != nil {
				f.exec(v.line, append(append(mounts[:len(mounts):len(mounts)], "devcontainer"), commandOf(c, v)...), Run{})
			}
		}
		f.exec(0, append(mounts, "devcontainer"), Run{})
	}
	v := t.get("initializeCommand")
	if v == nil {
		return
	}
	switch {
	case len(v.keys) > 0:
		v.each(func(_ string, k *tree) {
			if len(k.kids) > 0 {
				f.exec(k.line, k.texts(), Run{})
			} else {
				f.run(k.line, k.text, Run{})
			}
		})
	case len(v.kids) > 0:
		f.exec(v.line, v.texts(), Run{})
	default:
		f.run(v.line, v.text, Run{})
	}
}
