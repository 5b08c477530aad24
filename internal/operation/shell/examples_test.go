package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/disk"
	"github.com/umpire-dev/umpire/internal/operation/command"
	"github.com/umpire-dev/umpire/internal/operation/golden"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// tree is the disk that examples are read on: a name and a content, "-> target" a link,
// "= name" another name of the same file.
var tree = [][2]string{
	{"home/dev/.ssh/id_rsa", "key"},
	{"home/dev/.bashrc", "alias x=y\n"},
	{"home/dev/.claude/settings.json", `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"command":"umpire-hook claude"}]}]}}`},
	{"home/dev/.codex/config.toml", "model = \"x\"\nnotify = [\"umpire-hook\", \"codex\"]\n"},
	{"home/dev/proj/.claude/settings.json", `{"env":{}}`},
	{"home/dev/proj/.claude/settings.local.json", `{"hooks":{"Stop":[{"command":"umpire-hook claude"}]},"statusLine":"umpire"}`},
	{"home/dev/proj/.env", "A=1"},
	{"home/dev/proj/clean.sh", "#!/bin/sh\nprog -rf \"$1\"\n"},
	{"home/dev/proj/run.py", "#!/usr/bin/env python3\nfrom lib import helper\nimport tools.more, os\nos.remove(__file__ + '.py')\n"},
	{"home/dev/proj/lib/helper.py", "import os\nos.remove('/srv/imported')\n"},
	{"home/dev/proj/tools/__init__.py", ""},
	{"home/dev/proj/tools/more.py", "import shutil\nshutil.rmtree('/srv/more')\n"},
	{"home/dev/proj/run.js", "#!/usr/bin/env -S node --x\nconst h = require('./lib/helper'); require('fs').rmSync(__dirname + '/js')\n"},
	{"home/dev/proj/lib/helper.js", "require('fs').rmSync('/srv/imported-js')\n"},
	{"home/dev/proj/run.rb", "require_relative 'lib/helper'\nFile.delete(__dir__ + '/rb')\n"},
	{"home/dev/proj/lib/helper.rb", "File.delete('/srv/imported-rb')\n"},
	{"home/dev/proj/lib/run.pl", "use lib 'deep'; use strict;\nuse My::Mod;\nunlink __FILE__ . '.pl';\n"},
	{"home/dev/proj/lib/deep/My/Mod.pm", "unlink '/srv/imported-pl';\n1;\n"},
	{"home/dev/proj/lib/run.lua", "package.path = './deep/?.lua;' .. package.path\nlocal m = require('my.mod')\nos.remove('/srv/lua')\n"},
	{"home/dev/proj/lib/deep/my/mod/init.lua", "os.remove('/srv/imported-lua')\n"},
	{"home/dev/proj/lib/run.dart", "import 'dart:io';\nimport 'deep/mod.dart';\nvoid main() { Directory('/srv/dart').deleteSync(recursive: true); }\n"},
	{"home/dev/proj/lib/deep/mod.dart", "import 'dart:io';\nfinal x = File('/srv/imported-dart').deleteSync();\n"},
	{"home/dev/proj/lib/run.php", "<?php unlink(__DIR__ . '/php'); require 'deep/mod.php';\n"},
	{"home/dev/proj/lib/deep/mod.php", "<?php unlink('/srv/included-php');\n"},
	{"home/dev/proj/lib/deep/import.py", "from . import sub\nfrom ..helper import x\nimport os\n"},
	{"home/dev/proj/lib/deep/sub.py", "import os\nos.remove('/srv/sub')\n"},
	{"home/dev/proj/lib/deep/load.env", "export NODE_OPTIONS=--require=./lib/helper.js\nPYTHONSTARTUP='lib/helper.py'\nLD_PRELOAD=./x.so\nPATH=$PATH:/x\nSAFE=1\n"},
	{"home/dev/proj/lib/deep/.env", "RUBYOPT=-r./lib/helper.rb\nA=1\n"},
	{"home/dev/proj/lib/deep/app.min.js", longProgram},
	{"home/dev/proj/lib/deep/long.js", longProgram},
	{"home/dev/proj/lib/deep/too-long.mjs", strings.Repeat(longProgram, 30)},
	{"home/dev/proj/node_modules/dep/index.js", longProgram},
	{"home/dev/proj/bin/tool", "#!/bin/sh\nprog in-bin\n"},
	{"home/dev/proj/out", "-> /srv/data"},
	{"home/dev/proj/keys", "-> /home/dev/.ssh"},
	{"home/dev/proj/twin", "= home/dev/.ssh/id_rsa"},
	{"home/dev/proj/src/a.go", "package a"},
	{"home/dev/proj/src/leave", "-> /home/dev"},
	{"home/dev/proj/new.go", "package b"},
	{"home/dev/proj/Makefile", "SRC := $(wildcard src/*.go)\nclean:\n\trm -rf build src\nall: $(SRC)\n\tprog $(SRC)\n"},
	{"home/dev/proj/package.json", `{"scripts":{"test":"prog t"},"workspaces":["packages/*"]}`},
	{"home/dev/proj/packages/a/package.json", `{"name":"a","scripts":{"build":"rm -rf /srv/ws","deploy":"npm run build && prettier .","deploy:unknown":"prog x","deploy:none":"","release":"sh -c \"$X\""}}`},
	{"home/dev/proj/lines", "one\ntwo words\n"},
	{"srv/data/x", "x"},
	{"srv/data/y", "y"},
	{"tmp/t", "t"},
}

// longProgram is longer than what is read of a program, with a call in the middle.
var longProgram = strings.Repeat("f();", 20000) + "require('child_process').execSync('rm -rf /srv/bundled');" + strings.Repeat("f();", 20000)

// plant makes the tree below a folder.
func plant(t *testing.T, root string) {
	t.Helper()
	for _, f := range tree {
		name := filepath.Join(root, f[0])
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		if err == nil {
			switch to, link := strings.CutPrefix(f[1], "-> "); {
			case link:
				err = os.Symlink(to, name)
			case strings.HasPrefix(f[1], "= "):
				err = os.Link(filepath.Join(root, f[1][2:]), name)
			default:
				err = os.WriteFile(name, []byte(f[1]), 0o644)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// noted is a session that made new.go and fetched what lies in fetched.
type noted struct{ at int64 }

func (n noted) Made(path string) (int64, bool) { return n.at, strings.HasSuffix(path, "/new.go") }
func (noted) Fetched(path string) (int64, bool, bool) {
	return 1, false, strings.Contains(path, "/tmp/t")
}
func (noted) FetchedInto(string) (string, int64)   { return "", 0 }
func (noted) FetchedBelow(string) map[string]int64 { return nil }
func (noted) Note(string, string)                  {}
func (noted) NoteAt(string, string, int64)         {}

func onDiskEnv(root string) Env {
	real := func(name string) string { return filepath.Join(root, name) }
	return Env{
		Map: place.Map{Home: "/home/dev", Workspace: "/home/dev/proj", Dir: "/home/dev/proj", Temp: "/tmp"},
		Getenv: func(name string) (string, bool) {
			v, ok := map[string]string{"HOME": "/home/dev", "PATH": "/usr/bin:/home/dev/proj/bin", "EDITOR": "vi"}[name]
			return v, ok
		},
		ReadFile: func(name string) ([]byte, bool) {
			b, err := os.ReadFile(real(name))
			return b, err == nil
		},
		ReadDir: func(name string) (names []string) {
			list, err := os.ReadDir(real(name))
			if err != nil {
				return nil
			}
			for _, e := range list {
				names = append(names, e.Name())
			}
			return names
		},
		Disk:    disk.Below(root, "/home/dev", "/home/dev/proj"),
		Session: noted{1 << 62},
		Programs: command.Encode([]command.Description{{
			Names:    []string{"acme"},
			Command:  command.Command{Options: []command.Option{{Names: []string{"--out"}, Value: "write"}, {Names: []string{"--set"}, Value: "environment"}}},
			Commands: []command.Command{{Words: []string{"wipe"}, Operands: []string{"delete"}, Effects: []string{"destroys"}}, {Words: []string{"run"}, Operands: []string{"command"}}},
		}}),
	}
}

// readExample reads a text: of bash or another language of Host's Script, or the input of
// a tool that a Reader knows.
func readExample(env Env) func(tool, text string) []umpire.Operation {
	return func(tool, text string) []umpire.Operation {
		env.Disk = env.Disk.Another()
		r := NewReader(env)
		lines := strings.Split(text, "\n")
		switch tool {
		case "sh":
			r.Command(text)
		case "vector":
			r.Vector(strings.Fields(text))
		case "write": // the path, then the content
			r.Write(lines[0], strings.Join(lines[1:], "\n"), umpire.Truncate)
		case "edit": // the path, then what is replaced by what
			var old, now []string
			for i := 1; i+1 < len(lines); i += 2 {
				old, now = append(old, lines[i]), append(now, lines[i+1])
			}
			r.Edit(lines[0], old, now)
		case "read":
			r.Read(text)
		case "delete":
			r.Delete(text, umpire.Recursive)
		case "network":
			r.Network(text, umpire.Upload)
		case "cd":
			r.Chdir(lines[0])
			r.Command(lines[1])
		case "quiet": // what Quiet says comes first
			r.Command(text)
			r.Emit(umpire.Operation{Kind: umpire.Exec, Resource: "quiet: " + r.Quiet()})
		default:
			if lang, later := strings.CutPrefix(tool, "later "); later {
				r.Later(lang, text, "/home/dev/proj/later")
			} else {
				r.Code(tool, text)
			}
		}
		return r.Operations()
	}
}

// What is read of a text, on a disk with links, hard links, scripts and settings of coding
// agents.
func TestExamples(t *testing.T) {
	root := t.TempDir()
	plant(t, root)
	files, err := filepath.Glob("testdata/examples/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			golden.Check(t, file, readExample(onDiskEnv(root)))
		})
	}
}

// notes is a session that writes down what it is told.
type notes struct {
	noted
	lines *[]string
}

func (n notes) Note(what, path string) { *n.lines = append(*n.lines, what+" "+path) }

// A session remembers what a call fetches, makes and reads, by the place where it is and
// not by a link's name; what happens on another machine is none of its files.
func TestNotes(t *testing.T) {
	root := t.TempDir()
	plant(t, root)
	var got []string
	env := onDiskEnv(root)
	env.Session = notes{lines: &got}
	Read("curl -o out/f https://h.example; cat /tmp/t; echo x > fresh; ssh h.example 'echo y > other'", env)
	want := []string{"fetched /srv/data/f", "made /srv/data/f", "read /tmp/t", "made /home/dev/proj/fresh"}
	if got = slices.Compact(got); !slices.Equal(got, want) { // each face of a path is noted
		t.Errorf("noted %q, not %q", got, want)
	}
}
