package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// Taint says where data may have come from.
type Taint uint16

// The taints.
const (
	FromNetwork   Taint = 1 << iota // another host chose it
	FromDecoder                     // it came out of base64 or a similar decoder: hidden from a reader
	FromSecret                      // read from a place that keeps secrets
	FromEnv                         // the whole environment, which holds keys
	FromUnseen                      // from a file or program whose text is not known
	FromTree                        // the content of a home or of the whole project
	FromShell                       // output of a shell whose commands are unseen
	FromKey                         // a variable of the environment whose name says that it is a credential
	FromLikelyKey                   // one whose name has a word for such in it: an allow rule takes it for one
	FromAddress                     // a variable of the environment whose name says that it is a database's address
	FromHost                        // names the caller or its location, which is harmless as part of a name
	Fetched                         // downloaded by an earlier call of the session, which has read it since
	OfUmpire                        // a process of umpire's
	OfRecorder                      // a process that keeps the machine's records
	OfSystem                        // a process that the machine or the session lives by, or all of them
	Picked                          // containers, or lines of an environment, that a narrow filter picked
)

// Word is one argument, as far as it is known.
type Word struct {
	Text  string // with umpire.Hole for each unknown part
	Taint Taint
	Marks
}

// Marks are the properties of a Word. They are a struct of their own because the compiler keeps
// a struct of more than four fields in memory, and copies it wherever a Word goes.
type Marks struct {
	Glob  bool // holds * ? [ that the shell would expand
	Found bool // the output of find: its unknown part is a path below the folder before it
	Bare  bool // Found without its folder before it: a file may be named like an option
	Many  bool // may be several words, or none: its value was unknown when it was split
}

// Lit is a fully known Word.
func Lit(s string) Word { return Word{Text: s} }

// Lits makes Words of strings.
func Lits(ss ...string) []Word {
	ws := make([]Word, len(ss))
	for i, s := range ss {
		ws[i].Text = s
	}
	return ws
}

// Known reports whether every part of w is known.
//
//go:noinline
func (w Word) Known() bool { return !strings.Contains(w.Text, umpire.Hole) }

// With returns a Word of another text with the taint of w.
//
//go:noinline
func (w Word) With(text string) Word {
	return Word{Text: text, Taint: w.Taint, Marks: Marks{Glob: w.Glob}}
}

// Stream is flowing data, such as standard input or a file's content, as far as it is known.
type Stream struct {
	Text  string // with umpire.Hole for unknown parts; meaningless unless Seen
	Seen  bool   // Text is all there is
	Taint Taint
	Found bool   // its lines are names that find printed
	Bare  bool   // without their folder before them
	Pipe  bool   // there is a stream at all: false is a terminal, or nothing
	File  string // path of the file of the project that it is read from, if it is one
}

// Text makes a Stream whose content is known.
func Text(s string) Stream { return Stream{Text: s, Seen: true, Pipe: true} }

// Unseen makes a Stream of unknown content.
func Unseen(t Taint) Stream { return Stream{Taint: t, Pipe: true} }

// Quote joins words into one line that splits back into them: the normalised argv
// that rules match.
func Quote(program string, args []Word) string {
	n := len(program)
	for _, a := range args {
		n += len(a.Text) + 3
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteString(program)
	for _, a := range args {
		b.WriteByte(' ')
		if a.Text != "" && !strings.ContainsAny(a.Text, " \t\n'\"\\") {
			b.WriteString(a.Text)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(a.Text, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}
