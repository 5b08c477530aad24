package projectfile_test

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/projectfile"
)

// deletes has code that deletes /srv/marker, by language.
var deletes = map[string]string{
	"js": "require('child_process').execSync('rm -r /srv/marker')", "python": "import os\nos.system('rm -r /srv/marker')",
	"ruby": "system('rm -r /srv/marker')", "perl": "system('rm -r /srv/marker')", "cmake": "execute_process(COMMAND rm -r /srv/marker)", "vim": "!rm -r /srv/marker", "lua": "os.execute('rm -r /srv/marker')", "r": "system('rm -r /srv/marker')",
	"php": "<?php system('rm -r /srv/marker');", "elixir": `System.cmd("rm", ["-r", "/srv/marker"])`, "sh": "rm -r /srv/marker",
	"go":    "package main\nfunc init() { exec.Command(\"rm\", \"-r\", \"/srv/marker\").Run() }",
	"scala": `val x = Process("rm -r /srv/marker").!`, "lisp": `(shell/sh "rm" "-r" "/srv/marker")`, "haskell": `main = callCommand "rm -r /srv/marker"`,
	"zig": `const c = b.addSystemCommand(&.{"rm", "-r", "/srv/marker"});`, "nim": `exec "rm -r /srv/marker"`, "swift": `system("rm -r /srv/marker")`, "erlang": `os:cmd("rm -r /srv/marker").`, "octave": `system("rm -r /srv/marker")`,
}

// Each program of the table loads each of its files.
func TestLoadedFilesRun(t *testing.T) {
	for _, row := range projectfile.LoadedFiles() {
		code, ok := deletes[row[1]]
		if !ok {
			t.Errorf("%s: no code in %s", row[0], row[1])
		}
		for file := range strings.FieldsSeq(row[2]) {
			if stem, ok := strings.CutSuffix(file, "*"); ok && row[1] == "js" {
				file = stem + ".js"
			}
			file = strings.ReplaceAll(file, "*", "some")
			runsMarker(t, row[0], map[string]string{file: code})
		}
	}
}

// Each program of the table runs the value of each key in each of its files.
func TestLoadedSettingsRun(t *testing.T) {
	values := map[string]any{
		"sh": "rm -r /srv/marker", "argv": []string{"rm", "-r", "/srv/marker"}, "call": map[string]any{"command": "rm", "args": []string{"-r", "/srv/marker"}},
		"source": "evil.sh", "program": "./evil.sh", "js": "./evil.js", "ruby": "./evil", "python": "evil", "pytest": "-p evil", "folder": "evil", "toolchain": "tools", "node": "--require=./evil.js",
		"code": "import os; os.system('rm -r /srv/marker')", "bin": "rm -r /srv/marker", "php": "./evil.php", "cmake": "./evil.cmake", "package": "evil",
	}
	for _, row := range projectfile.LoadedSettings() {
		for file := range strings.FieldsSeq(row[1]) {
			for keys := range strings.FieldsSeq(row[2]) {
				value := values[row[3]]
				if row[3] == "manager" || row[3] == "pip" {
					continue // which fetch packages, as folders of package packs show
				}
				if !strings.HasSuffix(keys, "[]") && row[3] == "argv" {
					value = []any{value} // a list of commands
				}
				files := map[string]string{file: settings(file, strings.Split(strings.TrimSuffix(keys, ".[]"), "."), value)}
				for lang, name := range map[string]string{"sh": "evil.sh", "js": "evil.js", "ruby": "evil.rb", "python": "evil.py", "php": "evil.php", "cmake": "evil.cmake"} {
					files[name] = deletes[lang]
				}
				files["evil/evil.py"], files["evil/setup.py"] = deletes["python"], deletes["python"]
				for program := range strings.FieldsSeq(row[0]) {
					files["tools/bin/"+program] = "#!/bin/sh\nrm -r /srv/marker"
				}
				runsMarker(t, row[0], files)
			}
		}
	}
}

// settings writes a file in which a path of keys leads to a value.
func settings(file string, keys []string, value any) string {
	for i, k := range keys {
		keys[i] = strings.NewReplacer("*", "some", "$", "part").Replace(k)
	}
	text, _ := json.Marshal(value)
	switch word, _ := value.(string); {
	case file == ".yarnrc":
		return strings.Join(keys, ".") + " " + word
	case file == ".npmrc":
		return strings.Join(keys, ".") + "=" + word
	case path.Ext(file) == ".toml" || file == ".cargo/config":
		return strings.Join(keys, ".") + " = " + string(text)
	case strings.HasSuffix(file, "rc") && (file == "pylintrc" || file == ".pylintrc" || file == ".hg/hgrc"), file == ".flake8", path.Ext(file) == ".ini", path.Ext(file) == ".cfg", path.Ext(file) == ".conf":
		return "[" + keys[0] + "]\n" + strings.Join(keys[1:], ".") + " = " + word
	}
	for i := len(keys) - 1; i >= 0; i-- {
		text, _ = json.Marshal(map[string]json.RawMessage{keys[i]: text})
	}
	return string(text)
}

// runsMarker runs each program with the operand part.
func runsMarker(t *testing.T, programs string, files map[string]string) {
	t.Helper()
	for program := range strings.FieldsSeq(programs) {
		p := &project{files: map[string]string{}}
		for name, text := range files {
			p.files[path.Join(readingEnv.Map.Workspace, name)] = text + "\n"
		}
		if ops := p.read("sh", program+" part"); !slices.ContainsFunc(ops, func(o umpire.Operation) bool { return o.String() == "delete(/srv/marker)" }) {
			for name, text := range files {
				if !strings.Contains(name, "evil") && !strings.HasPrefix(name, "tools") {
					t.Errorf("%s with %s: %s\n\tis %v", program, name, text, ops)
				}
			}
		}
	}
}
