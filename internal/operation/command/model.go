package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// A Role says what a value is for.
//
//	_  data               r  file read            w  file written anew     a  file appended to
//	d  file deleted       m  file moved away      t  folder written into   D  folder changed to
//	x  script run         h  host contacted       u  URL fetched           U  URL sent to
//	c  shell command run  C  command vector run   p  package               q  SQL statement
//	e  code run, in the Model's Lang              P  program or command named by a setting
//	i  file looked at, whose content is not shown (a checksum)
//	l  path that is only named (link target)      E  NAME=VALUE for the environment
//	o  write that changes in place (touch, chmod without a rule of its own)
//	A  running process attached to               L  address listened on
//	R  host contacted, if the value names one    (a URL, or an image with its registry)
type Role = byte

// Style is a set of flags that say how a program parses its command line.
type Style uint16

// The styles.
const (
	Strict     Style = 1 << iota // options end at the first operand (POSIX); mostly wrappers
	LongDash                     // -name is a long option (java, find, terraform, openssl)
	KeyVal                       // operands are key=value (dd)
	NoInert                      // --help and --version mean nothing special
	Bundled                      // the first operand may be a cluster without a dash (tar, ar, ps)
	Windows                      // options begin with / as well
	HelpH                        // -h is help
	AnyOption                    // words after -- may still be options (git push)
	NoOptions                    // every argument is an operand (echo)
	CaseFold                     // program and options in any case (PowerShell, cmd)
	ShortValue                   // unknown long options take the next word as their value (cloud CLIs)
	Verb                         // the first operand is a verb that Do reads (kubectl)
	HelpWord                     // help and version are sub-commands even if undescribed (ufw)
	Converts                     // writes the last of several files (convert, ffmpeg)
	InPlace                      // changes its files, unless an option only checks (black)
)

// Effect is a set of effects, in the order of effectTraits.
type Effect uint16

// Claims describes a program as a whole: which of its calls have no effect but their operations.
type Claims struct {
	// Complete says when the operations are all that the program does: "always", if no unknown
	// word may be an option ("options"), or if every word is known ("words").
	Complete  string
	Looks     string // comma-separated commands that only look; " *" at the end stands for more words
	Project   string // first words with which the program stays in the project, or "any"
	Elsewhere string // options that revoke all of these claims; a * at the end stands for any ending
}

// Model describes one program or sub-command.
type Model struct {
	Names string // names, separated by spaces
	// Opts lists the options that need describing, separated by spaces. Each is
	// its names, separated by commas, then what it means:
	//	-o,--output=w      takes a value with a role
	//	--color?=_         takes a value only when attached (--color=auto)
	//	-r,--recursive+recursive   sets traits (umpire.Trait names joined by +) on everything the call does
	//	-n,--dry-run+inert sets the trait that makes the call harmless
	// An option that is not listed is read as a flag: the word after it is an operand. If that word
	// decides what the rest means (Strict, Verb, Sub), the line is read a second time with the word as
	// the option's value. So list the flags that people use with such programs.
	Opts string
	// Args lists the roles of the operands in order; one may end in * and stands for
	// any number: "r*", "r* w", "_ r*", "C". Empty: operands are data.
	Args  string
	Style Style
	// Effects are the further effects of the command, as EffectOf returns them.
	Effects Effect
	System  string  // changes of the machine, as EncodeSystem writes them
	Lang    string  // language of roles x and e, default "sh"
	Sub     []Model // by the first operand; global options of the parent may come first
	Do      func(*Call)
	Claims

	commands string // rows of more sub-commands
}

// Host receives the effects of a Call and answers its questions. The shell interpreter implements
// it.
type Host interface {
	Runner
	Files
	Folders
	Worktrees
	Renames
	Scope
	// Emit records an operation.
	Emit(umpire.Operation)
	// Model looks up a program, in the user's own declarations first.
	Model(name string) *Model
}

// Runner reads programs and scripts that a call starts.
type Runner interface {
	// Run reads another command vector, with the changes in r.
	Run(args []Word, r Run)
	// Script reads text in a language: "sh", "python", "js", "perl", "ruby", "php", "lua", "awk",
	// "powershell", "cmd", "applescript", "sql:ENGINE", "vim", "r", ...
	Script(lang string, text Stream, r Run)
	// Tasks calls a function of package projectfile, which reads a program that runs what the files of
	// the project say.
	Tasks(reader string, c *Call)
}

// Files knows files and their contents, in the state in which this call has left them.
type Files interface {
	// Path resolves a path against the folder the call runs in.
	Path(Word) (abs string, places umpire.Place)
	// File returns the content of a file if it is known: this call wrote it, or it is in the
	// workspace.
	File(Word) Stream
	// Store remembers a file's new content.
	Store(Word, Stream)
	// Wrote reports whether this call wrote a file.
	Wrote(Word) bool
	// Starts returns a file that the program reads without being told to, in any folder: as this call
	// wrote it, or as it is on the disk.
	Starts(Word) Stream
	// ScriptAt returns a script outside of the workspace, in a place where people and agents put
	// scripts: a temporary folder or another project.
	ScriptAt(Word) Stream
}

// Folders lists folders and looks for files on the disk.
type Folders interface {
	// Names returns the names in a folder on the disk. If it has more names than the disk lists,
	// Names records that the call runs unseen code.
	Names(Word) []string
	// SomeNames returns all names in a folder, or at least MaxSome of them. It is cheap in a folder of
	// any size.
	SomeNames(Word) []string
	// Exists reports whether a file is known to exist: on the disk, or because this call made it.
	Exists(Word) bool
}

// Worktrees knows the working trees of git.
type Worktrees interface {
	// Unchanged reports whether the tracked files of a working tree are known to be those of a commit.
	Unchanged(root Word, commit string) bool
	// Brings records the links that a working tree gets when git replaces one commit by another.
	Brings(root Word, was, is string)
}

// Renames follows links and moved files, because deleting a file by either name deletes it.
type Renames interface {
	// Link remembers that a name leads to another path, as after ln -s: a relative target starts at
	// the folder of the name.
	Link(name, target Word)
	// Moved remembers where a file or tree was before.
	Moved(name, from Word)
	// Copied remembers that a folder has a copy under another name.
	Copied(name, from Word)
	// Follow returns the target of a name that Link remembers.
	Follow(Word) Word
}

// Scope has the variables, definitions and the working folder of the shell.
type Scope interface {
	// Define remembers a definition of this call under a key, such as an alias.
	Define(key string, w Word)
	// Defined returns every definition under a key.
	Defined(key string) []Word
	// Var returns the value of a variable.
	Var(name string) (Word, bool)
	// Assigned reports whether this call set a variable, which the user's environment may have too.
	Assigned(name string) bool
	// SetVar sets a variable; exported ones reach the programs started later.
	SetVar(name string, w Word)
	// Chdir changes the folder for all that follows.
	Chdir(Word)
}

// Run says how a nested command runs.
type Run struct {
	Via    string       // the wrapper's name, shown in Operation.Via: "sudo", "xargs"
	Traits umpire.Trait // added to every operation: Privilege, Remote, Container, ...
	Stdin  *Stream      // nil: the caller's
	Dir    *Word        // another working folder
	Env    []Word       // NAME=VALUE for this command only
	Args   []Word       // positional parameters of a script
	Out    bool         // its output becomes the caller's output
	Mounts []Mount      // with Container: which of its folders are the host's
	Origin string       // where the command is in a file: "Makefile:12"
	File   *Word        // the file that contains it
	Task   bool         // the program reads that file without being told to
	Scan   bool         // parts of it may not run: only certain operations count
	Fresh  bool         // with Container: its environment holds no values of the user
	Many   bool         // it stands for many runs, which share the words

	Throwaway bool // with Container: this command line made it, and its data goes with it
	Alone     bool // with Container: it gets nothing of the user, and ends with the command
}

// Mount is a folder of the host that a container sees.
type Mount struct {
	Host   Word   // path on the host
	Inside string // absolute path in the container
}

// sub finds a sub-command's Model.
func (m *Model) sub(name string) *Model {
	for i := range m.Sub {
		if anyof.Listed(m.Sub[i].Names, name) {
			return &m.Sub[i]
		}
	}
	for rest := m.commands; rest != ""; {
		var row string
		row, rest = cutRow(rest)
		if line := strings.TrimLeft(row, "\t"); anyof.Listed(line[:strings.IndexAny(line, "\t\n")], name) {
			return decode(row)
		}
	}
	return nil
}

// leads reports whether the first operand may be a sub-command.
func (m *Model) leads() bool { return len(m.Sub) > 0 || m.commands != "" }

type option struct {
	role    Role // 0: flag
	attach  bool // value only when attached
	traits  umpire.Trait
	effects Effect
	name    string // first name in the list, under which Call keeps it
	names   string // all names, separated by commas
	short   bool   // found by an abbreviation, so it may be another option that is not listed
	about   bool   // prints the help or version, and the program does nothing else
}

// option looks up an option in Opts. Long options may be abbreviated, as getopt_long allows:
// attackers use abbreviations to slip past lists (--upload-pa).
func (m *Model) option(name string) (option, bool) {
	var abbreviated string
	for rest := m.Opts; rest != ""; {
		var tok string
		tok, rest, _ = strings.Cut(rest, " ")
		names, _ := splitOption(tok)
		for ns := names; ns != ""; {
			var n string
			n, ns, _ = strings.Cut(ns, ",")
			if n == name || m.Style&CaseFold != 0 && strings.EqualFold(n, name) {
				return parseOption(tok), true
			}
			if (abbreviated == "" || m.Style&CaseFold != 0) && m.abbreviates(name, n, tok) {
				abbreviated = tok
			}
		}
	}
	if abbreviated != "" {
		o := parseOption(abbreviated)
		o.short = true
		return o, true
	}
	return option{}, false
}

// abbreviates reports whether a name may abbreviate n, a longer name of the option tok.
func (m *Model) abbreviates(name, n, tok string) bool {
	if len(n) <= len(name) {
		return false
	}
	return len(name) > 2 && strings.HasPrefix(name, "--") && strings.HasPrefix(n, name) && !ownFlag(name, n, tok) ||
		m.Style&CaseFold != 0 && len(name) > 1 && strings.EqualFold(n[:len(name)], name)
}

// long is option for one word: where one dash begins a long option, two dashes do too.
func (m *Model) long(name string) (option, bool) {
	o, ok := m.option(name)
	if !ok && m.Style&LongDash != 0 && strings.HasPrefix(name, "--") {
		return m.option(name[1:])
	}
	return o, ok
}

func (m *Model) lists(name string) bool {
	_, ok := m.option(name)
	return ok
}

// ownFlag reports whether a name that begins another option's is more likely a separate option that
// the Model does not list: --ssl is not --ssl-cert, and takes no value. Only values that are plain
// data are dropped; a program named by an abbreviation is still seen.
func ownFlag(name, long, tok string) bool {
	return long[len(name)] == '-' && parseOption(tok).role == '_'
}

// aboutItself reports whether an option of that name makes nearly every program print its help or
// version.
func aboutItself(name string) bool { return name == "--help" || name == "--version" }

func splitOption(tok string) (names, meaning string) {
	if i := strings.IndexAny(tok, "=+?"); i >= 0 {
		return tok[:i], tok[i:]
	}
	return tok, ""
}

func parseOption(tok string) (o option) {
	names, meaning := splitOption(tok)
	o.names = names
	o.name, _, _ = strings.Cut(names, ",")
	if strings.HasPrefix(meaning, "?") {
		o.attach, meaning = true, meaning[1:]
	}
	meaning, traits, _ := strings.Cut(meaning, "+")
	if strings.HasPrefix(meaning, "=") && len(meaning) > 1 {
		o.role = meaning[1]
	}
	o.about = o.role == 0 && slices.ContainsFunc(strings.Split(names, ","), aboutItself)
	for traits != "" {
		var n string
		n, traits, _ = strings.Cut(traits, "+")
		if t, err := umpire.ParseTrait(n); err == nil {
			o.traits |= t
		} else {
			o.effects |= EffectOf(n)
		}
	}
	return o
}
