package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// forms say what the values of a flag's type look like.
var forms = map[string]string{
	"duration": "a duration such as 4h or 90m",
	"int":      "a whole number",
	"intSlice": "a whole number, or several with commas between",
	"float64":  "a number",
	"bool":     "true or false",
}

// FlagFault puts what is wrong with a flag into words. pflag's own are those of Go's parsers.
func FlagFault(err error) error {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	if form := forms[bad.GetFlag().Value.Type()]; form != "" {
		return fmt.Errorf("--%s is %q: must be %s", bad.GetFlag().Name, bad.GetValue(), form)
	}
	return fmt.Errorf("--%s is %q: %w", bad.GetFlag().Name, bad.GetValue(), errors.Unwrap(bad))
}
