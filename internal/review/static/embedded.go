package static

import (
	"encoding/json"
	"html"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/review/finding"
)

// carriers are the file types, apart from scripts, with strings that programs run: settings of
// tools and services, and build files in languages that umpire does not parse.
var carriers = struct{ extensions, names []string }{
	[]string{".yml", ".yaml", ".toml", ".json", ".jsonc", ".json5", ".xml", ".ini", ".cfg", ".conf", ".config", ".properties", ".plist", ".service", ".gradle", ".kts", ".nix", ".cmake",
		".csproj", ".vbproj", ".fsproj", ".vcxproj", ".props", ".targets", ".ac", ".m4", ".bzl", ".swift", ".exs", ".vim", ".el", ".bat", ".cmd", ".ipynb"},
	[]string{"jenkinsfile", "procfile", "build", "build.bazel", "workspace", "module.bazel", "cmakelists.txt", "meson.build", "tiltfile", "earthfile", "snakefile",
		"config", ".gitconfig", ".vimrc", ".exrc", ".gdbinit", ".lldbinit", ".bashrc", ".bash_profile", ".profile", ".zshrc", ".zshenv", ".zprofile", ".inputrc", ".lintstagedrc", ".huskyrc", ".nvmrc"},
}

// commandRules report a command with its effect; what else is wrong with its line is no reason to
// leave the command out.
var commandRules = []*Rule{startsProgram, installScript, fetchAndRun}

// embedded looks line by line for commands in values and strings that run downloaded code or send
// data.
func (f *file) embedded() {
	ext := path.Ext(f.base)
	r := surfaceOf(f.path)
	switch {
	case ext == ".md" || ext == ".mdc" || r == agentInstructions:
		if r != nil {
			f.quotedCommands()
		}
		return
	case ext == ".go":
		f.marked("//go:generate ")
		return
	case ext == ".pth": // each line that imports is a program
		for n, l := range f.numbered() {
			if strings.HasPrefix(l, "import") && hinted(l) {
				f.fetches(n, "python3 -c "+shellWord(l, true))
			}
		}
		return
	case r != nil && ext != ".xml": // a separate rule covers the programs that these files start
		return
	case !slices.Contains(carriers.extensions, ext) && !slices.Contains(carriers.names, f.base):
		return
	}
	markup := anyof.Equal(ext, ".xml", ".csproj", ".vbproj", ".fsproj", ".vcxproj", ".props", ".targets", ".plist", ".config")
	for n, l := range f.numbered() {
		if !signed(l, fetching) {
			continue
		}
		if markup {
			l = html.UnescapeString(l)
		}
		if slices.ContainsFunc(f.hits, func(h hit) bool { return h.line == n && slices.Contains(commandRules, h.rule) }) {
			continue
		}
		for _, c := range commandsIn(l) {
			if f.fetches(n, c) {
				break
			}
		}
	}
}

// marked reads the lines that begin with a mark.
func (f *file) marked(mark string) {
	for n, l := range f.numbered() {
		if c, ok := strings.CutPrefix(l, mark); ok {
			f.fetches(n, c)
		}
	}
}

// quotedCommands reads the commands between backticks in a file for agents. Some clients run those
// after a "!" before the model reads anything.
func (f *file) quotedCommands() {
	for n, l := range f.numbered() {
		for at := 0; ; {
			i := strings.IndexByte(l[at:], '`')
			if i < 0 {
				break
			}
			from := at + i + 1
			j := strings.IndexByte(l[from:], '`')
			if j < 0 {
				break
			}
			command := l[from : from+j]
			if from >= 2 && l[from-2] == '!' {
				f.command(startsProgram, finding.Medium, n, "the file's use", command)
			} else if hinted(command) {
				f.fetches(n, command)
			}
			at = from + j + 1
		}
	}
}

// commandsIn returns the possible commands in a line: its strings, its value, and the complete
// line.
func commandsIn(line string) (out []string) {
	line = strings.TrimSpace(line)
	add := func(c string) {
		for _, mark := range []string{"- ", "!", "shell ", "RUN "} {
			c = strings.TrimPrefix(strings.TrimSpace(c), mark)
		}
		whole := strings.Count(c, "$(") <= strings.Count(c, ")") // not truncated by a quotation mark in it
		if c != "" && whole && len(c) <= maxCommand && signed(c, fetching) && !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	for i := 0; i < len(line) && len(out) < 20; i++ {
		q := line[i]
		if q != '"' && q != '\'' {
			continue
		}
		end := i + 1
		for end < len(line) && line[end] != q {
			if line[end] == '\\' && q == '"' {
				end++
			}
			end++
		}
		if end >= len(line) {
			break
		}
		inside := line[i+1 : end]
		if i > 0 && line[i-1] == '=' && strings.HasPrefix(inside, "$(") {
			i = end
			continue
		}
		if s := ""; q == '"' && json.Unmarshal([]byte(line[i:end+1]), &s) == nil {
			inside = s
		}
		add(inside)
		i = end
	}
	for _, mark := range []string{": ", "=", ">", " !", "(["} {
		if _, value, ok := strings.Cut(line, mark); ok {
			if mark == "=" && strings.HasPrefix(strings.TrimLeft(value, " \""), "$(") {
				continue // an assignment: the output is not run
			}
			value, _, _ = strings.Cut(value, "</")
			add(strings.TrimRight(value, ",;)]"))
		}
	}
	add(line)
	return out
}
