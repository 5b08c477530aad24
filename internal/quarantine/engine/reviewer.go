package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/umpire-dev/umpire/internal/quarantine/cell"
	"github.com/umpire-dev/umpire/internal/quarantine/reading"
	"github.com/umpire-dev/umpire/internal/review/snapshot"
)

// Messages between the reviewer's process and the main process, by the kind of frame.
type (
	job struct { // the initial input of a reviewer
		User      string `json:"user"`
		MaxOutput int    `json:"maxOutput"`
	}
	turnAsked struct { // "turn": requests the next turn of the model
		Say message `json:"say"`
	}
	turnSaid struct {
		Blocks []block `json:"blocks"`
	}
	callAsked struct { // "call": asks for a decision on a call
		Tool string          `json:"tool"`
		Args json.RawMessage `json:"args"`
	}
	callSaid struct {
		Allowed bool           `json:"allowed"`
		Reason  string         `json:"reason,omitempty"`
		Args    map[string]any `json:"args,omitempty"`
		Files   []reading.Item `json:"files,omitempty"`
	}
	shownTold  struct{ Shown []reading.Shown } // "shown": the parts of files that a model saw
	answerTold struct{ Text string }           // "answer": the final answer of the model
	answerSaid struct {
		Done   bool     `json:"done"`
		Errors []string `json:"errors,omitempty"`
	}
)

// Main takes over the process if it was started as a reviewer's process, or by a client that
// reviews, and otherwise returns. Call it first.
func Main() {
	if status, ok := child(os.Args); ok {
		os.Exit(status)
	}
	var s *snapshot.Snapshot
	cell.Main(cell.Program{
		Open: func(dir string) (err error) {
			s, err = snapshot.Load(dir)
			return err
		},
		Run: func(raw json.RawMessage, c *cell.Conn) error {
			var j job
			if err := json.Unmarshal(raw, &j); err != nil {
				return err
			}
			return loop(s, j, c)
		},
	})
}

// loop is a reviewer: it holds the conversation with the model, and runs the calls that the main
// process allows. It ends when its answer is accepted, or its process is killed.
func loop(s *snapshot.Snapshot, j job, c *cell.Conn) error {
	say := message{Blocks: []block{{Kind: "text", Text: j.User}}}
	left := j.MaxOutput
	for {
		var said turnSaid
		if err := c.Ask("turn", turnAsked{say}, &said); err != nil {
			return err
		}
		say = message{}
		var text strings.Builder
		for _, p := range said.Blocks {
			switch p.Kind {
			case "text":
				text.WriteString(p.Text)
			case "call":
				result, err := use(s, p, c, left)
				if err != nil {
					return err
				}
				left -= len(result.Text)
				say.Blocks = append(say.Blocks, result)
			}
		}
		if len(say.Blocks) > 0 {
			continue
		}
		var judged answerSaid
		if err := c.Ask("answer", answerTold{text.String()}, &judged); err != nil {
			return err
		}
		if judged.Done {
			return nil
		}
		// Do not return the model's text: material that it quoted would come back as its own words.
		say.Blocks = []block{{Kind: "text", Text: "Your answer has not the right shape. Answer again, with the one JSON object and nothing around it.\n" + strings.Join(judged.Errors, "\n")}}
	}
}

func use(s *snapshot.Snapshot, p block, c *cell.Conn, left int) (block, error) {
	var d callSaid
	if err := c.Ask("call", callAsked{p.Tool, p.Input}, &d); err != nil {
		return block{}, err
	}
	result := block{Kind: "result", ID: p.ID, Text: d.Reason, Error: true}
	if !d.Allowed {
		return result, nil
	}
	out, shown, err := reading.Run(context.Background(), s, p.Tool, d.Args, d.Files)
	switch {
	case err != nil:
		result.Text = err.Error()
	case len(out) > left:
		result.Text = errOutput.Error()
	default:
		result.Text, result.Error = out, false
		if err := c.Send("shown", shownTold{shown}); err != nil {
			return result, err
		}
	}
	return result, nil
}

var errOutput = errors.New("limit: tools have returned as much as they may; answer now with what you have")

// decode decodes a frame's body.
func decode[T any](f cell.Frame) (v T, err error) {
	if err = json.Unmarshal(f.Body, &v); err != nil {
		return v, fmt.Errorf("a reviewer's process sent an invalid %s", f.Kind)
	}
	return v, nil
}
