package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/umpire-dev/umpire/internal/quarantine"
	"github.com/umpire-dev/umpire/internal/quarantine/reading"
)

// Limits of a hook's call.
const (
	maxPayload = 1 << 20
	hookTime   = 20 * time.Second
)

// answerHook answers a client's hook before a tool call: 0 allows it, 2 denies it with the reason
// on standard error. The main process knows the agent and its rights; answerHook asks it over a
// socket. Any error denies.
func answerHook(ctx context.Context, client, socket string, in io.Reader, out, stderr io.Writer) int {
	deny := func(reason string) int {
		fmt.Fprintf(stderr, "umpire: %s\n", reason)
		return 2
	}
	ctx, cancel := context.WithTimeout(ctx, hookTime)
	defer cancel()
	b, err := io.ReadAll(io.LimitReader(in, maxPayload+1))
	if err != nil || len(b) > maxPayload {
		return deny("cannot read the call")
	}
	q, err := readHook(client, b)
	if err != nil {
		return deny(err.Error())
	}
	c, err := dial(ctx, socket)
	if err != nil {
		return deny("the review does not answer: it has ended")
	}
	defer func() { _ = c.Close() }()
	said, err := ask(ctx, c, q)
	switch {
	case err != nil:
		return deny("the review does not answer")
	case !said.OK:
		return deny(said.Text)
	case said.Args != nil:
		if err := json.NewEncoder(out).Encode(hookAllow(client, said.Args)); err != nil {
			return deny("cannot write the answer")
		}
	}
	return 0
}

// hookAllow is an answer that allows a call with other arguments.
func hookAllow(client string, args any) any {
	if client == "opencode" {
		return obj{"args": args}
	}
	return obj{"hookSpecificOutput": obj{"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": args}}
}

// readHook reads one call of a client: as tool_name and tool_input, or tool and args.
func readHook(client string, b []byte) (q relayCall, err error) {
	v, err := quarantine.DecodeStrict(b)
	if err != nil {
		return q, fmt.Errorf("the call is %w", err)
	}
	object, ok := v.(map[string]any)
	if !ok {
		return q, fmt.Errorf("the call must be an object")
	}
	name, input := object["tool_name"], object["tool_input"]
	if _, old := object["tool_name"]; !old {
		name, input = object["tool"], object["args"]
	} else if _, both := object["tool"]; both {
		return q, fmt.Errorf("the call names two tools")
	}
	if q.Tool, ok = name.(string); !ok || q.Tool == "" {
		return q, fmt.Errorf("the call names no tool")
	}
	args, ok := input.(map[string]any)
	if !ok {
		return q, fmt.Errorf("the call has no arguments")
	}
	dir, _ := object["cwd"].(string)
	if q.Client = client; client == "opencode" {
		switch q.Tool { // the client's names for the three tools
		case "read":
			q.Tool = quarantine.Read
		case "grep":
			q.Tool = quarantine.Grep
		case "glob":
			q.Tool = quarantine.Glob
		}
	}
	q.Hook = true
	q.Args, err = json.Marshal(restored(args, dir))
	return q, err
}

// restored undoes a client's changes to references: typed://X in place of a file arrives as
// <cwd>/typed:/X.
func restored(args map[string]any, dir string) map[string]any {
	out := maps.Clone(args)
	for _, name := range []string{"file_path", "filePath", "path"} {
		s, ok := out[name].(string)
		if !ok {
			continue
		}
		if dir != "" && dir != "/" {
			s = strings.TrimPrefix(s, strings.TrimSuffix(dir, "/")+"/")
		}
		if rest, ok := strings.CutPrefix(s, "typed:/"); ok && !strings.HasPrefix(rest, "/") {
			s = "typed://" + rest
		}
		out[name] = s
	}
	return out
}

// hook decides on a call of the foreign client. Umpire's server decides on its own three tools. For
// the client's tools, a reference becomes the real path.
func (r *relay) hook(q relayCall) relayReply {
	if harmless[q.Tool] || served(q.Tool) {
		return relayReply{OK: true}
	}
	said, items := r.d.decide(r.a, q.Tool, q.Args, q.Client)
	if !said.Allowed {
		return relayReply{Text: said.Reason}
	}
	if len(items) != 1 {
		return relayReply{Text: "malformed_reference: pass one reference"}
	}
	at, err := r.writeMaterial(items[0])
	if err != nil {
		return relayReply{Text: "cannot read this file"}
	}
	args := maps.Clone(said.Args)
	for _, name := range []string{"file_path", "filePath", "path"} {
		if _, ok := args[name]; ok {
			args[name] = at
		}
	}
	if f := r.a.file(items[0].Path); q.Tool == quarantine.Read && f != nil && !f.Large() {
		first, most := int64(1), int64(2000)
		if n, _ := args["offset"].(int64); n > 0 {
			first = n
		}
		if n, _ := args["limit"].(int64); n > 0 {
			most = n
		}
		r.d.show(r.a, []reading.Shown{{Path: f.Path, First: first, Last: min(first+most-1, int64(f.Lines))}})
	}
	return relayReply{OK: true, Args: args}
}

// writeMaterial writes a file for a client that reads by itself. It is named by its digest: no name in the
// material becomes a name on disk.
func (r *relay) writeMaterial(item reading.Item) (string, error) {
	at := filepath.Join(filepath.Dir(r.path), item.Digest)
	if _, err := os.Stat(at); err == nil {
		return at, nil
	}
	from, err := r.d.snap.Open(item.Digest)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o400)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, from)
	return at, errors.Join(err, f.Close())
}
