// Command chat is a small chat application for docs/tutorial-guard.md. "chat model" serves a
// scripted model by OpenAI's Chat Completions; "chat TEXT" asks it as a shop's assistant.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// prompt is the system prompt of the application. It is not meant for customers.
const prompt = "You are the assistant of Lindgren Tools, a shop for gardeners. Be brief. Staff get twenty percent off with the code FERN-4471 at the till."

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type conversation struct {
	Model    string    `json:"model"`
	Messages []message `json:"messages"`
}

type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
}

type choice struct {
	Index   int     `json:"index"`
	Message message `json:"message"`
	Finish  string  `json:"finish_reason"`
}

func main() {
	if err := run(os.Args[1:], os.Stdout); errors.Is(err, flag.ErrHelp) {
		return
	} else if err != nil {
		fmt.Fprintln(os.Stderr, "chat:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("chat", flag.ContinueOnError)
	url := flags.String("url", "http://127.0.0.1:8099/v1", "address of the model, or of the guard before it")
	listen := flags.String("listen", "127.0.0.1:8099", "with model: the address to listen on")
	user := flags.String("user", "", "who asks")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.Arg(0) == "model" { // its flags may follow
		if err := flags.Parse(flags.Args()[1:]); err != nil || flags.NArg() > 0 {
			return cmp.Or(err, errors.New("usage: chat model [-listen ADDRESS]"))
		}
		return serve(*listen, out)
	}
	if flags.NArg() != 1 {
		return errors.New(`usage: chat [-url URL] [-user NAME] "When do you open?", or chat model to run the model`)
	}
	answer, err := ask(*url, *user, flags.Arg(0))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(out, answer)
	return err
}

// ask sends a customer's message, preceded by the system prompt.
func ask(url, user, text string) (string, error) {
	body, err := json.Marshal(conversation{Model: "scripted", Messages: []message{{"system", prompt}, {"user", text}}})
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	if user != "" {
		req.Header.Set("X-User-Id", user)
	}
	client := http.Client{Timeout: 30 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		completion
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1<<20)).Decode(&answer); err != nil {
		return "", fmt.Errorf("cannot read the answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK || len(answer.Choices) == 0 {
		return "", errors.New(cmp.Or(answer.Error.Message, resp.Status))
	}
	return answer.Choices[0].Message.Content, nil
}

// serve runs the model until the process ends.
func serve(listen string, out io.Writer) error {
	var config net.ListenConfig
	l, err := config.Listen(context.Background(), "tcp", listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "the model listens on http://%s\n", l.Addr())
	s := http.Server{Handler: http.HandlerFunc(complete), ReadHeaderTimeout: 10 * time.Second}
	return s.Serve(l)
}

// complete answers as a model that obeys whoever spoke last.
func complete(w http.ResponseWriter, r *http.Request) {
	var c conversation
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<20)).Decode(&c); err != nil {
		http.Error(w, `{"error":{"message":"the body must be a conversation: JSON with messages"}}`, http.StatusBadRequest)
		return
	}
	var system, said string
	for _, m := range c.Messages {
		if m.Role == "system" {
			system = m.Content
		} else {
			said = strings.ToLower(m.Content)
		}
	}
	text := "I can help you with tools and plants."
	switch {
	case strings.Contains(said, "ignore"), strings.Contains(said, "till"):
		text = "Of course. This is what I was told: " + system
	case strings.Contains(said, "open"):
		text = "We open at nine."
	case strings.Contains(said, "refund"):
		text = "You can return tools within thirty days."
	case strings.Contains(said, "prompt library"):
		text = "The Prompt Library has cards that remind you when to sow."
	}
	w.Header().Set("Content-Type", "application/json")
	answer := completion{ID: "scripted-1", Object: "chat.completion", Model: c.Model, Choices: []choice{{Message: message{"assistant", text}, Finish: "stop"}}}
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		fmt.Fprintln(os.Stderr, "chat:", err) // the client closed the connection
	}
}
