package policyfile

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// The types of this file are the grammar. A yaml tag names the key, a doc tag says in
// the schema what it means. A field called Pos gets the place and is no key.

// document is a policy file, or a pack.
type document struct {
	Version          int                         `yaml:"version" doc:"version of the grammar: 1" enum:"1" required:"true"`
	Name             text                        `yaml:"name" doc:"packs only: the pack's name"`
	Title            text                        `yaml:"title" doc:"packs only: what the pack is about"`
	Certain          *bool                       `yaml:"certain" doc:"for every rule of this file: keep silent, rather than ask, where a resource is not fully known"`
	DefaultAction    *umpire.Effect              `yaml:"defaultAction" doc:"when no rule decided, or umpire could not decide" enum:"deny,ask,allow"`
	AutoApprove      *bool                       `yaml:"autoApprove" doc:"say it aloud when rules allow a call, so that the client does not ask; false if absent"`
	Packs            []text                      `yaml:"packs" doc:"built-in packs in use; all of them if the key is absent"`
	Disable          []text                      `yaml:"disable" doc:"IDs of rules to switch off"`
	Observe          []text                      `yaml:"observe" doc:"IDs of rules that only record what they would do"`
	AllowedEndpoints []text                      `yaml:"allowedEndpoints" doc:"hosts that may be reached before any rule but a managed deny is asked"`
	Rules            []ruleNode                  `yaml:"rules" doc:"rules; their order never matters"`
	Programs         []programNode               `yaml:"programs" doc:"programs of your own, so that rules can speak about what they do"`
	Modes            map[umpire.Kind]policy.Mode `yaml:"modes" doc:"per kind, what happens to what no rule settled"`
	Judge            *Judge                      `yaml:"judge" doc:"the model that is asked where rules leave it open"`
	Audit            *Audit                      `yaml:"audit" doc:"the record of what was decided"`
	Mode             *RunMode                    `yaml:"mode" doc:"enforce, or observe: decide and record, and stop nothing"`
	Approval         *Approval                   `yaml:"approval" doc:"what becomes of a question"`
	Guard            *Guard                      `yaml:"guard" doc:"what becomes of texts that a client shows to umpire"`
	Box              *Box                        `yaml:"box" doc:"what a box of umpire run may use; of several files the least counts"`
}

type ruleNode struct {
	ID      text          `yaml:"id" doc:"stable name in kebab-case; derived from effect and pattern if absent"`
	Title   text          `yaml:"title" doc:"what the rule is about"`
	Deny    texts         `yaml:"deny" doc:"stop an operation that any of these patterns match"`
	Ask     texts         `yaml:"ask" doc:"let a human answer"`
	Allow   texts         `yaml:"allow" doc:"let it run"`
	Unless  texts         `yaml:"unless" doc:"but not one that any of these match"`
	When    whenNode      `yaml:"when" doc:"only if all of this holds"`
	Reason  text          `yaml:"reason" doc:"why, one line for people and agents"`
	Suggest text          `yaml:"suggest" doc:"what to do instead"`
	Certain *bool         `yaml:"certain" doc:"keep silent, rather than ask, where a resource is not fully known"`
	Locked  bool          `yaml:"locked" doc:"project files cannot switch it off"`
	Observe bool          `yaml:"observe" doc:"say what it would do, without effect"`
	Hits    []exampleNode `yaml:"hits" doc:"examples on which the rule must speak"`
	Misses  []exampleNode `yaml:"misses" doc:"examples on which it must not"`
	Pos     policy.Pos
}

type whenNode struct {
	Platform texts `yaml:"platform" doc:"coding agents: claude, codex, ...; globs"`
	Tool     texts `yaml:"tool" doc:"tools by name; globs"`
	Agent    texts `yaml:"agent" doc:"sub-agents by ID or role; globs"`
	Trait    texts `yaml:"trait" doc:"traits the operation must have, or with ! must not have"`
	Tainted  *bool `yaml:"tainted" doc:"the session met content that tries to steer the agent, or the operation's data or code came from another party; or neither"`
}

// exampleNode is a shell command, or the input of a tool.
type exampleNode struct {
	Command text     `yaml:"command" doc:"shell command"`
	Tool    text     `yaml:"tool" doc:"name of the tool"`
	Input   jsonText `yaml:"input" doc:"input of the tool"`
	Dir     text     `yaml:"dir" doc:"working directory, /home/dev/proj if absent"`
	Tainted bool     `yaml:"tainted" doc:"in a tainted session"`
	Pos     policy.Pos
}

// RunMode says whether decisions are enforced.
type RunMode string

// The modes of a policy as a whole.
const (
	Enforce RunMode = "enforce"
	Observe RunMode = "observe"
)

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *RunMode) UnmarshalText(b []byte) error {
	if *m = RunMode(b); *m != Enforce && *m != Observe {
		return fmt.Errorf("unknown mode %q: use enforce or observe", b)
	}
	return nil
}

// Approval says what becomes of an ask.
type Approval struct {
	CannotAsk policy.CannotAsk `yaml:"cannotAsk" doc:"where the client cannot ask: deny, saying how a person can approve it, or wait for an answer"`
	Wait      time.Duration    `yaml:"wait" doc:"how long to wait for a person; 45s if absent, and at most 50s"`
	Desktop   bool             `yaml:"desktop" doc:"meanwhile ask in a window on the desktop; false if absent"`
	Gateway   *Gateway         `yaml:"gateway" doc:"meanwhile ask the people at a gateway; only the user's and the machine's files can say so"`
}

// Gateway says where people answer for a machine.
type Gateway struct {
	URL       string `yaml:"url" doc:"the gateway: https://, or http:// on a loopback address"`
	TokenFile string `yaml:"tokenFile" doc:"file with an agent's token, absolute or from ~; gateway.token beside the user's policy if absent"`
	Always    bool   `yaml:"always" doc:"ask there first, also where the client could ask; false if absent"`
}

// check reports what is wrong with the address: a token must not pass in the clear.
func (g *Gateway) check() error {
	u, err := url.Parse(g.URL)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("approval.gateway.url %q is no address of a gateway", g.URL)
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme != "https" && (u.Scheme != "http" || u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback())) {
		return fmt.Errorf("approval.gateway.url %q must be https://, or http:// on a loopback address", g.URL)
	}
	if f := g.TokenFile; f != "" && !filepath.IsAbs(f) && !strings.HasPrefix(f, "~/") {
		return fmt.Errorf("approval.gateway.tokenFile %q must be absolute, or begin with ~/", f)
	}
	return nil
}

// Guard says what becomes of texts that a client shows to umpire.
type Guard struct {
	ToolOutput policy.ToolOutput `yaml:"toolOutput" doc:"instructions in what tools answer: replace them (if absent), warn of them, or pass; the first two also taint the session"`
	Prompts    bool              `yaml:"prompts" doc:"judge what users send, and stop what tries to change or escape the model's instructions; false if absent"`
}

// Judge configures the model that is asked where rules leave it open. Absent values are
// those of internal/judge.
type Judge struct {
	Enabled       bool          `yaml:"enabled" doc:"ask a model at all"`
	Scope         policy.Scope  `yaml:"scope" doc:"what it is asked about: risky (if absent) is what reaches beyond reading and the workspace, all is everything that no rule settled"`
	Timeout       time.Duration `yaml:"timeout" doc:"how long to wait for it, such as 5s"`
	Providers     []string      `yaml:"providers" doc:"who is asked, the first that is available: anthropic, github-models, openai, openrouter, ollama"`
	MayAllow      []Leave       `yaml:"mayAllow" doc:"which questions of rules it may answer with allow; none if absent"`
	MinConfidence int           `yaml:"minConfidence" doc:"percent below which its answer is a question to a person; 70 if absent"`
	Cache         time.Duration `yaml:"cache" doc:"how long its answers are kept; 168h if absent"`
	CallsPerDay   int           `yaml:"callsPerDay" doc:"how often it is asked at most; 500 if absent"`
	CentsPerDay   int           `yaml:"centsPerDay" doc:"what it may cost a day, in US cents; 100 if absent"`

	Anthropic    *Provider `yaml:"anthropic" doc:"how Anthropic is reached"`
	GitHubModels *Provider `yaml:"github-models" doc:"how GitHub Models is reached"`
	OpenAI       *Provider `yaml:"openai" doc:"how OpenAI, or what speaks like it, is reached"`
	OpenRouter   *Provider `yaml:"openrouter" doc:"how OpenRouter is reached"`
	Ollama       *Provider `yaml:"ollama" doc:"how Ollama is reached"`
}

// Provider configures one provider of models.
type Provider struct {
	Model         string   `yaml:"model" doc:"name of the model"`
	BaseURL       string   `yaml:"baseURL" doc:"where its API is"`
	APIKeyCommand []string `yaml:"apiKeyCommand" doc:"a program and its arguments that print the key"`
}

// Leave names questions that the judge may answer with allow.
type Leave string

// Ambiguous are questions asked only because part of a call is not known.
const Ambiguous Leave = "ambiguous"

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *Leave) UnmarshalText(b []byte) error {
	if *l = Leave(b); *l != Ambiguous {
		return fmt.Errorf("unknown word %q: use ambiguous", b)
	}
	return nil
}

// Audit configures the record of what was decided.
type Audit struct {
	MaxSize int `yaml:"maxSize" doc:"MiB after which a new file is begun; 64 if absent"`
	Keep    int `yaml:"keep" doc:"how many finished files are kept; all if absent"`
}

// Box bounds what a box may use. A zero is no limit.
type Box struct {
	Memory    int           `yaml:"memory" doc:"MiB of memory, of all its programs together; 64 or more"`
	Disk      int           `yaml:"disk" doc:"MiB of what changed in the project"`
	Processes int           `yaml:"processes" doc:"how many processes and threads; 4096 if absent"`
	CPUTime   time.Duration `yaml:"cpuTime" doc:"processor time, of all its programs together, such as 1h"`
	WallTime  time.Duration `yaml:"wallTime" doc:"time from its start"`
}

// tighten takes what o says more strictly.
func (b *Box) tighten(o *Box) {
	least := func(a *int, c int) {
		if c > 0 && (*a == 0 || c < *a) {
			*a = c
		}
	}
	least(&b.Memory, o.Memory)
	least(&b.Disk, o.Disk)
	least(&b.Processes, o.Processes)
	for _, d := range [][2]*time.Duration{{&b.CPUTime, &o.CPUTime}, {&b.WallTime, &o.WallTime}} {
		if *d[1] > 0 && (*d[0] == 0 || *d[1] < *d[0]) {
			*d[0] = *d[1]
		}
	}
}

// text is a string with its place.
type text struct {
	s   string
	pos policy.Pos
}

// texts is one text or a list of them.
type texts []text

// jsonText is any YAML mapping, as JSON.
type jsonText struct {
	s   string
	pos policy.Pos
}

var (
	textType     = reflect.TypeFor[text]()
	textsType    = reflect.TypeFor[texts]()
	jsonTextType = reflect.TypeFor[jsonText]()
	durationType = reflect.TypeFor[time.Duration]()
	effectType   = reflect.TypeFor[umpire.Effect]()
	modeType     = reflect.TypeFor[policy.Mode]()
	kindType     = reflect.TypeFor[umpire.Kind]()
	exampleType  = reflect.TypeFor[exampleNode]()
	posType      = reflect.TypeFor[policy.Pos]()
)

// field is one key of a mapping.
type field struct {
	key, doc, enum string
	required       bool
	index          int
	typ            reflect.Type
}

func fields(t reflect.Type) (out []field) {
	for i := range t.NumField() {
		f := t.Field(i)
		if key := f.Tag.Get("yaml"); key != "" {
			out = append(out, field{key, f.Tag.Get("doc"), f.Tag.Get("enum"), f.Tag.Get("required") != "", i, f.Type})
		}
	}
	return out
}

// modeKinds are the kinds that have a mode.
func modeKinds() (names []string) {
	for k := umpire.Exec; k <= umpire.Filesystem; k++ {
		names = append(names, k.String())
	}
	return names
}

// schema is the part of JSON Schema that the grammar needs, keys in a fixed order.
type schema struct {
	Schema      string            `json:"$schema,omitempty"`
	ID          string            `json:"$id,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Type        string            `json:"type,omitempty"`
	Pattern     string            `json:"pattern,omitempty"`
	Enum        []any             `json:"enum,omitempty"`
	Items       *schema           `json:"items,omitempty"`
	AnyOf       []schema          `json:"anyOf,omitempty"`
	OneOf       []schema          `json:"oneOf,omitempty"`
	Properties  map[string]schema `json:"properties,omitempty"`
	Names       *schema           `json:"propertyNames,omitempty"`
	Additional  any               `json:"additionalProperties,omitempty"`
	Required    []string          `json:"required,omitempty"`
}

// Schema returns the JSON Schema of policy files.
func Schema() []byte {
	s := schemaOf(reflect.TypeFor[document]())
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "umpire policy"
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // the types above are all there is to it
	}
	return append(out, '\n')
}

func schemaOf(t reflect.Type) schema {
	switch t {
	case textType:
		return schema{Type: "string"}
	case textsType:
		return schema{AnyOf: []schema{{Type: "string"}, {Type: "array", Items: &schema{Type: "string"}}}}
	case jsonTextType:
		return schema{Type: "object"}
	case durationType:
		return schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`}
	case effectType:
		return schema{Type: "string", Enum: []any{"deny", "ask", "allow"}}
	case modeType:
		return schema{Type: "string", Enum: []any{"approve-each", "approve-bulk", "allow-all", "deny-all"}}
	case reflect.TypeFor[RunMode]():
		return schema{Type: "string", Enum: []any{string(Enforce), string(Observe)}}
	case reflect.TypeFor[Leave]():
		return schema{Type: "string", Enum: []any{string(Ambiguous)}}
	case reflect.TypeFor[policy.Scope]():
		return schema{Type: "string", Enum: []any{"none", "risky", "all"}}
	case reflect.TypeFor[policy.ToolOutput]():
		return schema{Type: "string", Enum: []any{"replace", "warn", "pass"}}
	case reflect.TypeFor[policy.CannotAsk]():
		return schema{Type: "string", Enum: []any{"deny", "wait"}}
	case exampleType:
		o := structSchema(t)
		return schema{AnyOf: []schema{{Type: "string"}, o}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Bool:
		return schema{Type: "boolean"}
	case reflect.Int:
		return schema{Type: "integer"}
	case reflect.String:
		return schema{Type: "string"}
	case reflect.Slice:
		item := schemaOf(t.Elem())
		return schema{Type: "array", Items: &item}
	case reflect.Map:
		var names []any
		for _, n := range modeKinds() {
			names = append(names, n)
		}
		return schema{Type: "object", Names: &schema{Enum: names}, Additional: schemaOf(t.Elem())}
	}
	return structSchema(t)
}

func structSchema(t reflect.Type) schema {
	s := schema{Type: "object", Properties: map[string]schema{}, Additional: false}
	for _, f := range fields(t) {
		p := schemaOf(f.typ)
		p.Description = f.doc
		if f.enum != "" && f.typ.Kind() == reflect.Int {
			p.Enum = nil
			for v := range strings.SplitSeq(f.enum, ",") {
				p.Enum = append(p.Enum, json.Number(v))
			}
		}
		s.Properties[f.key] = p
		if f.required {
			s.Required = append(s.Required, f.key)
		}
	}
	if t == reflect.TypeFor[ruleNode]() {
		for _, e := range []string{"deny", "ask", "allow"} {
			s.OneOf = append(s.OneOf, schema{Required: []string{e}})
		}
	}
	return s
}
