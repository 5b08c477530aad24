package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/operation"
	"github.com/umpire-dev/umpire/internal/visible"
)

// maxLine bounds one line of a transcript, in bytes: clients put whole files in one.
const maxLine = 32 << 20

func newReplay() *cobra.Command {
	var file, home string
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "replay [flags] TRANSCRIPT.jsonl | -",
		Short: "Judge every call of a recorded agent session",
		Long: `Judge every tool call of a recorded agent session, one line of JSON each: Claude
Code's transcripts (~/.claude/projects/*/*.jsonl) and hook payloads are understood.
Nothing is run; scripts of the workspace are not read, for they are not what they were.

It shows what a policy would have done before it is put in force.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := cmd.InOrStdin()
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return err
				}
				defer f.Close()
				in = f
			}
			at, err := here("")
			if err != nil {
				return err
			}
			p, _, err := at.load(file)
			if err != nil {
				return err
			}
			t := &table{w: cmd.OutOrStdout(), all: all}
			var n [3]int
			lines, skipped := 0, 0
			start := time.Now()
			err = transcript(in, func(a *umpire.Action) error {
				if home != "" {
					a.Home = home
				} else if a.Home = homeOf(a.Dir); a.Home == "" {
					a.Home = at.home
				}
				if a.Workspace == "" {
					a.Workspace = a.Dir
				}
				began := time.Now()
				ops := operation.Read(a, operation.Env{})
				d := p.Decide(a, ops)
				took := time.Since(began)
				n[d.Effect]++
				if asJSON {
					return json.NewEncoder(cmd.OutOrStdout()).Encode(struct {
						Action     *umpire.Action     `json:"action"`
						Operations []umpire.Operation `json:"operations"`
						umpire.Decision
						Micros float64 `json:"us"`
					}{a, ops, d, float64(took.Nanoseconds()) / 1000})
				}
				t.row(a, ops, d, took)
				return nil
			}, &lines, &skipped)
			if err != nil {
				return err
			}
			if lines > 0 && lines == skipped {
				return fmt.Errorf("%s is no transcript: none of its lines is JSON", visible.Clip(args[0], 200))
			}
			if !asJSON {
				fmt.Fprintf(cmd.OutOrStdout(), "\n%d calls in %s: %d allowed, %d asked, %d denied\n", n[0]+n[1]+n[2],
					time.Since(start).Round(time.Millisecond), n[umpire.Allow], n[umpire.Ask], n[umpire.Deny])
			}
			if skipped > 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %d lines are no JSON and were left out\n", skipped)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&file, "policy", "p", "", "judge by this policy file alone, with the packs")
	f.StringVar(&home, "home", "", "the home folder of the session; default: told from its working directory")
	f.BoolVar(&asJSON, "json", false, "print one JSON object a line")
	f.BoolVar(&all, "all", false, "show every operation, not only the first ones")
	return cmd
}

// homeOf tells the home folder that a recorded working directory lies in.
func homeOf(dir string) string {
	parts := strings.SplitN(dir, "/", 4)
	switch {
	case len(parts) >= 3 && (parts[1] == "home" || parts[1] == "Users"):
		return "/" + parts[1] + "/" + parts[2]
	case len(parts) >= 2 && parts[1] == "root":
		return "/root"
	}
	return ""
}

type record struct {
	// a hook payload
	Event string          `json:"hook_event_name"`
	Tool  string          `json:"tool_name"`
	Input json.RawMessage `json:"tool_input"`
	ID    string          `json:"tool_use_id"`
	// a line of a transcript
	Message struct {
		Content json.RawMessage `json:"content"`
	} `json:"message"`
	// both
	Dir     string `json:"cwd"`
	Session string `json:"session_id"`
}

type block struct {
	Type  string          `json:"type"`
	Name  string          `json:"name"`
	ID    string          `json:"id"`
	Input json.RawMessage `json:"input"`
}

// transcript calls f for every tool call in a record of lines.
func transcript(r io.Reader, f func(*umpire.Action) error, lines, skipped *int) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 64<<10), maxLine)
	dir := ""
	for sc.Scan() {
		line := sc.Bytes()
		if len(line) == 0 {
			continue
		}
		*lines++
		var rec record
		if json.Unmarshal(line, &rec) != nil {
			*skipped++
			continue
		}
		if rec.Dir != "" {
			dir = rec.Dir
		}
		who := umpire.Principal{Platform: "claude", Session: rec.Session}
		if rec.Event == "PreToolUse" && rec.Tool != "" {
			if err := f(&umpire.Action{ID: rec.ID, Principal: who, Tool: rec.Tool, Input: rec.Input, Dir: dir}); err != nil {
				return err
			}
			continue
		}
		var blocks []block
		if json.Unmarshal(rec.Message.Content, &blocks) != nil {
			continue // a message of plain text
		}
		for _, b := range blocks {
			if b.Type != "tool_use" {
				continue
			}
			if err := f(&umpire.Action{ID: b.ID, Principal: who, Tool: b.Name, Input: b.Input, Dir: dir}); err != nil {
				return err
			}
		}
	}
	if errors.Is(sc.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d bytes: this is no transcript", maxLine)
	}
	return sc.Err()
}

// table prints one call a row, with its further operations below.
type table struct {
	w      io.Writer
	all    bool
	headed bool
}

const columns = "%-9s  %-44s  %-52s  %-5s  %-30s  %9s\n"

func (t *table) row(a *umpire.Action, ops []umpire.Operation, d umpire.Decision, took time.Duration) {
	if !t.headed {
		fmt.Fprintf(t.w, columns, "tool", "asked", "read as", "", "rule", "time")
		t.headed = true
	}
	rule := ""
	op := 0
	if len(d.Reasons) > 0 {
		rule = d.Reasons[0].Rule
		op = max(0, d.Reasons[0].Op)
	}
	order := []int{}
	if len(ops) > 0 {
		order = append(order, op)
	}
	for i := range ops {
		if i != op {
			order = append(order, i)
		}
	}
	first := ""
	if len(order) > 0 {
		first = show(ops[order[0]])
	}
	fmt.Fprintf(t.w, columns, visible.Clip(a.Tool, 9), visible.Clip(asked(a), 44), visible.Clip(first, 52), d.Effect, visible.Clip(rule, 30), took.Round(time.Microsecond))
	for n, i := range order {
		if n == 0 {
			continue
		}
		if n == 4 && !t.all && len(order) > 5 {
			fmt.Fprintf(t.w, columns, "", "", fmt.Sprintf("and %d more", len(order)-n), "", "", "")
			break
		}
		fmt.Fprintf(t.w, columns, "", "", visible.Clip(show(ops[i]), 52), "", "", "")
	}
}

func show(o umpire.Operation) string {
	s := o.String()
	if o.Traits != 0 {
		s += " " + o.Traits.String()
	}
	return s
}

// asked tells in one line what a call is about.
func asked(a *umpire.Action) string {
	var in map[string]any
	if json.Unmarshal(a.Input, &in) != nil {
		return string(a.Input)
	}
	for _, k := range []string{"command", "file_path", "path", "notebook_path", "url", "query", "pattern", "description"} {
		if s, ok := in[k].(string); ok && s != "" {
			return s
		}
	}
	return string(a.Input)
}
