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

// The types in this file are the grammar. A yaml tag names the key, and a doc tag is its
// description in the schema. A field named Pos gets the position and is not a key.

// document is a policy file, or a pack.
type document struct {
	Version          int                         `yaml:"version" doc:"version of the file format: 1" enum:"1" required:"true"`
	Name             text                        `yaml:"name" doc:"packs only: name of the pack"`
	Title            text                        `yaml:"title" doc:"packs only: subject of the pack"`
	Certain          *bool                       `yaml:"certain" doc:"for every rule in this file: do not match, instead of asking, if a resource is not fully known"`
	DefaultAction    *umpire.Effect              `yaml:"defaultAction" doc:"effect if no rule matches, or if umpire fails to decide" enum:"deny,ask,allow"`
	AutoApprove      *bool                       `yaml:"autoApprove" doc:"tell the client when rules allow a call, so that it does not ask (default false)"`
	Packs            []text                      `yaml:"packs" doc:"built-in packs in use (default: all)"`
	Disable          []text                      `yaml:"disable" doc:"IDs of rules to disable"`
	Observe          []text                      `yaml:"observe" doc:"IDs of rules that only record decisions and do not enforce them"`
	AllowedEndpoints []text                      `yaml:"allowedEndpoints" doc:"hosts that are allowed before any rule applies, except managed denies"`
	Rules            []ruleNode                  `yaml:"rules" doc:"rules, in any order"`
	Programs         []programNode               `yaml:"programs" doc:"descriptions of your own programs, so that rules can match what they do"`
	Modes            map[umpire.Kind]policy.Mode `yaml:"modes" doc:"for each kind, how to decide operations that no rule settles"`
	Judge            *Judge                      `yaml:"judge" doc:"the model that decides calls that no rule settles"`
	Audit            *Audit                      `yaml:"audit" doc:"the audit log"`
	Mode             *RunMode                    `yaml:"mode" doc:"enforce decisions (default), or observe: record decisions and stop nothing"`
	Approval         *Approval                   `yaml:"approval" doc:"how a person answers a question"`
	Guard            *Guard                      `yaml:"guard" doc:"how umpire guards prompts and tool output"`
	Box              *Box                        `yaml:"box" doc:"limits of the sandbox of umpire run; the lowest of all files applies"`
}

type ruleNode struct {
	ID      text          `yaml:"id" doc:"stable name in kebab-case (default: derived from effect and pattern)"`
	Title   text          `yaml:"title" doc:"subject of the rule"`
	Deny    texts         `yaml:"deny" doc:"deny an operation that matches any of these patterns"`
	Ask     texts         `yaml:"ask" doc:"ask a person about an operation that matches any of these patterns"`
	Allow   texts         `yaml:"allow" doc:"allow an operation that matches any of these patterns"`
	Unless  texts         `yaml:"unless" doc:"exceptions: the rule does not apply to an operation that matches any of these patterns"`
	When    whenNode      `yaml:"when" doc:"conditions that must all hold"`
	Reason  text          `yaml:"reason" doc:"why the rule exists, in one line for people and agents"`
	Suggest text          `yaml:"suggest" doc:"instruction for the agent: what to do instead"`
	Certain *bool         `yaml:"certain" doc:"do not match, instead of asking, if a resource is not fully known"`
	Locked  bool          `yaml:"locked" doc:"project files cannot disable the rule"`
	Observe bool          `yaml:"observe" doc:"record the decision of the rule without enforcing it"`
	Hits    []exampleNode `yaml:"hits" doc:"examples that the rule must match"`
	Misses  []exampleNode `yaml:"misses" doc:"examples that the rule must not match"`
	Pos     policy.Pos
}

type whenNode struct {
	Platform texts `yaml:"platform" doc:"globs of coding agents: claude, codex, ..."`
	Tool     texts `yaml:"tool" doc:"globs of tool names"`
	Agent    texts `yaml:"agent" doc:"globs of sub-agent IDs or roles"`
	Trait    texts `yaml:"trait" doc:"traits that the operation must have or, with !, must not have"`
	Tainted  *bool `yaml:"tainted" doc:"true: the session is tainted, or data or code of the operation came from another party; false: neither"`
}

type exampleNode struct {
	Command text     `yaml:"command" doc:"shell command"`
	Tool    text     `yaml:"tool" doc:"name of the tool"`
	Input   jsonText `yaml:"input" doc:"input of the tool"`
	Dir     text     `yaml:"dir" doc:"working directory (default /home/dev/proj)"`
	Tainted bool     `yaml:"tainted" doc:"the session is tainted"`
	Pos     policy.Pos
}

// RunMode is whether decisions are enforced.
type RunMode string

// The modes of a policy.
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

// Approval configures calls that ask.
type Approval struct {
	CannotAsk policy.CannotAsk `yaml:"cannotAsk" doc:"if the client cannot ask: deny the call and say how to approve it, or wait for an answer"`
	Wait      time.Duration    `yaml:"wait" doc:"how long to wait for a person (default 45s, at most 50s)"`
	Desktop   bool             `yaml:"desktop" doc:"also ask in a desktop window (default false)"`
	Gateway   *Gateway         `yaml:"gateway" doc:"also ask at a gateway; only user and managed files can set this"`
}

// Gateway configures the gateway at which people answer for a machine.
type Gateway struct {
	URL       string `yaml:"url" doc:"URL of the gateway: https://, or http:// on a loopback address"`
	TokenFile string `yaml:"tokenFile" doc:"file with an agent token, as an absolute path or below ~ (default: gateway.token beside the user policy)"`
	Always    bool   `yaml:"always" doc:"ask at the gateway first, even if the client can ask (default false)"`
}

// check returns the fault of the address: a token must not be sent in plain text.
func (g *Gateway) check() error {
	u, err := url.Parse(g.URL)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("approval.gateway.url %q is not the URL of a gateway", g.URL)
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

// Guard configures the guard of prompts and tool output.
type Guard struct {
	ToolOutput policy.ToolOutput `yaml:"toolOutput" doc:"handling of instructions in tool output: replace (default), warn or pass; replace and warn also taint the session"`
	Prompts    bool              `yaml:"prompts" doc:"block user prompts that try to change or escape the instructions of the model (default false)"`
}

// Judge configures the model that decides calls that no rule settles. Absent values have the
// defaults of internal/judge.
type Judge struct {
	Enabled       bool          `yaml:"enabled" doc:"turn the judge on"`
	Scope         policy.Scope  `yaml:"scope" doc:"calls that it decides: risky (default) for calls that do more than read and change the workspace, all for every call that no rule settles"`
	Timeout       time.Duration `yaml:"timeout" doc:"time limit, such as 5s (at most 50s)"`
	Providers     []string      `yaml:"providers" doc:"providers; the first that is available answers: anthropic, github-models, openai, openrouter, ollama"`
	MayAllow      []JudgeScope  `yaml:"mayAllow" doc:"questions of rules that it may answer with allow (default: none)"`
	MinConfidence int           `yaml:"minConfidence" doc:"confidence in percent below which umpire asks a person (default 70)"`
	Cache         time.Duration `yaml:"cache" doc:"lifetime of cached answers (default 168h)"`
	CallsPerDay   int           `yaml:"callsPerDay" doc:"maximum calls a day (default 500)"`
	CentsPerDay   int           `yaml:"centsPerDay" doc:"maximum cost a day, in US cents (default 100)"`

	Anthropic    *Provider `yaml:"anthropic" doc:"connection to Anthropic"`
	GitHubModels *Provider `yaml:"github-models" doc:"connection to GitHub Models"`
	OpenAI       *Provider `yaml:"openai" doc:"connection to OpenAI or a compatible API"`
	OpenRouter   *Provider `yaml:"openrouter" doc:"connection to OpenRouter"`
	Ollama       *Provider `yaml:"ollama" doc:"connection to Ollama"`
}

// Provider configures one provider of models.
type Provider struct {
	Model         string   `yaml:"model" doc:"name of the model"`
	BaseURL       string   `yaml:"baseURL" doc:"base URL of the API"`
	APIKeyCommand []string `yaml:"apiKeyCommand" doc:"command and arguments that print the API key"`
}

// JudgeScope selects questions that the judge may answer with allow.
type JudgeScope string

// Ambiguous are questions asked only because part of a call is unknown.
const Ambiguous JudgeScope = "ambiguous"

// UnmarshalText implements encoding.TextUnmarshaler.
func (l *JudgeScope) UnmarshalText(b []byte) error {
	if *l = JudgeScope(b); *l != Ambiguous {
		return fmt.Errorf("unknown word %q: use ambiguous", b)
	}
	return nil
}

// Audit configures the audit log.
type Audit struct {
	MaxSize int `yaml:"maxSize" doc:"size in MiB at which a new file begins (default 64)"`
	Keep    int `yaml:"keep" doc:"number of old files to keep (default: all)"`
}

// Box limits the resources of a sandbox. Zero means no limit.
type Box struct {
	Memory    int           `yaml:"memory" doc:"memory of all programs together, in MiB, at least 64"`
	Disk      int           `yaml:"disk" doc:"changed data in the project, in MiB"`
	Processes int           `yaml:"processes" doc:"number of processes and threads (default 4096)"`
	CPUTime   time.Duration `yaml:"cpuTime" doc:"CPU time of all programs together, such as 1h"`
	WallTime  time.Duration `yaml:"wallTime" doc:"wall time, such as 8h"`
}

// tighten applies the stricter limits of o.
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

// text is a string with its position.
type text struct {
	s   string
	pos policy.Pos
}

// texts is one text or a list of them.
type texts []text

// jsonText is any YAML mapping, converted to JSON.
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

func modeKinds() (names []string) {
	for k := umpire.Exec; k <= umpire.Filesystem; k++ {
		names = append(names, k.String())
	}
	return names
}

// schema is the part of JSON Schema that the grammar needs, with keys in a fixed order.
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
		panic(err) // cannot fail for the types above
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
	case reflect.TypeFor[JudgeScope]():
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
