package powershell

import (
	"slices"
	"strings"
	"sync"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func (r *reader) run(name command.Word, args []command.Word, blocks []string, in command.Stream) command.Stream {
	prog := strings.ToLower(name.Text)
	if a, ok := r.aliases[prog]; ok {
		prog = a
	}
	if anyof.Equal(prog, "del", "erase", "rd", "rmdir") {
		args = asRemoveItem(args)
	}
	if full := aliases()[prog]; full != "" {
		prog = full
	}
	if body, ok := r.funcs[prog]; ok {
		defer r.given(args)()
		return r.script(body, in)
	}
	if name.Text == "" {
		out := command.Text("")
		defer r.given(args)()
		for _, b := range blocks {
			out = join(out, r.script(b, in))
		}
		return out
	}
	if prog == "where-object" && in.Taint&command.FromEnv == 0 {
		condition := append(command.Lits(blocks...), args...)
		in.Text = withName(in.Text, nameWanted(condition))
		if selectsNames(condition) {
			in.Taint |= command.Picked
		}
	}
	out := r.blocks(blocks, in)
	if res, ok := r.cmdlet(prog, args, out, len(blocks) > 0, in); ok {
		return res
	}
	return r.h.Run(append([]command.Word{{Text: keepPath(name.Text, prog), Taint: name.Taint}}, args...), in)
}

// asRemoveItem returns the arguments of Remove-Item with /s as -Recurse, and without the other
// switches of cmd.exe's del and rd: agents mix the two. Without another operand they are names.
func asRemoveItem(args []command.Word) (out []command.Word) {
	if !slices.ContainsFunc(args, func(a command.Word) bool {
		return !strings.HasPrefix(a.Text, "-") && !anyof.Equal(strings.ToLower(a.Text), "/s", "/q", "/f")
	}) {
		return args
	}
	for _, a := range args {
		switch strings.ToLower(a.Text) {
		case "/q", "/f":
			continue
		case "/s":
			a.Text = "-Recurse"
		}
		out = append(out, a)
	}
	return out
}

// withName returns a listing of folders as one of the files below them that have a name.
func withName(listing, name string) string {
	lines := strings.Split(listing, "\n")
	for i, l := range lines {
		if dir, ok := strings.CutSuffix(l, command.ListMark); ok && name != "" && !anyof.Contains(dir, umpire.Hole, "*") {
			lines[i] = dir + "/" + umpire.Hole + "/" + name + command.ListMark
		}
	}
	return strings.Join(lines, "\n")
}

// nameWanted returns the pattern of the names that a condition selects, if it is one comparison:
// $_.Extension -eq '.tmp', Name -like *.bak, Name -match '\.orig$'.
func nameWanted(condition []command.Word) string {
	text := ""
	for _, w := range condition {
		text += " " + w.Text
	}
	f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "$_."))
	if len(f) != 3 {
		return ""
	}
	name, escaped := strings.CutPrefix(strings.Trim(f[2], `'"`), `\.`)
	switch property := strings.ToLower(f[0]); strings.TrimPrefix(strings.ToLower(f[1]), "-") {
	case "eq", "like":
		switch {
		case escaped:
		case strings.Trim(name, "*.?") == "": // any file
		case property == "extension":
			return "*" + name
		case property == "name" && strings.ContainsAny(name, ".*"): // a bare name may be that of a folder
			return name
		}
	case "match":
		if end, anchored := strings.CutSuffix(name, "$"); escaped && anchored && end != "" && (property == "name" || property == "fullname") && !strings.ContainsAny(end, `\|()[]*+?.`) {
			return "*." + end
		}
	}
	return ""
}

// selectsNames reports whether a condition selects some files, by name, size or age. A condition on
// the type keeps all files of a folder, and so does one that every file meets: -like '*', or older
// than now.
func selectsNames(condition []command.Word) bool {
	text := ""
	for _, w := range condition {
		text += " " + strings.ToLower(w.Text)
	}
	switch {
	case anyof.Contains(text, " -n", "!", "(get-date)", "'*'", `"*"`) && !strings.Contains(text, ".add"), strings.HasSuffix(text, " *"):
		return false
	}
	return anyof.Contains(text, "name", "extension", "length", "time")
}

// namesOnly reports whether Select-Object keeps only the names of variables.
func namesOnly(args []command.Word) bool {
	ws := operands(args)
	return len(ws) > 0 && !slices.ContainsFunc(ws, func(w command.Word) bool { return !anyof.Equal(strings.ToLower(w.Text), "name", "key") })
}

// blocks runs script blocks in place: in ForEach-Object, Invoke-Command, Start-Job.
func (r *reader) blocks(blocks []string, in command.Stream) command.Stream {
	out := command.Stream{}
	for _, b := range blocks {
		out = join(command.Stream{Text: out.Text, Seen: out.Text != "" || !out.Pipe, Taint: out.Taint, Pipe: true}, r.each(b, in))
	}
	return out
}

// cmdlet runs a cmdlet that only computes text or sets variables. blocks is the output of its
// script blocks.
func (r *reader) cmdlet(prog string, args []command.Word, blocks command.Stream, hasBlocks bool, in command.Stream) (_ command.Stream, ok bool) {
	switch prog {
	case "foreach-object", "invoke-command", "measure-command", "start-job", "start-threadjob", "trace-command":
		if hasBlocks {
			return blocks, true
		}
		if ws := operands(args); prog == "foreach-object" && len(ws) > 0 { // the name of a method: % Delete
			return r.each("$_."+ws[0].Text+"()", in), true
		}
		for i, w := range args { // a script file in place of a block
			if t := strings.ToLower(w.Text); len(t) > 1 && strings.HasPrefix("-filepath", t) && i+1 < len(args) {
				return r.h.Run(args[i+1:i+2], in), true
			}
		}
	case "out-null":
		return command.Text(""), true
	case "where-object", "out-string", "out-default", "out-host":
		return in, true
	case "select-object", "sort-object", "group-object", "measure-object", "format-table", "format-list", "convertto-json", "convertfrom-json", "select-string":
		if prog == "select-object" && namesOnly(args) { // of variables, and not their values
			in.Taint &^= command.FromEnv
		}
		return command.Unseen(in.Taint), true
	case "invoke-expression":
		if ws := operands(args); len(ws) > 0 {
			in = command.Stream{Text: ws[0].Text, Seen: true, Taint: ws[0].Taint}
		}
		in.Pipe = true
		if r.socket {
			in.Taint |= command.FromNetwork
		}
		return r.evaluate(in), true
	case "write-output", "write-host", "write-information":
		w := command.Join(operands(args), " ")
		return command.Stream{Text: w.Text + "\n", Seen: true, Taint: w.Taint, Pipe: true}, true
	case "set-alias", "new-alias":
		if ws := operands(args); len(ws) > 1 {
			r.aliases[strings.ToLower(ws[0].Text)] = strings.ToLower(ws[1].Text)
		}
		return command.Text(""), true
	case "set-variable", "new-variable":
		if ws := operands(args); len(ws) > 1 {
			r.set("$"+ws[0].Text, one(ws[1]))
		}
		return command.Text(""), true
	case "remove-variable", "clear-variable", "remove-alias", "remove-module", "remove-job", "remove-event", "unregister-event", "remove-typedata", "remove-psdrive", "remove-pssession", "remove-psbreakpoint":
		return command.Text(""), true // state of this session only
	case "get-variable":
		if ws := operands(args); len(ws) > 0 {
			return r.get("$" + ws[0].Text).stream(), true
		}
	case "get-command", "resolve-path", "convert-path":
		if ws := operands(args); len(ws) == 1 && prog == "get-command" && ws[0].Glob { // any program may match
			return command.Unseen(ws[0].Taint), true
		} else if len(ws) == 1 {
			return one(ws[0]).stream(), true
		}
	case "get-location":
		return command.Text(".\n"), true
	case "split-path":
		if ws := operands(args); len(ws) == 1 && !leaf(args) {
			return one(ws[0].With(parent(ws[0].Text))).stream(), true
		}
	case "join-path":
		if ws := operands(args); len(ws) == 2 {
			return one(command.Word{Text: strings.TrimRight(ws[0].Text, `/\`) + "/" + ws[1].Text, Taint: ws[0].Taint | ws[1].Taint}).stream(), true
		}
	case "start-process":
		if ws := r.process(args); len(ws) > 0 {
			return r.h.Run(ws, in), true
		}
		return command.Text(""), true
	}
	return command.Stream{}, false
}

// each runs a block once for each line of its input, which is $_ in it.
func (r *reader) each(block string, in command.Stream) command.Stream {
	old, had := r.vars["_"]
	defer func() {
		if had {
			r.vars["_"] = old
		} else {
			delete(r.vars, "_")
		}
	}()
	out := command.Text("")
	for i, l := range strings.Split(strings.TrimRight(in.Text, "\r\n"), "\n") {
		one := in
		if in.Seen {
			one.Text = l
		}
		if i == maxTurns {
			one = command.Unseen(in.Taint)
		}
		r.vars["_"] = fromStream(one)
		out = join(out, r.script(block, one))
		if i == maxTurns || !in.Seen {
			break
		}
	}
	return out
}

// given sets the arguments of a function or block, and returns a function that restores those of
// the caller.
func (r *reader) given(args []command.Word) func() {
	was := r.vars["args"]
	r.vars["args"] = value{list: args}
	return func() { r.vars["args"] = was }
}

// evaluate runs a text as PowerShell. The host reports text that is unknown or tainted, and reads
// decoded text.
func (r *reader) evaluate(s command.Stream) command.Stream {
	r.h.Script("powershell", s)
	if s.Seen && s.Text != umpire.Hole && s.Taint == 0 {
		return r.script(s.Text, command.Stream{})
	}
	return command.Unseen(s.Taint)
}

// parent returns the folder of a path, if its last name is known.
func parent(p string) string {
	p = strings.TrimRight(p, `/\`)
	i := strings.LastIndexAny(p, `/\`)
	if strings.Contains(p[i+1:], umpire.Hole) || p == "." || p == "~" || strings.HasSuffix(p, "..") {
		return p + "/.."
	}
	if i < 0 {
		return "."
	}
	return p[:max(i, 1)]
}

// leaf reports whether Split-Path returns a part other than the folder.
func leaf(args []command.Word) bool {
	return slices.ContainsFunc(args, func(a command.Word) bool {
		return anyof.Equal(strings.ToLower(a.Text), "-leaf", "-leafbase", "-extension", "-qualifier", "-noqualifier", "-isabsolute")
	})
}

// keepPath returns the name of the program: as it is given if that is a path or a cmdlet without a
// description, whose capitals separate its words, or else as it is resolved.
func keepPath(given, resolved string) string {
	if strings.ContainsAny(given, `/\`) || strings.EqualFold(given, resolved) && (!strings.Contains(resolved, "-") || command.Lookup(resolved) == nil) {
		return given
	}
	return resolved
}

// process returns the command line that Start-Process starts.
func (r *reader) process(args []command.Word) (ws []command.Word) {
	var list []command.Word
	for i := 0; i < len(args); i++ {
		t := strings.ToLower(args[i].Text)
		switch {
		case !strings.HasPrefix(t, "-") && len(ws) == 0:
			ws = append(ws, args[i])
		case !strings.HasPrefix(t, "-"):
			list = append(list, split1(args[i])...)
		case strings.HasPrefix("-filepath", t) && i+1 < len(args):
			i++
			ws = append(ws, args[i])
		case (strings.HasPrefix("-argumentlist", t) || t == "-args") && len(t) > 1:
			for i+1 < len(args) && (!strings.HasPrefix(args[i+1].Text, "-") || !startProcessOption(args[i+1].Text)) {
				i++
				list = append(list, split1(args[i])...)
			}
		case t == "-verb", t == "-windowstyle", t == "-workingdirectory", t == "-w", t == "-redirectstandardoutput", t == "-redirectstandarderror", t == "-redirectstandardinput", t == "-credential":
			i++
		}
	}
	return append(ws, list...)
}

func startProcessOption(s string) bool {
	s = strings.ToLower(s)
	return anyof.Equal(s, "-verb", "-wait", "-nonewwindow", "-windowstyle", "-workingdirectory", "-passthru", "-credential", "-redirectstandardoutput", "-redirectstandarderror", "-redirectstandardinput")
}

// split1 splits a command line, or an argument that becomes a part of one, as Windows does: text in
// double quotes is one word.
func split1(w command.Word) (ws []command.Word) {
	for rest := strings.TrimLeft(w.Text, " \t"); rest != ""; {
		end := fieldEnd(rest)
		ws = append(ws, w.With(strings.ReplaceAll(rest[:end], `"`, "")))
		rest = strings.TrimLeft(rest[end:], " \t")
	}
	return ws
}

// operands returns the words that are not names of parameters.
func operands(args []command.Word) []command.Word {
	return slices.DeleteFunc(slices.Clone(args), func(a command.Word) bool {
		return len(a.Text) > 1 && a.Text[0] == '-' && (a.Text[1]|0x20 >= 'a' && a.Text[1]|0x20 <= 'z') && !strings.Contains(a.Text, " ")
	})
}

// aliases are the built-in aliases; each group precedes its cmdlet.
var aliases = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for group := range strings.SplitSeq(`rm del erase rd ri rmdir remove-item
iex invoke-expression
iwr invoke-webrequest
irm invoke-restmethod
% foreach foreach-object
? where where-object
cp copy cpi copy-item
mv move mi move-item
gcm get-command
gl pwd get-location
rvpa resolve-path
cvpa convert-path
ren rni rename-item
cat type gc get-content
sc set-content
ac add-content
clc clear-content
ni md mkdir new-item
ls dir gci get-childitem
cd sl chdir set-location
pushd push-location
echo write write-output
icm invoke-command
saps start start-process
gps ps get-process
gsv get-service
spps kill stop-process
spsv stop-service
sasv start-service
sajb start-job
rp remove-itemproperty
sp set-itemproperty
si set-item
cli clear-item
sal nal set-alias
sv set set-variable
gv get-variable
tee tee-object
select select-object
sort sort-object
measure measure-object
gwmi gcim get-wmiobject
iwmi invoke-wmimethod
rwmi remove-wmiobject
ipmo import-module
gp get-itemproperty
ii invoke-item
sls select-string
oh out-host`, "\n") {
		names := strings.Fields(group)
		for _, a := range names[:len(names)-1] {
			m[a] = names[len(names)-1]
		}
	}
	return m
})
