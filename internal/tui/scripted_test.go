package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/agent"
	"github.com/umpire-dev/umpire/internal/agent/conversation"
)

// scripted is a Session without a model: what it does depends on the words of a message.
type scripted struct {
	ui  *UI
	log string // a file: answers are noted there

	mu       sync.Mutex
	status   conversation.Status
	todo     []agent.Todo
	saved    []conversation.Saved
	urged    []string
	answered []agent.Answer
	sent     []string
	saves    int
	saveErr  error
	gate     chan struct{} // "wait" goes on when it is closed
	running  bool
}

func newScripted() *scripted {
	return &scripted{
		status: conversation.Status{Model: "anthropic/claude-sonnet-4", Window: 200000},
		gate:   make(chan struct{}),
		saved: []conversation.Saved{
			{ID: "s2", Name: "fix the parser", Messages: 12, Model: "claude-sonnet-4", Dir: "/home/dev/app", Updated: time.Now().Add(-3 * time.Hour)},
			{ID: "s1", Name: "write docs", Messages: 4, Model: "gpt-4o", Dir: "/home/dev/docs", Updated: time.Now().Add(-48 * time.Hour)},
		},
	}
}

const diffText = `--- a/main.go
+++ b/main.go
@@ -1,6 +1,7 @@
 package main
 
 import "fmt"
 
-func main() { fmt.Println("helo") }
+// main greets.
+func main() { fmt.Println("hello, 世界 👋") }
 
`

func bashQuestion(id, command string) agent.Question {
	in, _ := json.Marshal(map[string]string{"command": command})
	return agent.Question{
		ID: "q-" + id, CallID: id, Tool: "bash", Input: string(in), Dir: "/home/dev/app",
		Preview: agent.Preview{Text: command},
		Decision: umpire.Decision{Effect: umpire.Ask, Reasons: []umpire.Reason{
			{Rule: "git-push-force", Effect: umpire.Ask, Text: "rewrites the history that others have"}}},
		Reason: "nothing allows it", Sandbox: "workspace writable, no network",
		Session: "bash: git push * below /home/dev/app", Always: "bash: git push * below /home/dev/app",
	}
}

func editQuestion(id string) agent.Question {
	return agent.Question{
		ID: "q-" + id, CallID: id, Tool: "edit_file", Input: `{"file_path":"main.go","old_string":"a","new_string":"b"}`, Dir: "/home/dev/app",
		Preview: agent.Preview{Text: diffText, Diff: true}, Reason: "writes a file", Sandbox: "workspace writable, no network",
		Session: "edit_file below /home/dev/app",
	}
}

func (s *scripted) Send(ctx context.Context, m conversation.Message) iter.Seq2[agent.Event, error] {
	return func(yield func(agent.Event, error) bool) {
		s.mu.Lock()
		s.running = true
		s.sent = append(s.sent, m.Text)
		s.mu.Unlock()
		s.write("sent %d bytes", len(m.Text))
		defer func() {
			s.mu.Lock()
			s.running = false
			s.mu.Unlock()
		}()
		p := player{s: s, ctx: ctx, yield: yield}
		p.event(agent.TurnStart{Turn: 1, MaxTurns: 40})
		for word := range strings.FieldsSeq(m.Text) {
			p.act(word, m.Text)
		}
		s.mu.Lock()
		s.status.Input += 40000
		s.status.Usage.Add(agent.Usage{InputTokens: 12345, OutputTokens: 678, TotalTokens: 13023, Cost: 0.12, Priced: true})
		s.mu.Unlock()
		p.event(agent.Finish{})
		if p.err != nil && ctx.Err() == nil {
			yield(nil, p.err)
		}
	}
}

// player yields what a word of a message asks for.
type player struct {
	s     *scripted
	ctx   context.Context
	yield func(agent.Event, error) bool
	over  bool
	n     int
	err   error
}

func (p *player) event(e agent.Event) {
	if !p.over && p.ctx.Err() == nil {
		p.over = !p.yield(e, nil)
	}
}

func (p *player) call(name, in string) agent.ToolCall {
	p.n++
	c := agent.ToolCall{ToolName: name, ToolCallID: fmt.Sprintf("c%d-%d", len(p.s.sent), p.n), Input: json.RawMessage(in)}
	p.event(c)
	return c
}

func (p *player) result(c agent.ToolCall, r agent.Result) {
	p.event(agent.ToolResult{ToolName: c.ToolName, ToolCallID: c.ToolCallID, Result: r})
}

func (p *player) ask(q agent.Question) agent.Answer {
	a, err := p.s.ui.Ask(p.ctx, q)
	if err != nil {
		return agent.Answer{}
	}
	p.s.mu.Lock()
	p.s.answered = append(p.s.answered, a)
	p.s.mu.Unlock()
	p.s.write("%s %d %q", q.Tool, a.Choice, a.Note)
	return a
}

// told returns the messages that were sent, and those that were urgent.
func (s *scripted) told() (sent, urged []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.sent...), append([]string(nil), s.urged...)
}

// write notes what happened, for tests that only see the screen.
func (s *scripted) write(format string, args ...any) {
	if s.log == "" {
		return
	}
	f, err := os.OpenFile(s.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	fmt.Fprintf(f, format+"\n", args...)
}

func (p *player) act(word, all string) {
	if p.over || p.ctx.Err() != nil {
		return
	}
	switch word {
	case "hello":
		for _, t := range []string{"Hello! I can ", "read **files**, and ", "run `commands`:\n\n", "```go\nfunc main() {\n", "\tfmt.Println(\"世界 👩‍👩‍👧\")\n}\n```\n\n", "- one\n", "- two\n"} {
			p.event(agent.TextDelta{Text: t})
		}
	case "read":
		c := p.call("read_file", `{"file_path":"main.go"}`)
		p.result(c, agent.Result{Success: true, Output: "    1 | package main\n    2 | \n    3 | func main() {}\n", Data: map[string]any{"startLine": 1, "endLine": 3, "totalLines": 3}})
	case "grep":
		c := p.call("grep", `{"pattern":"func"}`)
		p.result(c, agent.Result{Success: true, Output: "2 matches\nmain.go:3: func main() {}\n", Data: map[string]any{"count": 2}})
	case "fail":
		c := p.call("bash", `{"command":"go test ./..."}`)
		p.result(c, agent.Result{Output: "stdout:\nFAIL\nexit code: 1\n", Error: "the command ended with exit code 1", Data: map[string]any{"exitCode": 1}})
	case "push":
		c := p.call("bash", `{"command":"git push --force origin main"}`)
		if a := p.ask(bashQuestion(c.ToolCallID, "git push --force origin main")); a.Choice == agent.No || a.Choice == agent.Stop {
			p.result(c, agent.Failed("Blocked: the user said no. "+a.Note))
			break
		}
		p.result(c, agent.Result{Success: true, Output: "exit code: 0\n", Data: map[string]any{"exitCode": 0}})
	case "edit":
		c := p.call("edit_file", `{"file_path":"main.go","old_string":"a","new_string":"b"}`)
		if a := p.ask(editQuestion(c.ToolCallID)); a.Choice == agent.No || a.Choice == agent.Stop {
			p.result(c, agent.Failed("Blocked: the user said no"))
			break
		}
		p.result(c, agent.Result{Success: true, Output: diffText, Data: map[string]any{"editLine": 5, "linesAdded": 2, "linesRemoved": 1}})
	case "parallel":
		a, b := p.call("bash", `{"command":"make a"}`), p.call("bash", `{"command":"make b"}`)
		var wait sync.WaitGroup
		got := make([]agent.Answer, 2)
		for i, c := range []agent.ToolCall{a, b} {
			wait.Go(func() { got[i] = p.ask(bashQuestion(c.ToolCallID, "make "+string(rune('a'+i)))) })
		}
		wait.Wait()
		for i, c := range []agent.ToolCall{a, b} {
			p.result(c, agent.Result{Success: got[i].Choice != agent.No, Output: fmt.Sprintf("verdict %d\n", got[i].Choice)})
		}
	case "evil":
		p.event(agent.TextDelta{Text: "see \x1b[2J\x1b]0;owned\x07 and \u202egnp.exe &#27;[31m end"})
		c := p.call("bash", `{"command":"printf '\u001b[2J'"}`)
		p.s.ui.Output(p.ctx, c.ToolCallID, "\x1b]52;c;AAAA\x07 \x1b[999;999H")
		p.ask(bashQuestion(c.ToolCallID, "printf '\x1b[2J\u202e'\r\x1b[1A hidden"))
		p.result(c, agent.Result{Success: true, Output: "\x1b[2J\x1bPq\x1b\\ \x9b31m\r\nnext", Notes: []string{"hidden \u200b characters"}})
	case "stream":
		c := p.call("bash", `{"command":"make all"}`)
		for i := range 200 {
			p.s.ui.Output(p.ctx, c.ToolCallID, fmt.Sprintf("line %d of the build\n", i))
		}
		p.wait()
		p.result(c, agent.Result{Success: true, Output: "exit code: 0", Data: map[string]any{"exitCode": 0}})
	case "wait":
		c := p.call("bash", `{"command":"sleep 1000"}`)
		p.wait()
		p.result(c, agent.Result{Success: true, Output: "exit code: 0", Data: map[string]any{"exitCode": 0}})
	case "busy":
		p.s.ui.Doing(p.ctx, conversation.Thinking)
		p.s.ui.Doing(p.ctx, "asked again in 4 s: it is \x1b[2Jbusy")
		p.wait()
		p.event(agent.TextDelta{Text: "here I am"})
	case "todo":
		p.s.mu.Lock()
		p.s.todo = []agent.Todo{{Text: "read the code", Done: true}, {Text: "fix 世界", Now: true}, {Text: "run the tests"}}
		p.s.mu.Unlock()
	case "broken":
		p.err = errors.New("the provider hung up: try again")
	case "wide":
		p.event(agent.TextDelta{Text: "表示幅のテスト：日本語の文章は全角文字で二桁の幅を取ります。👩‍👩‍👧‍👦❤️ family 🇩🇪 ok\n\n| 列 | value |\n|---|---|\n| 一 | 👍🏽 yes |\n"})
	case "long":
		for i := range 100 {
			p.event(agent.TextDelta{Text: fmt.Sprintf("Paragraph %d of the answer.\n\n", i)})
		}
	}
}

func (p *player) wait() {
	select {
	case <-p.s.gate:
	case <-p.ctx.Done():
	}
}

func (s *scripted) Interject(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running {
		s.urged = append(s.urged, text)
	}
	return s.running
}

func (s *scripted) Status() conversation.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

func (s *scripted) Todo() []agent.Todo {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.todo
}

func (s *scripted) Commands() []conversation.Command {
	return []conversation.Command{
		{Name: "clear", Help: "forget the conversation", Run: func(context.Context, string) (conversation.Reply, error) {
			return conversation.Reply{Replaced: true}, nil
		}},
		{Name: "compact", Args: "[focus]", Help: "sum the conversation up", Run: func(context.Context, string) (conversation.Reply, error) {
			return conversation.Reply{Text: "Folded 12 messages."}, nil
		}},
		{Name: "cost", Help: "what the session cost", Busy: true, Run: func(context.Context, string) (conversation.Reply, error) {
			return conversation.Reply{Text: "12,345 tokens in"}, nil
		}},
		{Name: "undo", Args: "[turns]", Help: "take the last turn back", Run: func(ctx context.Context, _ string) (conversation.Reply, error) {
			ok, err := s.ui.Confirm(ctx, "Files were changed by someone else", "main.go\nRestore it all the same?")
			if err != nil || !ok {
				return conversation.Reply{Text: "Nothing was undone."}, err
			}
			return conversation.Reply{Replaced: true, Draft: "the message that was undone"}, nil
		}},
		{Name: "bad", Help: "go wrong", Run: func(context.Context, string) (conversation.Reply, error) {
			return conversation.Reply{}, errors.New("it went wrong: try another way")
		}},
	}
}

func (s *scripted) Models(context.Context) ([]conversation.Model, error) {
	return []conversation.Model{{ID: "anthropic/claude-sonnet-4", Note: "200,000 tokens"}, {ID: "openai/gpt-4o", Note: "128,000 tokens"}}, nil
}

func (s *scripted) SetModel(_ context.Context, id string) (conversation.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status.Model = id
	return conversation.Reply{Text: "The next turn is for " + id + "."}, nil
}

func (s *scripted) Saved(context.Context) ([]conversation.Saved, error) { return s.saved, nil }

func (s *scripted) Load(_ context.Context, which string) (conversation.Reply, error) {
	if which == "lost" {
		return conversation.Reply{}, errors.New("no such session")
	}
	return conversation.Reply{Replaced: true, Entries: longConversation(4), Text: "Loaded " + which + "."}, nil
}

func (s *scripted) Save(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.saves++
	s.write("saved")
	return s.saveErr
}

func (s *scripted) Paths(_ context.Context, typed string, limit int) (list []string, err error) {
	for _, p := range []string{"main.go", "main_test.go", "internal/", "internal/世界.go"} {
		if strings.Contains(p, typed) && len(list) < limit {
			list = append(list, p)
		}
	}
	return list, nil
}

// conversation is a long one, of n entries.
func longConversation(n int) (list []conversation.Entry) {
	for i := range n {
		switch i % 4 {
		case 0:
			list = append(list, conversation.Entry{User: fmt.Sprintf("message %d: please look at the code", i)})
		case 1:
			list = append(list, conversation.Entry{Agent: fmt.Sprintf("Answer %d with **bold**, `code` and a list:\n\n- one\n- two\n\n```go\nfunc f%d() {}\n```", i, i)})
		default:
			in, _ := json.Marshal(map[string]string{"command": fmt.Sprintf("echo %d", i)})
			list = append(list, conversation.Entry{
				Call:   &agent.ToolCall{ToolName: "bash", ToolCallID: fmt.Sprint(i), Input: in},
				Result: &agent.Result{Success: true, Output: strings.Repeat(fmt.Sprintf("output %d\n", i), 20), Data: map[string]any{"exitCode": 0}},
			})
		}
	}
	return list
}
