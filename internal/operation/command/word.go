package command

import (
	"strings"

	"github.com/umpire-dev/umpire"
)

// Taint says where data may have come from.
type Taint uint32

// The taints.
const (
	FromNetwork    Taint = 1 << iota // another host chose it
	FromDecoder                      // it came out of base64 or a similar decoder: hidden from a reader
	FromSecret                       // read from a place that keeps secrets
	FromEnv                          // the whole environment, which contains keys
	FromUnseen                       // from a file or program whose text is not known
	FromTree                         // the content of a home or of the whole project
	FromShell                        // output of a shell whose commands are unseen
	FromKey                          // an environment variable whose name says that it is a credential
	FromLikelyKey                    // an environment variable whose name contains a word for a credential: allow rules treat it like FromKey
	FromAddress                      // an environment variable whose name says that it is a database's address
	FromHost                         // the user's name: harmless as part of a path, but it identifies the user to a host
	Fetched                          // downloaded by an earlier call of the session, and read by the agent since
	OfUmpire                         // a process of umpire
	OfRecorder                       // a process that keeps the machine's records
	OfSystem                         // a process that the machine or the session depends on, or all processes
	Picked                           // containers, files or lines of an environment that a narrow filter picked
	FromProduction                   // an environment variable whose name says production
	FromWebhook                      // an environment variable whose name says that it is the address of a webhook
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
	Glob   bool // holds * ? [ that the shell would expand
	Found  bool // a name of a listing: it stands for all files below the folder, or that match
	Bare   bool // Found, without the folder before it: a file's name may look like an option
	Many   bool // may be several words, or none: its value was unknown when it was split
	Filled bool // the unknown part that begins it is not empty
}

// Lit returns a fully known Word.
func Lit(s string) Word { return Word{Text: s} }

// Lits returns a fully known Word for each string.
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

// With returns a Word with another text, and the taint and Glob of w.
//
//go:noinline
func (w Word) With(text string) Word {
	return Word{Text: text, Taint: w.Taint, Marks: Marks{Glob: w.Glob}}
}

// Part returns a part of w, such as the file in name=@file, which is of a listing if w is.
func (w Word) Part(text string) Word {
	p := w.With(text)
	p.Found = w.Found
	return p
}

// ListMark ends a name in a text, and says that a program listed files there: the name stands for the
// names of all files below the folder, or of all that match the pattern. Pipes, variables,
// substitutions, files and text filters carry it like other text. bareMark is the same if a file's
// own name may begin the line. Both are noncharacters of Unicode, and Plain keeps them out of what
// the adversary writes.
const (
	ListMark = "\ufdd0"
	bareMark = "\ufdd1" + ListMark
)

// Plain returns a text from outside, with an unknown part for each mark of a listing and each broken
// character. The adversary could join a mark from two halves, or name a file by one.
func Plain(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, umpire.Hole), ListMark, umpire.Hole)
}

// Unlisted returns a text, such as a path, without the marks of a listing.
func Unlisted(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, bareMark, ""), ListMark, "")
}

// Listed returns the text of w in a stream or a variable, with its mark if it is of a listing.
func (w Word) Listed() string {
	switch {
	case w.Found && w.Bare:
		return w.Text + bareMark
	case w.Found:
		return w.Text + ListMark
	}
	return w.Text
}

// OfText returns w, which a text became, as a word of a listing if the text ends in a mark. Marks
// before the end stay in a script or a list, whose words get them. They go if the name runs on:
// $(find LD_PRELOAD)=x must read as what the shell makes of it.
func OfText(w Word) Word {
	if i := strings.Index(w.Text, ListMark); i >= 0 && i+len(ListMark) < len(w.Text) && !strings.ContainsAny(w.Text, " \t\n\x00") {
		w.Text = Unlisted(w.Text)
		return w
	}
	if text, ok := strings.CutSuffix(w.Text, ListMark); ok {
		w.Found = true
		w.Text, w.Bare = strings.CutSuffix(text, "\ufdd1")
	}
	return w
}

// Stream is flowing data, such as standard input or a file's content, as far as it is known.
type Stream struct {
	Text  string // with umpire.Hole for unknown parts; unless Seen only the names of a listing count
	Seen  bool   // Text is all there is
	Taint Taint
	Pipe  bool   // there is a stream: false means a terminal, or nothing
	File  string // path of the project's file that it comes from, or ""
	After bool   // Store appends it to the file
	Spent bool   // a loop reads its lines, so the programs in the loop do not
	Disk  string // path of the file on the disk that it begins with, if nothing has used that file yet, or ""
}

// Lists reports whether the text has names of a listing.
func (s Stream) Lists() bool { return strings.Contains(s.Text, ListMark) }

// Words returns s for a reader that splits it into words. A filter that umpire does not follow
// prints names of the listing that it reads, and what else is unknown.
func (s Stream) Words() Stream {
	if !s.Seen && s.Lists() {
		s.Seen, s.Text = true, s.Text+"\n"+umpire.Hole
	}
	return s
}

// Text returns a Stream whose content is known.
func Text(s string) Stream { return Stream{Text: s, Seen: true, Pipe: true} }

// Unseen returns a Stream of unknown content with a taint.
func Unseen(t Taint) Stream { return Stream{Taint: t, Pipe: true} }

// Quote joins words into one line that splits back into them: the normalized argv that rules match.
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
