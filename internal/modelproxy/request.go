package modelproxy

import (
	"strings"
)

// part is a text in a document. In requests it is decoded on demand only: most texts of a
// conversation are known by their bytes.
type part struct {
	node
	text string
	tool string // of a tool's result: the tool's name, as far as it is known
	side bool   // a title or similar text, which gets no marks
	code code   // of a file, whose bytes the string holds
}

// decode decodes the text, and reports whether it is empty.
func (p *part) decode(r *reader) (blank bool) {
	p.text = r.str(p.node)
	if p.code != 0 {
		p.text, _ = embedded(p.text)
	}
	return strings.TrimSpace(p.text) == ""
}

// conversation is the part of a request that is judged.
type conversation struct {
	users  []part // what users wrote, oldest first
	newest int    // the first user message after the model's last turn
	tools  []part // tool results
	system []string
	prompt part // the last part of the system prompt, if there is one
}

// read finds the texts in the body of a request.
func (f format) read(r *reader, root node) conversation {
	var c conversation
	switch f {
	case chat, completions: // some servers take either from either
		c.chat(r, root)
		f := r.fields(root, "prompt", "suffix", "documents", "input", "prediction")
		c.asked(r, f[0], nesting)
		r.items(f[0], func(_ int, v node) {
			if k := r.kind(v); k != '"' && r.err == nil {
				r.err = errTokens
			}
		})
		c.asked(r, f[1], nesting)
		c.asked(r, f[3], nesting)
		c.quoted(r, f[2], "")
		c.quoted(r, r.field(f[4], "content"), "") // usually a file
	case messages:
		c.messages(r, root)
	case responses:
		c.responses(r, root)
		c.chat(r, root)
	}
	return c
}

// asked reads a user's content: a string, or parts with texts under any name.
// Text that a user quotes counts as a tool result.
func (c *conversation) asked(r *reader, v node, depth int) {
	switch kind := r.kind(v); {
	case kind == '"':
		if file, ok := r.file(v, ""); !ok {
			c.users = append(c.users, part{node: v})
		} else if file.code != 0 {
			c.tools = append(c.tools, file)
		}
	case kind != 0 && depth == 0:
		r.deep(v)
	case kind == '[':
		r.items(v, func(_ int, e node) { c.asked(r, e, depth-1) })
	case kind == '{':
		if kind := r.str(r.field(v, "type")); kind == "document" || kind == "search_result" || kind == "file" || kind == "input_file" {
			c.quoted(r, v, "")
			return
		}
		r.textMembers(v, func(_ string, n node) { c.asked(r, n, depth-1) })
		c.tools = attached(r, v, "", c.tools)
	}
}

// turn reads all that a user's turn has. Its type does not make it a document.
func (c *conversation) turn(r *reader, v node) {
	r.textMembers(v, func(_ string, n node) { c.asked(r, n, nesting) })
}

// textlessMembers are members of a part of a content without words, if they are strings: kinds, names, addresses,
// and files, which attached reads.
var textlessMembers = map[string]bool{"type": true, "id": true, "role": true, "status": true, "detail": true, "format": true, "signature": true,
	"media_type": true, "mime_type": true, "mimetype": true, "file_id": true, "call_id": true, "tool_use_id": true, "tool_call_id": true, "source": true,
	"url": true, "file_url": true, "image_url": true, "file_data": true, "blob": true, "encrypted_content": true, "encrypted_index": true}

// media are members of a part that hold files, or lists and objects of files, as data URLs or in base64.
// Other strings in them are words.
var media = map[string]bool{"image": true, "images": true, "image_url": true, "image_urls": true, "image_embeds": true, "audio": true, "audios": true,
	"audio_url": true, "audio_embeds": true, "input_audio": true, "video": true, "videos": true, "video_url": true, "input_video": true, "document_url": true,
	"prompt_embeds": true, "thought_signature": true, "thoughtsignature": true, "thought_signatures": true}

// textMembers calls f with the members of a part that may have words, also under names that this proxy does not
// know: a server may read them.
func (r *reader) textMembers(v node, f func(name string, n node)) {
	text := r.str(r.field(v, "type")) == "text" // whose data is not encoded
	r.members(v, func(k, n node) {
		name := strings.ToLower(string(r.name(k)))
		if name != "cache_control" && !(r.kind(n) == '"' && (textlessMembers[name] || name == "data" && !text)) {
			before := r.media
			r.media = before || media[name]
			f(name, n)
			r.media = before
		}
	})
}

// quoted takes what a tool or a document says where it stands beside other words, so that it
// gets no marks.
func (c *conversation) quoted(r *reader, v node, tool string) {
	first := len(c.tools)
	c.tools = outputs(r, v, tool, nesting, c.tools)
	for i := range c.tools[first:] {
		c.tools[first+i].side = true
	}
}

// texts appends the texts of a content: a string, or a list of strings and of parts with a
// text. Parts of other kinds, such as images, have none. A part is not asked for its type:
// a server may not ask either.
func texts(r *reader, content node, tool string, to []part) []part {
	add := func(n node) {
		if r.kind(n) == '"' {
			to = append(to, part{node: n, tool: tool})
		}
	}
	switch r.kind(content) {
	case '"':
		add(content)
	case '{':
		add(r.field(content, "text"))
	case '[':
		r.items(content, func(_ int, v node) {
			if r.kind(v) == '"' {
				add(v)
			} else {
				add(r.field(v, "text"))
			}
		})
	}
	return to
}

// mainOutput are the members of a tool's result that get marks. Others, such as titles, are changed only if
// they try to steer the model.
var mainOutput = map[string]bool{"text": true, "stdout": true, "stderr": true, "content": true, "source": true, "data": true, "output": true}

// outputs appends the texts of a tool's result, which may nest: documents and search
// results have their text further down, and shells have two streams.
func outputs(r *reader, v node, tool string, depth int, to []part) []part {
	switch kind := r.kind(v); {
	case kind == '"':
		if file, ok := r.file(v, tool); !ok {
			return texts(r, v, tool, to)
		} else if file.code != 0 {
			return append(to, file)
		}
	case kind != 0 && depth == 0:
		r.deep(v)
	case kind == '[':
		r.items(v, func(_ int, e node) { to = outputs(r, e, tool, depth-1, to) })
	case kind == '{':
		r.textMembers(v, func(name string, n node) {
			first := len(to)
			to = outputs(r, n, tool, depth-1, to)
			for i := range to[first:] {
				to[first+i].side = to[first+i].side || !mainOutput[name]
			}
		})
		to = attached(r, v, tool, to)
	}
	return to
}

// nesting limits how deep user texts and tool results are searched: a document in a result has its
// text on the sixth level. Each level is read again for the one above it.
const nesting = 12

// deep notes a list or an object that is too deep to look into.
func (r *reader) deep(v node) {
	if k := r.kind(v); r.err == nil && (k == '[' || k == '{') {
		r.err = errDeep
	}
}

// turns calls f for each turn of a conversation. Some servers also take a text, or one turn,
// where the API has a list: a text that no object surrounds is what a user says.
func (c *conversation) turns(r *reader, list node, f func(turn node)) {
	one := func(v node) {
		if r.kind(v) == '{' {
			f(v)
		} else {
			c.asked(r, v, nesting)
		}
	}
	if r.kind(list) != '[' {
		one(list)
		return
	}
	r.items(list, func(_ int, v node) { one(v) })
}

// modelTurn notes a turn of the model.
func (c *conversation) modelTurn() { c.newest = len(c.users) }

// role sorts speakers. An unknown one counts as a user.
func role(s string) string {
	switch s = strings.ToLower(s); s {
	case "assistant", "model", "tool", "function":
		return s
	case "system", "developer":
		return "system"
	}
	return "user"
}

// systemText takes a part of what the operator says. The system prompt is what comes first: what
// is said later may be there in one turn and not in the next.
func (c *conversation) systemText(r *reader, content node) {
	first := !c.prompt.node.ok()
	for _, p := range texts(r, content, "", nil) {
		if !p.decode(r) {
			c.system = append(c.system, p.text)
			if first {
				c.prompt = p
			}
		}
	}
}

func (c *conversation) chat(r *reader, root node) {
	names := map[string]string{}
	c.turns(r, r.field(root, "messages"), func(m node) {
		f := r.fields(m, "role", "content", "tool_call_id", "name", "tool_calls")
		switch role(r.str(f[0])) {
		case "system":
			c.systemText(r, f[1])
		case "assistant", "model":
			r.items(f[4], func(_ int, call node) {
				g := r.fields(call, "id", "function")
				names[r.str(g[0])] = r.str(r.field(g[1], "name"))
			})
			c.modelTurn()
		case "tool", "function":
			name := names[r.str(f[2])]
			if name == "" {
				name = r.str(f[3])
			}
			c.tools = outputs(r, f[1], name, nesting, c.tools)
		default:
			c.turn(r, m)
		}
	})
}

func (c *conversation) messages(r *reader, root node) {
	f := r.fields(root, "system", "messages")
	c.systemText(r, f[0])
	names := map[string]string{}
	c.turns(r, f[1], func(m node) {
		f := r.fields(m, "role", "content")
		who := role(r.str(f[0]))
		if who == "assistant" || who == "model" {
			r.items(f[1], func(_ int, b node) {
				g := r.fields(b, "id", "name", "type", "tool_use_id", "content")
				if g[0].ok() && g[1].ok() {
					names[r.str(g[0])] = r.str(g[1])
				}
				if strings.HasSuffix(r.str(g[2]), "_tool_result") { // of a tool that the upstream ran
					c.quoted(r, g[4], names[r.str(g[3])])
				}
			})
			c.modelTurn()
			return
		}
		if who == "system" {
			c.systemText(r, f[1])
			return
		}
		if r.kind(f[1]) != '[' {
			c.asked(r, f[1], nesting)
			return
		}
		r.items(f[1], func(_ int, b node) {
			g := r.fields(b, "type", "tool_use_id", "content")
			if kind := r.str(g[0]); kind == "tool_result" || strings.HasSuffix(kind, "_tool_result") {
				c.tools = outputs(r, g[2], names[r.str(g[1])], nesting, c.tools)
				return
			}
			c.asked(r, b, nesting)
		})
	})
}

func (c *conversation) responses(r *reader, root node) {
	f := r.fields(root, "input", "instructions", "prompt", "items")
	c.systemText(r, f[1])
	r.members(r.field(f[2], "variables"), func(_, v node) { c.asked(r, v, nesting) })
	names := map[string]string{}
	input := f[0]
	if !input.ok() {
		input = f[3] // of a conversation that is kept
	}
	c.turns(r, input, func(item node) {
		g := r.fields(item, "type", "role", "content", "call_id", "name", "output", "results")
		switch kind := r.str(g[0]); {
		case strings.HasSuffix(kind, "_output"):
			c.tools = outputs(r, g[5], names[r.str(g[3])], nesting, c.tools)
		case kind == "" || kind == "message":
			switch role(r.str(g[1])) {
			case "system":
				c.systemText(r, g[2])
			case "assistant", "model":
				c.modelTurn()
			default:
				c.turn(r, item)
			}
		case strings.HasSuffix(kind, "_call"):
			if g[3].ok() && g[4].ok() {
				names[r.str(g[3])] = r.str(g[4])
			}
			c.modelTurn()
			c.quoted(r, g[5], r.str(g[4])) // of a tool that the upstream ran
			c.quoted(r, g[6], kind)
		case modelItems[kind]:
			c.modelTurn()
		default:
			c.asked(r, item, nesting)
		}
	})
}

// modelItems are the items of the Responses API, besides calls, that the model or the API makes.
var modelItems = map[string]bool{"reasoning": true, "item_reference": true, "compaction": true, "mcp_list_tools": true, "mcp_approval_request": true}
