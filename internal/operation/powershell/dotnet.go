package powershell

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation/command"
)

func utf16le(b []byte) string {
	u := make([]uint16, len(b)/2)
	for i := range u {
		u[i] = uint16(b[2*i]) | uint16(b[2*i+1])<<8
	}
	return string(utf16.Decode(u))
}

// object returns an object of a .NET type, whose text is unknown.
func object(typ string, t command.Taint) value {
	return value{typ: typ, list: []command.Word{{Text: umpire.Hole, Taint: t}}}
}

// taintOf returns the taint of all arguments.
func taintOf(args []value) (t command.Taint) {
	for _, a := range args {
		t |= a.taint()
	}
	return t
}

// flat returns the words of all arguments as one list.
func flat(args []value) (v value) {
	for _, a := range args {
		v.list = append(v.list, a.list...)
	}
	return v
}

// content returns a word as data for a file.
func content(w command.Word) command.Stream {
	return command.Stream{Text: w.Text, Seen: w.Known(), Taint: w.Taint, Pipe: true}
}

func arg(args []value, i int) command.Word {
	if i < len(args) {
		return args[i].word()
	}
	return command.Word{}
}

// newObject reads New-Object TYPE(ARGS) and New-Object -TypeName TYPE -ArgumentList ARGS.
func (r *reader) newObject(s string, in command.Stream) value {
	p := &parser{r: r, s: strings.TrimSpace(s[len("new-object"):]), in: in}
	typ := ""
	var args []value
	for p.space(); p.i < len(p.s); p.space() {
		before := p.i
		if typ != "" && p.s[p.i] == '(' {
			args = append(args, p.args()...)
			continue
		}
		p.naming = typ == "" // in TCPClient('host',443), no space precedes the parenthesis
		ws, _ := p.argument()
		p.naming = false
		for _, w := range ws {
			t := strings.ToLower(w.Text)
			switch {
			case strings.HasPrefix(t, "-"):
			case typ == "":
				typ = t
			default:
				args = append(args, one(w))
			}
		}
		if p.i == before {
			p.i++
		}
	}
	return r.construct(strings.TrimPrefix(typ, "system."), args)
}

// construct returns an object of a .NET type.
func (r *reader) construct(typ string, args []value) value {
	switch {
	case strings.HasSuffix(typ, "tcpclient"), strings.HasSuffix(typ, "udpclient"), strings.HasSuffix(typ, "net.sockets.socket"):
		if len(args) > 0 {
			r.connect(args)
		}
		return object("tcpclient", command.FromNetwork)
	case strings.HasSuffix(typ, "streamreader"), strings.HasSuffix(typ, "deflatestream"), strings.HasSuffix(typ, "gzipstream"), strings.HasSuffix(typ, "memorystream"):
		t := taintOf(args)
		if !strings.HasSuffix(typ, "streamreader") && !strings.HasSuffix(typ, "memorystream") {
			t |= command.FromDecoder
		}
		return object(typ, t)
	}
	if strings.HasSuffix(typ, "streamwriter") || strings.HasSuffix(typ, "filestream") && replaces(arg(args, 1)) {
		r.h.Write(arg(args, 0), command.Text(""), strings.EqualFold(arg(args, 1).Text, "true"))
	}
	v := hole(0)
	if len(args) > 0 {
		v = args[0]
	}
	v.typ = typ
	return v
}

// replaces reports whether a mode of opening a file empties it.
func replaces(mode command.Word) bool {
	m := strings.ToLower(mode.Text)
	return strings.HasSuffix(m, "truncate") || strings.HasSuffix(m, "create") && !strings.HasSuffix(m, "openorcreate")
}

func (r *reader) static(typ, member string, args []value) value {
	if v, ok := staticText(typ, member, args); ok {
		return v
	}
	if v, ok := r.staticFile(typ, member, args); ok {
		return v
	}
	switch member {
	case "new":
		return r.construct(typ, args)
	case "getenvironmentvariable":
		return r.env(strings.ToLower(arg(args, 0).Text))
	case "setenvironmentvariable":
		r.h.SetVar(strings.ToUpper(arg(args, 0).Text), arg(args, 1))
		if scope := strings.ToLower(arg(args, 2).Text); scope == "machine" || scope == "user" {
			r.h.Run([]command.Word{command.Lit("setx"), arg(args, 0), arg(args, 1)}, command.Stream{})
		}
		return value{}
	case "getfolderpath":
		return str("~")
	case "gettemppath", "gettempfilename":
		return str("/tmp/x")
	case "create":
		if typ == "scriptblock" && len(args) > 0 {
			v := args[0]
			v.typ, v.block = "scriptblock", v.word().Text
			return v
		}
		if len(args) > 0 && strings.HasSuffix(typ, "webrequest") {
			return value{typ: "webrequest", list: args[0].list}
		}
		if strings.HasSuffix(typ, "powershell") {
			return value{typ: "powershell", list: []command.Word{{}}}
		}
	case "start":
		if strings.HasSuffix(typ, "process") {
			ws := []command.Word{arg(args, 0)}
			if len(args) > 1 {
				ws = append(ws, split1(arg(args, 1))...)
			}
			r.h.Run(ws, command.Stream{})
			return value{}
		}
	case "invokescript":
		return fromStream(r.evaluate(args2stream(args)))
	case "load", "loadfile", "loadfrom", "unsafeloadfrom":
		if strings.HasSuffix(typ, "assembly") {
			w := arg(args, 0)
			r.h.Script("powershell", command.Unseen(w.Taint))
			return value{typ: "assembly", list: []command.Word{w}}
		}
	case "failfast", "exit":
		return value{}
	}
	return object(typ, taintOf(args))
}

// staticText reads static members that compute texts and bytes.
func staticText(typ, member string, args []value) (v value, ok bool) {
	switch member {
	case "frombase64string":
		v := object("bytes", arg(args, 0).Taint|command.FromDecoder)
		if b, err := base64.StdEncoding.DecodeString(arg(args, 0).Text); err == nil {
			v.list[0].Text = string(b)
		}
		return v, true
	case "fromhexstring":
		return hole(arg(args, 0).Taint | command.FromDecoder), true
	case "unicode", "utf8", "ascii", "default", "utf7", "utf32", "bigendianunicode":
		return value{typ: "encoding." + member, list: []command.Word{command.Lit(member)}}, true
	case "getencoding":
		return value{typ: "encoding.utf8", list: []command.Word{command.Lit("utf8")}}, true
	case "join", "combine":
		if typ == "string" && len(args) > 1 {
			return apply("-join", flat(args[1:]), one(arg(args, 0))), true
		}
		var w command.Word // [IO.Path]::Combine and Join
		for i, a := range args {
			part := a.word()
			switch {
			case member == "combine" && rooted(part.Text):
				w.Text = "" // Combine drops the parts before a rooted one
			case i > 0:
				w.Text = strings.TrimRight(w.Text, `\/`) + `\`
			}
			w.Text += part.Text
			w.Taint |= part.Taint
		}
		return one(w), true
	case "concat":
		w := command.Word{Taint: taintOf(args)}
		for _, a := range args {
			w.Text += a.word().Text
		}
		return one(w), true
	case "format":
		if len(args) > 1 {
			return apply("-f", args[0], flat(args[1:])), true
		}
	case "reverse":
		return value{}, true
	case "tochar":
		if len(args) > 0 { // without arguments, ToChar fails
			return cast("char", args[0]), true
		}
	}
	return value{}, false
}

// rooted reports whether a path does not depend on the folder before it.
func rooted(p string) bool {
	return strings.HasPrefix(p, "/") || strings.HasPrefix(p, `\`) || strings.HasPrefix(p, "~") || strings.HasPrefix(p, umpire.Hole) || len(p) > 1 && p[1] == ':'
}

// staticFile reads members of the file and directory types.
func (r *reader) staticFile(typ, member string, args []value) (v value, ok bool) {
	switch member {
	case "delete", "deletefile", "deletedirectory":
		r.h.Delete(arg(args, 0), member == "deletedirectory" || member == "delete" && strings.HasSuffix(typ, "directory") && len(args) > 1)
		return value{}, true
	case "getfiles", "getdirectories", "getfilesystementries", "enumeratefiles", "enumeratedirectories", "enumeratefilesystementries":
		ws := []command.Word{command.Lit("get-childitem"), arg(args, 0)}
		if len(args) > 1 {
			ws = append(ws, command.Lit("-Filter"), arg(args, 1))
		}
		if len(args) > 2 && !strings.Contains(strings.ToLower(arg(args, 2).Text), "toponly") {
			ws = append(ws, command.Lit("-Recurse"))
		}
		return fromStream(r.h.Run(ws, command.Stream{})), true
	case "writealltext", "writealllines", "writeallbytes", "appendalltext", "appendalllines":
		r.h.Write(arg(args, 0), content(arg(args, 1)), strings.HasPrefix(member, "append"))
		return value{}, true
	case "create", "createtext", "open":
		if strings.HasSuffix(typ, "file") && (member != "open" || replaces(arg(args, 1))) {
			r.h.Write(arg(args, 0), command.Text(""), false)
			return object("filestream", 0), true
		}
	case "readalltext", "readalllines", "readallbytes", "openread", "readlines":
		return fromStream(r.h.Read(arg(args, 0))), true
	case "move", "copy":
		if strings.HasSuffix(typ, "file") || strings.HasSuffix(typ, "directory") {
			if member == "move" {
				r.h.Delete(arg(args, 0), strings.HasSuffix(typ, "directory"))
			}
			r.h.Write(arg(args, 1), r.h.Read(arg(args, 0)), false)
			return value{}, true
		}
	}
	return value{}, false
}

// connect opens a connection to a host and a port. Text that is evaluated later may come from the
// peer.
func (r *reader) connect(args []value) {
	host := arg(args, 0)
	if port := arg(args, 1); port.Text != "" {
		host.Text += ":" + port.Text
	}
	r.socket = true
	r.h.Connect(host, false)
}

func args2stream(args []value) command.Stream {
	w := arg(args, 0)
	return command.Stream{Text: w.Text, Seen: w.Text != umpire.Hole, Taint: w.Taint, Pipe: true}
}

func (r *reader) method(v value, name string, args []value) value {
	t := v.taint()
	for _, a := range args {
		t |= a.taint()
		if a.typ == "scriptblock" { // .ForEach({ ... })
			r.each(a.block, v.stream())
		}
	}
	if v, ok := r.webMethod(v, name, args, t); ok {
		return v
	}
	if v, ok := r.textMethod(v, name, args, t); ok {
		return v
	}
	w := v.word()
	switch name {
	case "invoke", "invokereturnasis", "begininvoke", "invokewithcontext":
		if v.typ == "scriptblock" {
			return fromStream(r.evaluate(command.Stream{Text: v.block, Seen: v.block != "" && v.block != umpire.Hole, Taint: t, Pipe: true}))
		}
		if v.typ == "powershell" {
			w.Taint = t
			return fromStream(r.evaluate(content(w)))
		}
		if t != 0 {
			r.h.Script("powershell", command.Unseen(t))
		}
	case "addscript", "addcommand":
		return value{typ: "powershell", list: []command.Word{arg(args, 0)}}
	case "invokescript", "invokecommand":
		return fromStream(r.evaluate(args2stream(args)))
	case "newscriptblock":
		s := arg(args, 0)
		return value{typ: "scriptblock", block: s.Text, list: []command.Word{s}}
	case "shellexecute", "run", "exec":
		ws := split1(arg(args, 0))
		if len(args) > 1 && name == "shellexecute" {
			ws = append(ws, split1(arg(args, 1))...)
		}
		r.h.Run(ws, command.Stream{})
		return value{}
	case "delete", "deletefile", "deletefolder":
		p := w
		if len(args) > 0 && name != "delete" {
			p = arg(args, 0)
		}
		r.h.Delete(p, name != "deletefile")
		return value{}
	case "create", "createtext":
		if w.Found { // a file of Get-ChildItem
			r.h.Write(w, command.Text(""), false)
			return value{}
		}
		if strings.Contains(v.typ, "wmiclass") || strings.Contains(v.typ, "win32_process") {
			r.h.Run(split1(arg(args, 0)), command.Stream{})
			return value{}
		}
	case "write", "flush", "close", "dispose", "writeline":
		return value{}
	}
	return object(v.typ, t)
}

// webMethod reads methods of web clients, sockets and their streams. t is the taint of v and
// args.
func (r *reader) webMethod(v value, name string, args []value, t command.Taint) (_ value, ok bool) {
	switch name {
	case "downloadstring", "downloaddata", "openread", "downloadstringtaskasync", "getstringasync", "getasync", "getbytearrayasync", "getstring" + "taskasync":
		return fromStream(r.h.Fetch(arg(args, 0), 0, false)), true
	case "downloadfile", "downloadfileasync", "downloadfiletaskasync":
		s := r.h.Fetch(arg(args, 0), 0, false)
		r.h.Write(arg(args, 1), s, false)
		return value{}, true
	case "uploadstring", "uploaddata", "uploadfile", "uploadvalues", "postasync", "putasync":
		sent := t
		if name == "uploadfile" {
			sent |= r.h.Read(arg(args, len(args)-1)).Taint
		}
		return fromStream(r.h.Fetch(arg(args, 0), sent, true)), true
	case "getresponse", "getresponsestream":
		if v.typ == "webrequest" {
			return fromStream(r.h.Fetch(v.word(), 0, false)), true
		}
		return v, true
	case "open", "send":
		if len(args) > 1 && strings.Contains(arg(args, 1).Text, "://") { // XMLHTTP
			return fromStream(r.h.Fetch(arg(args, 1), 0, false)), true
		}
		return v, true
	case "connect":
		r.connect(args)
		return v, true
	case "getstream":
		return object("netstream", command.FromNetwork), true
	case "read", "readtoend", "readline", "readblock":
		if r.socket {
			t |= command.FromNetwork
		}
		return hole(t), true
	}
	return value{}, false
}

// textMethod reads methods of strings and encodings. t is the taint of v and args.
func (r *reader) textMethod(v value, name string, args []value, t command.Taint) (_ value, ok bool) {
	w := v.word()
	switch name {
	case "getstring":
		b := arg(args, 0)
		if r.socket && !b.Known() {
			b.Taint |= command.FromNetwork
		}
		if v.typ == "encoding.unicode" && b.Known() {
			b.Text = utf16le([]byte(b.Text))
		}
		return one(b), true
	case "getbytes":
		return one(arg(args, 0)), true
	case "replace":
		if text, ok := replace(w.Text, arg(args, 0).Text, arg(args, 1).Text, false); ok {
			return one(command.Word{Text: text, Taint: t}), true
		}
	case "trim", "tostring", "normalize":
		if len(args) > 0 { // Trim takes characters, ToString a format
			return hole(t), true
		}
		if name == "trim" {
			w.Text = strings.TrimSpace(w.Text)
		}
		return one(w), true
	case "clone":
		return one(w), true
	case "tolower", "tolowerinvariant":
		return one(w.With(strings.ToLower(w.Text))), true
	case "toupper", "toupperinvariant":
		return one(w.With(strings.ToUpper(w.Text))), true
	case "tochararray":
		return divide(w.Text, "", t), true
	case "split":
		if sep := arg(args, 0).Text; len(args) == 1 && len(sep) == 1 { // a longer separator may be a set of characters
			return divide(w.Text, sep, t), true
		}
		return hole(t), true
	case "substring":
		ws := index(one(w), value{list: numbers(arg(args, 0).Text, arg(args, 1).Text, len(w.Text))})
		return apply("-join", ws, str("")), true
	}
	return value{}, false
}

func numbers(from, n string, size int) (list []command.Word) {
	a, ok := atoi(from)
	if !ok {
		return []command.Word{command.Lit("x")}
	}
	b, ok := atoi(n)
	if n == "" || !ok {
		b = size - a
	}
	for i := a; i < a+b && i < size && len(list) < maxList; i++ {
		list = append(list, command.Lit(strconv.Itoa(i)))
	}
	return list
}

func (r *reader) property(v value, name string) value {
	switch name {
	case "content", "rawcontent", "text", "responsetext", "statusdescription":
		return v
	case "length", "count":
		return hole(0)
	case "name", "key":
		return v.without(command.FromEnv)
	case "fullname", "path", "source", "providerpath", "value", "definition", "basename", "invokecommand", "psobject", "tostring",
		"currentuserallhosts", "currentusercurrenthost", "allusersallhosts", "alluserscurrenthost": // of $PROFILE
		return v
	}
	return object(v.typ, v.taint())
}
