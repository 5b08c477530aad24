package umpire

import "fmt"

// Effect says what to do with an Action. Effects are ordered from the strictest to the
// mildest, so min returns the stricter of two. The zero value is Deny.
type Effect uint8

const (
	Deny  Effect = iota // stop it and say why
	Ask                 // ask a person
	Allow               // let it run
)

var effectNames = [...]string{"deny", "ask", "allow"}

// String returns "deny", "ask" or "allow".
func (e Effect) String() string {
	if int(e) < len(effectNames) {
		return effectNames[e]
	}
	return "deny" // an invalid value must not permit anything
}

// ParseEffect reads the name of an Effect.
func ParseEffect(s string) (Effect, error) {
	for i, n := range effectNames {
		if n == s {
			return Effect(i), nil
		}
	}
	return Deny, fmt.Errorf("unknown effect %q: use deny, ask or allow", s)
}

// MarshalText implements encoding.TextMarshaler.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *Effect) UnmarshalText(b []byte) (err error) {
	*e, err = ParseEffect(string(b))
	return err
}
