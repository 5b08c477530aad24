package quarantine

import (
	"encoding/json"
	"fmt"
	"strings"
)

// argKind is the type of a tool's argument.
type argKind uint8

const (
	text     argKind = iota
	number           // an integer of at least 0
	boolean          //
	location         // one or several references
)

// schema describes the arguments of a client's tool.
type schema struct {
	args      map[string]argKind
	pattern   bool // requires a pattern
	locations int  // minimum number of locations
}

// maxArgs limits the arguments of a call, in bytes.
const maxArgs = 64 << 10

// schemas are by client; "" is for the tools that umpire serves. A client's search tools search the
// working directory if they get no path, so they require one.
var schemas = map[string]map[string]schema{
	"": {
		Read: {args: map[string]argKind{"ref": location, "file_path": location, "filePath": location, "path": location, "offset": number, "limit": number}, locations: 1},
		Grep: {args: map[string]argKind{"pattern": text, "glob": text, "max": number, "path": location, "ref": location}, pattern: true},
		Glob: {args: map[string]argKind{"pattern": text, "path": location, "ref": location}, pattern: true},
	},
	"claude": {
		Read: {args: map[string]argKind{"file_path": location, "offset": number, "limit": number}, locations: 1},
		Grep: {args: map[string]argKind{"pattern": text, "path": location, "glob": text, "type": text, "output_mode": text, "-A": number, "-B": number, "-C": number, "context": number, "-i": boolean, "-n": boolean, "multiline": boolean, "head_limit": number, "offset": number}, pattern: true, locations: 1},
		Glob: {args: map[string]argKind{"pattern": text, "path": location}, pattern: true, locations: 1},
	},
	"opencode": {
		Read: {args: map[string]argKind{"filePath": location, "offset": number, "limit": number}, locations: 1},
		Grep: {args: map[string]argKind{"pattern": text, "path": location, "include": text}, pattern: true, locations: 1},
		Glob: {args: map[string]argKind{"pattern": text, "path": location}, pattern: true, locations: 1},
	},
}

// readArgs reads the arguments of a call by the schema of its tool, and takes the locations
// out. Every string that is no location must not look like a reference: what is checked in
// one place must not be used from another.
func readArgs(c ToolCall) (args map[string]any, locations []string, err error) {
	sc, ok := schemas[c.Client][c.Tool]
	if !ok {
		return nil, nil, fmt.Errorf("malformed_reference: %q has no such tool", c.Client)
	}
	if len(c.Args) > maxArgs {
		return nil, nil, fmt.Errorf("malformed_reference: the arguments are longer than %d bytes", maxArgs)
	}
	v, err := DecodeStrict(c.Args)
	if err != nil {
		return nil, nil, fmt.Errorf("malformed_reference: the arguments are %w", err)
	}
	args, ok = v.(map[string]any)
	if !ok {
		return nil, nil, fmt.Errorf("malformed_reference: the arguments must be an object")
	}
	spelling := ""
	for name, v := range args {
		kind, ok := sc.args[name]
		if !ok {
			return nil, nil, fmt.Errorf("malformed_reference: %s does not take this argument", c.Tool)
		}
		switch kind {
		case location:
			if spelling != "" {
				return nil, nil, fmt.Errorf("malformed_reference: a location is given twice")
			}
			spelling = name
			switch v := v.(type) {
			case string:
				locations = append(locations, v)
			case []any:
				for _, one := range v {
					s, ok := one.(string)
					if !ok {
						return nil, nil, fmt.Errorf("malformed_reference: a location must be a reference")
					}
					locations = append(locations, s)
				}
			default:
				return nil, nil, fmt.Errorf("malformed_reference: a location must be a reference")
			}
			if len(locations) == 0 {
				return nil, nil, fmt.Errorf("malformed_reference: a location is empty")
			}
		case text:
			s, ok := v.(string)
			if !ok || strings.Contains(strings.ToLower(s), "typed:/") {
				return nil, nil, fmt.Errorf("malformed_reference: %s must be text, not a reference", name)
			}
		case number:
			n, ok := v.(json.Number)
			if !ok {
				return nil, nil, fmt.Errorf("malformed_reference: %s must be a whole number", name)
			}
			i, err := n.Int64()
			if err != nil || i < 0 || i > 1<<40 {
				return nil, nil, fmt.Errorf("malformed_reference: %s must be a whole number", name)
			}
			args[name] = i
		case boolean:
			if _, ok := v.(bool); !ok {
				return nil, nil, fmt.Errorf("malformed_reference: %s must be true or false", name)
			}
		}
	}
	if p, _ := args["pattern"].(string); sc.pattern && p == "" {
		return nil, nil, fmt.Errorf("malformed_reference: %s needs a pattern", c.Tool)
	}
	if len(locations) < sc.locations {
		return nil, nil, fmt.Errorf("malformed_reference: %s needs a reference", c.Tool)
	}
	return args, locations, nil
}
