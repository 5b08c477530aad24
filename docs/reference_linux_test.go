package docs

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/cmd/umpire/cli"
	"github.com/umpire-dev/umpire/internal/policyfile"
)

// TestReference compares the pages of the reference with the code that they describe.
// UPDATE_DOCS=1 writes them.
func TestReference(t *testing.T) {
	bin := filepath.Join(build(t), "bin", "umpire")
	for page, text := range map[string]string{
		"commands.md":    commandReference(t, bin),
		"policy-keys.md": policyReference(t),
		"events.md":      eventReference(t),
		"traits.md":      traitReference(t),
	} {
		if os.Getenv("UPDATE_DOCS") != "" {
			if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if have, err := os.ReadFile(page); err != nil || string(have) != text {
			t.Errorf("docs/%s is out of date (%v): run UPDATE_DOCS=1 go test ./docs -run TestReference", page, err)
		}
	}
}

const generated = "This page is generated. To update it, run `UPDATE_DOCS=1 go test ./docs -run TestReference`.\n"

// commandReference prints the help of every command, below the group that the root lists it in. A
// command that has only a sentence and a usage is a line below its parent. What an earlier command
// says word for word is not repeated.
func commandReference(t *testing.T, bin string) string {
	type command struct{ name, help string }
	var commands []command
	brief := map[string]string{}  // by parent
	flags := map[string]string{}  // the command that explained a flag, by line
	said := map[string]string{}   // the command that a paragraph is from
	groups := map[string]string{} // the group that begins with a command
	everyHelp(t, bin, func(help string, words ...string) {
		name := strings.Join(append([]string{"umpire"}, words...), " ")
		c := command{name, essential(help, name, said)}
		if len(words) == 0 {
			for _, g := range group.FindAllStringSubmatch(help, -1) {
				groups["umpire "+g[2]] = g[1]
			}
			commands = append(commands, c)
			return
		}
		parent := c.name[:strings.LastIndex(c.name, " ")]
		if about, usage, _ := strings.Cut(c.help, "\n\nUsage:\n"); len(words) > 1 && !strings.Contains(about+usage, "\n") {
			brief[parent] += fmt.Sprintf("- `%s`: %s\n", cmp.Or(strings.TrimSpace(usage), c.name), about)
			return
		}
		c.help = sharedFlags(c.help, c.name, flags)
		commands = append(commands, c)
		for paragraph := range strings.SplitSeq(c.help, "\n\n") {
			said[paragraph] = cmp.Or(said[paragraph], c.name)
		}
	})
	var b strings.Builder
	b.WriteString("# Commands\n\n" + generated + `
Without a command, umpire shows which agents are guarded, and the next step.

Every command takes ` + "`--help`" + `, which also shows examples, and the flags of the command above it. With ` + "`--json`" + `, if it has the
flag, a command prints one JSON document. ` + "`--server`" + ` is the URL of the gateway (default $UMPIRE_SERVER or
http://127.0.0.1:3700), and ` + "`--yes`" + ` confirms. A time is ` + cli.Moments + `.
`)
	for _, c := range commands[1:] {
		if g := groups[c.name]; g != "" {
			fmt.Fprintf(&b, "\n## %s\n", g)
		}
		help := strings.ReplaceAll(c.help, ": "+cli.Moments, "")
		if usage := usageLine.FindStringSubmatch(help); usage != nil {
			help = usage[1] + "\n\n" + strings.Replace(help, usage[0], "", 1)
		}
		fmt.Fprintf(&b, "\n### %s\n\n```\n%s\n```\n", c.name, help)
		if list := brief[c.name]; list != "" {
			b.WriteString("\n" + list)
		}
	}
	return b.String()
}

// sharedFlags returns a help text in which the flags that an earlier command explains are only
// named, if they are more than one. seen remembers who explained a flag.
func sharedFlags(help, name string, seen map[string]string) string {
	text, list, ok := strings.Cut(help, "\n\nFlags:\n")
	if !ok {
		return help
	}
	var own, shared []string
	first := ""
	for line := range strings.SplitSeq(list, "\n") {
		key := strings.Join(strings.Fields(line), " ")
		if by := seen[key]; by != "" && (first == "" || by == first) {
			first, shared = by, append(shared, longFlag.FindString(line))
			continue
		}
		own = append(own, line)
		if seen[key] == "" {
			seen[key] = name
		}
	}
	if len(shared) < 2 {
		return help
	}
	if of := 0; len(own) == 0 {
		for _, by := range seen {
			if by == first {
				of++
			}
		}
		if of == len(shared) {
			return text + "\n\nFlags: as for " + first
		}
	}
	own = append(own, "  As for "+first+": "+strings.Join(shared, ", "))
	return text + "\n\nFlags:\n" + strings.Join(own, "\n")
}

// longFlag is the name of a flag in a line of a help text; everyFlag is a line of a flag that the
// page explains once, above all commands.
var (
	longFlag  = regexp.MustCompile(`--[a-z-]+`)
	everyFlag = regexp.MustCompile(`^ +(-h, --help |--json +print (one )?JSON( document)?$|--server string +URL of (the|a) gateway|-y, --yes +do not ask for confirmation$)`)
)

// helps has the help text of every command, once everyHelp has read them.
var helps []commandHelp

type commandHelp struct {
	words []string // of the command, without umpire
	text  string
}

// everyHelp calls f with the help text of every command, a command before those below it.
func everyHelp(t *testing.T, bin string, f func(help string, words ...string)) {
	t.Helper()
	if helps == nil {
		helps = helpBelow(t, bin)
	}
	for _, h := range helps {
		f(h.text, h.words...)
	}
}

// helpBelow returns the help text of the command of these words, and of all below it.
func helpBelow(t *testing.T, bin string, words ...string) []commandHelp {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), bin, append(slices.Clone(words), "--help")...)
	cmd.Env = []string{"HOME=" + dev, "PATH=/usr/bin:/bin"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("umpire %v --help: %v", words, err)
	}
	list := []commandHelp{{words, string(out)}}
	for _, sub := range subcommands(string(out)) {
		if sub != "help" {
			list = append(list, helpBelow(t, bin, append(slices.Clone(words), sub)...)...)
		}
	}
	return list
}

// plainUsage is a usage line that says no more than the heading of its section; commandList is a
// list of commands, group is one of the root's, and usageLine is a usage with arguments.
var (
	plainUsage  = regexp.MustCompile(`^  umpire[a-z ]* \[(flags|command)\]$`)
	commandList = regexp.MustCompile(`^[A-Z][^\n]*:\n  [a-z]+ {2,}[A-Z]`)
	usageLine   = regexp.MustCompile(`\n\nUsage:\n  (.*)`)
	group       = regexp.MustCompile(`(?m)^([A-Z][^\n]*):\n  ([a-z]+) {2,}[A-Z]`)
)

// essential returns a help text without the parts that repeat: the flags of the command above
// it, a usage without arguments, examples, lists of commands, which follow as sections, and the paragraphs
// of an earlier command, to which it refers.
func essential(help, name string, said map[string]string) string {
	var out []string
	earlier := ""
	for paragraph := range strings.SplitSeq(strings.TrimSpace(help), "\n\n") {
		lines := strings.Split(paragraph, "\n")
		if lines[0] == "Global Flags:" || lines[0] == "Examples:" || commandList.MatchString(paragraph) || strings.HasPrefix(lines[0], `Use "umpire`) {
			continue
		}
		if by := said[paragraph]; by != "" {
			earlier = by
			continue
		}
		if heading := lines[0]; earlier != "" && (heading == "Usage:" || heading == "Flags:") {
			out, earlier = append(out, "See also "+earlier+"."), ""
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return l == "  "+name || everyFlag.MatchString(l) || plainUsage.MatchString(l) })
		if len(lines) > 1 || !slices.Contains([]string{"Flags:", "Usage:"}, lines[0]) {
			out = append(out, strings.ReplaceAll(strings.Join(lines, "\n"), " [flags]", ""))
		}
	}
	return strings.Join(out, "\n\n")
}

// subcommands returns the names that a help text lists.
func subcommands(help string) (names []string) {
	_, usage, _ := strings.Cut(help, "\nUsage:\n") // lists before it are prose
	listing := false
	for line := range strings.Lines(usage) {
		heading := strings.TrimSuffix(line, ":\n")
		switch {
		case heading != line && !strings.HasPrefix(line, " "):
			listing = !slices.Contains([]string{"Flags", "Global Flags", "Examples"}, heading)
		case listing && strings.HasPrefix(line, "  ") && line[2] != ' ' && line[2] != '-':
			names = append(names, strings.Fields(line)[0])
		case strings.TrimSpace(line) != "":
			listing = false
		}
	}
	return names
}

// key is a part of the JSON Schema of policy files.
type key struct {
	Description, Type string
	Enum              []any
	Items             *key
	AnyOf             []key
	Properties        map[string]key
	PropertyNames     *key
	Additional        json.RawMessage `json:"additionalProperties"`
}

// policyReference lists the keys of policy files.
func policyReference(t *testing.T) string {
	var root key
	if err := json.Unmarshal(policyfile.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("# Keys of policy files\n\n" + generated + `
[The policy language](policy.md) explains patterns, order and layers.
For completion in an editor, use ` + "`umpire policy schema`" + `.

| key | type | meaning |
| --- | --- | --- |
`)
	root.elsewhere(t)
	root.rows(&b, "", map[string]string{})
	return b.String()
}

// explained has the pages that explain all keys below a key.
var explained = map[string]string{"programs": "programs.md", "judge": "judge.md#settings", "approval": "approvals.md#wait-for-an-answer",
	"guard": "guard.md#in-coding-agents", "box": "sandbox.md#resource-limits"}

// elsewhere replaces the keys that a page explains by a link, after a look that the page names them.
func (k *key) elsewhere(t *testing.T) {
	for name, link := range explained {
		page, _, _ := strings.Cut(link, "#")
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		p := k.Properties[name]
		for _, below := range p.names() {
			if !regexp.MustCompile(`[^\w-]` + below + `\b`).Match(text) {
				t.Errorf("docs/%s does not name the key %s of %s", page, below, name)
			}
		}
		k.Properties[name] = key{Type: p.kind(), Description: p.Description + "; [keys](" + link + ")"}
	}
}

// names returns the names of all keys below k.
func (k key) names() (out []string) {
	if k.Items != nil {
		out = k.Items.names()
	}
	for name, p := range k.Properties {
		out = append(append(out, name), p.names()...)
	}
	return out
}

// rows writes a row for each key below k. A mapping with the keys of an earlier one refers to it:
// seen has the rows of each mapping, and its name.
func (k key) rows(b *strings.Builder, prefix string, seen map[string]string) {
	names := make([]string, 0, len(k.Properties))
	for name := range k.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		p := k.Properties[name]
		parts, at := p, prefix+name
		if p.Items != nil && len(p.Properties) == 0 {
			parts, at = *p.Items, at+"[]"
		}
		var relative strings.Builder
		parts.rows(&relative, "", map[string]string{})
		text := p.Description
		first, known := seen[relative.String()]
		if known {
			text += "; keys as in `" + first + "`"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", prefix+name, p.kind(), strings.ReplaceAll(text, "|", "\\|"))
		if known || relative.Len() == 0 {
			continue
		}
		seen[relative.String()] = at
		parts.rows(b, at+".", seen)
	}
}

// kind says the type of a key's value in words.
func (k key) kind() string {
	if len(k.Enum) > 0 {
		var words []string
		for _, v := range k.Enum {
			words = append(words, fmt.Sprint(v))
		}
		return strings.Join(words, ", ")
	}
	if len(k.AnyOf) > 0 {
		var words []string
		for _, a := range k.AnyOf {
			words = append(words, a.kind())
		}
		if text := strings.Join(words, " or "); text != "string or list of strings" {
			return text
		}
		return "string or list"
	}
	switch {
	case k.Items != nil:
		return "list of " + strings.ReplaceAll(k.Items.kind(), "string", "strings")
	case k.Type == "object" || len(k.Properties) > 0:
		return "mapping"
	}
	return k.Type
}

// eventReference lists the kinds and the fields of the audit log, from the source.
func eventReference(t *testing.T) string {
	file, err := parser.ParseFile(token.NewFileSet(), "../internal/audit/event.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var kinds, events, chain strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			if name, ok := n.Type.(*ast.Ident); ok && name.Name == "EventKind" {
				value, err := strconv.Unquote(n.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				row(t, &kinds, value, n.Comment)
			}
		case *ast.TypeSpec:
			s, ok := n.Type.(*ast.StructType)
			out := map[string]*strings.Builder{"Event": &events, "Chain": &chain}[n.Name.Name]
			if !ok || out == nil {
				return true
			}
			for _, f := range s.Fields.List {
				if f.Tag == nil {
					continue
				}
				name, _, _ := strings.Cut(reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json"), ",")
				row(t, out, name, f.Comment)
			}
		}
		return true
	})
	return "# Events of the audit log\n\n" + generated + `
The log is ` + "`~/.local/state/umpire/audit.jsonl`" + `, one JSON object a line. ` + "`umpire audit`" + ` searches
and verifies it. Absent fields are empty.

## Kinds

| kind | recorded when |
| --- | --- |
` + kinds.String() + `
## Fields

| field | meaning |
| --- | --- |
` + events.String() + `
## Fields of chain

| field | meaning |
| --- | --- |
` + chain.String()
}

// traitReference lists the kinds, the traits and the places, from the source.
func traitReference(t *testing.T) string {
	file, err := parser.ParseFile(token.NewFileSet(), "../operation.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var kinds, traits, places strings.Builder
	for _, d := range file.Decls {
		constants, ok := d.(*ast.GenDecl)
		if !ok || constants.Tok != token.CONST || constants.Doc == nil {
			continue
		}
		for i, spec := range constants.Specs {
			comment := spec.(*ast.ValueSpec).Comment
			switch about, _, _ := strings.Cut(constants.Doc.Text(), "."); {
			case about == "The kinds" && comment != nil: // the others are for patterns only
				row(t, &kinds, umpire.Kind(i).String(), comment)
			case about == "The traits":
				row(t, &traits, umpire.Trait(1<<i).String(), comment)
			case about == "The places":
				row(t, &places, "@"+umpire.Place(1<<i).String(), comment)
			}
		}
	}
	return "# Kinds, traits and places\n\n" + generated + `
An operation is ` + "`kind(resource)`" + ` with traits and, for paths, places. [Rules](policy.md) match them. ` + "`umpire check`" + `
prints those of a call.

## Kinds

| kind | the operation |
| --- | --- |
` + kinds.String() + `
## Traits

A trait is a property of an operation.

| trait | the operation |
| --- | --- |
` + traits.String() + `
## Places

A place is a class of paths. It holds for a path and for the target of its links.

| place | paths |
| --- | --- |
` + places.String()
}

func row(t *testing.T, b *strings.Builder, name string, comment *ast.CommentGroup) {
	text := strings.TrimSpace(comment.Text())
	if name == "" || text == "" {
		t.Errorf("%q needs a comment on its line", name)
	}
	fmt.Fprintf(b, "| `%s` | %s |\n", name, text)
}
