package policy_test

import (
	"encoding"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/policy"
)

// Policy files, records and messages have the values of enumerations by their names.
func TestNamesOfValues(t *testing.T) {
	for _, tt := range []struct {
		of    func(n uint8) fmt.Stringer
		read  func(text string) (fmt.Stringer, error)
		names []string
	}{
		{func(n uint8) fmt.Stringer { return policy.Mode(n) }, unmarshal[policy.Mode], []string{"", "approve-each", "approve-bulk", "allow-all", "deny-all"}},
		{func(n uint8) fmt.Stringer { return policy.ToolOutput(n) }, unmarshal[policy.ToolOutput], []string{"replace", "warn", "pass"}},
		{func(n uint8) fmt.Stringer { return policy.Scope(n) }, unmarshal[policy.Scope], []string{"none", "risky", "all"}},
		{func(n uint8) fmt.Stringer { return policy.CannotAsk(n) }, unmarshal[policy.CannotAsk], []string{"deny", "wait"}},
		{func(n uint8) fmt.Stringer { return policy.Layer(n) }, nil, []string{"project", "trusted project", "builtin", "user", "managed"}},
		{func(n uint8) fmt.Stringer { return umpire.Effect(n) }, unmarshal[umpire.Effect], []string{"deny", "ask", "allow"}},
	} {
		for i, name := range tt.names {
			v := tt.of(uint8(i))
			if v.String() != name {
				t.Errorf("%T %d: got %q, want %q", v, i, v, name)
			}
			if tt.read == nil || name == "" {
				continue
			}
			text, err := v.(encoding.TextMarshaler).MarshalText()
			if err != nil || string(text) != name {
				t.Errorf("%T %d: marshalled as %q, %v, want %q", v, i, text, err, name)
			}
			if back, err := tt.read(name); err != nil || back != v {
				t.Errorf("%T: %q is read as %v, %v, want %v", v, name, back, err, v)
			}
		}
		for _, n := range []uint8{uint8(len(tt.names)), 255} {
			if v := tt.of(n); v.String() != "unknown" && v != fmt.Stringer(umpire.Effect(n)) { // an Effect without a name denies
				t.Errorf("%T %d: got %q, want unknown", v, n, v)
			}
		}
		for _, text := range []string{"x", " ", tt.names[1] + "x", strings.ToUpper(tt.names[1])} {
			if tt.read == nil {
				continue
			}
			if v, err := tt.read(text); err == nil {
				t.Errorf("%T: %q is read as %v, want an error", v, text, v)
			} else if !strings.Contains(err.Error(), tt.names[1]) {
				t.Errorf("%T: the error %q does not say what to use", v, err)
			}
		}
	}
}

func unmarshal[V any, P interface {
	*V
	encoding.TextUnmarshaler
}](text string) (fmt.Stringer, error) {
	var v V
	err := P(&v).UnmarshalText([]byte(text))
	return any(v).(fmt.Stringer), err
}

// Each fault names its rule and place, says what is wrong, and what to do.
func TestFaultsSayWhatToDo(t *testing.T) {
	a, no := []policy.Pattern{policy.MustParse("exec(a)")}, false
	for want, src := range map[string]policy.Source{
		`r: it has no pattern | add deny, ask or allow with a pattern`:                                {Rules: []policy.Rule{{ID: "r"}}},
		`r: it has no effect | use deny, ask or allow`:                                                {Rules: []policy.Rule{{ID: "r", Match: a, Effect: umpire.Allow + 1}}},
		`r: its layer is unknown | set one of the layers`:                                             {Rules: []policy.Rule{{ID: "r", Match: a, Layer: policy.Managed + 1}}},
		`r: it can never match: trait force is required and excluded | remove one of them`:            {Rules: []policy.Rule{{ID: "r", Match: a, When: policy.Condition{Traits: umpire.Force | umpire.Bulk, Without: umpire.Force}}}},
		`r: it can never match exec(a): the same pattern is under unless | remove one of them`:        {Rules: []policy.Rule{{ID: "r", Match: a, Unless: a}}},
		`r: it can never match: trait from-network makes an operation tainted | remove one of them`:   {Rules: []policy.Rule{{ID: "r", Match: a, When: policy.Condition{Tainted: &no, Traits: umpire.FromNetwork}}}},
		`: 65536 is not a size or number of audit files | use 1 to 65535, or leave it out`:            {Audit: policy.Audit{MaxSize: 65536}},
		`: -1 is not a size or number of audit files | use 1 to 65535, or leave it out`:               {Audit: policy.Audit{Keep: -1}},
		`: allowed endpoint GET h names a method or path | write host or host:port, or an allow rule`: {AllowedEndpoints: []policy.Endpoint{{Host: "GET h", Layer: policy.User}}},
		`: allowed endpoint h/p names a method or path | write host or host:port, or an allow rule`:   {AllowedEndpoints: []policy.Endpoint{{Host: "h/p", Layer: policy.User}}},
		"": {Rules: []policy.Rule{{ID: "r", Match: a, Layer: policy.Managed}}, Audit: policy.Audit{MaxSize: 65535, Keep: 1}, AllowedEndpoints: []policy.Endpoint{{Host: "h:1", Layer: policy.User}}},
	} {
		for i := range src.Rules {
			src.Rules[i].Pos.Line = 7
		}
		_, err := policy.Compile(src)
		got := ""
		var list policy.Errors
		if errors.As(err, &list) && len(list) == 1 {
			got = list[0].Rule + ": " + list[0].Msg + " | " + list[0].Hint
			if len(src.Rules) > 0 && list[0].Pos.Line != 7 {
				t.Errorf("%s: at line %d, want 7", got, list[0].Pos.Line)
			}
		}
		if got != want || (err == nil) != (want == "") {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
}
