package guardserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/umpire-dev/umpire/guard"
)

// object is a JSON object of the document.
type object = map[string]any

// openAPI describes routes by their Go types, so that it cannot say otherwise than they are.
// Operations have the tags of their Access, if there are any.
func openAPI(routes []route, tags map[Access][]string) []byte {
	schemas, paths := object{}, object{}
	options := &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[guard.Verdict](): {Type: "string", Enum: []any{"reject", "modify", "allow"}},
		reflect.TypeFor[ID]():            {Types: []string{"string", "number"}},
		reflect.TypeFor[time.Time]():     {Type: "string", Format: "date-time"},
	}}
	content := func(kind string, v any) object {
		t := reflect.TypeOf(v)
		if t.Name() == "" {
			return object{kind: object{"schema": object{"type": "object"}}}
		}
		if _, ok := schemas[t.Name()]; !ok {
			schema, err := jsonschema.ForType(t, options)
			if err != nil {
				panic(fmt.Sprintf("no schema for %s: %v", t, err)) // a type of this package's that no test has seen
			}
			schemas[t.Name()] = schema
		}
		return object{kind: object{"schema": object{"$ref": "#/components/schemas/" + t.Name()}}}
	}
	for _, r := range routes {
		ok := object{"description": http.StatusText(r.status)}
		if r.out != nil {
			ok["content"] = content("application/json", r.out)
		}
		op := object{
			"summary": r.summary, "operationId": operation(r),
			"responses": object{strconv.Itoa(r.status): ok, "default": object{"description": "What was wrong and what to do next", "content": content("application/problem+json", Problem{})}},
		}
		if r.in != nil {
			op["requestBody"] = object{"required": true, "content": content("application/json", r.in)}
		}
		if t := tags[access(r)]; len(t) > 0 {
			op["tags"] = t
		}
		if r.public {
			op["security"] = []any{}
		}
		var parameters []any
		if strings.Contains(r.path, "{id}") {
			parameters = append(parameters, object{"name": "id", "in": "path", "required": true, "schema": object{"type": "string"}})
		}
		if strings.HasPrefix(r.path, mounted+"rules") && access(r) == Change {
			parameters = append(parameters, object{"name": "If-Match", "in": "header", "schema": object{"type": "string"}, "description": "The ETag of the version that was read; 412 if it is not live any more"})
		}
		if parameters != nil {
			op["parameters"] = parameters
		}
		path, _ := paths[r.path].(object)
		if path == nil {
			path = object{}
			paths[r.path] = path
		}
		path[strings.ToLower(r.method)] = op
	}
	b, err := json.MarshalIndent(object{
		"openapi":    "3.1.0",
		"info":       object{"title": "umpire guard", "version": "1", "description": "Checks texts that go into a language model, come out of it, and come back from its tools. A text that was judged is answered with 200 whatever the verdict."},
		"security":   []any{object{"token": []any{}}},
		"paths":      paths,
		"components": object{"schemas": schemas, "securitySchemes": object{"token": object{"type": "http", "scheme": "bearer"}}},
	}, "", "  ")
	if err != nil {
		panic(err) // maps and strings always encode
	}
	return append(b, '\n')
}

// operation names an operation: getV1GuardRulesId.
func operation(r route) string {
	name := strings.ToLower(r.method)
	for _, part := range strings.FieldsFunc(r.path, func(c rune) bool { return strings.ContainsRune("/{}-.", c) }) {
		name += strings.ToUpper(part[:1]) + part[1:]
	}
	return name
}
