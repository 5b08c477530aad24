package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/nearest"
	"github.com/umpire-dev/umpire/internal/plural"
)

// forms describe the values of each type of flag.
var forms = map[string]string{
	"duration":    "a duration such as 4h, 90m or 30d",
	"int":         "a whole number",
	"intSlice":    "one or more whole numbers, separated by commas",
	"stringToInt": "one or more NAME=NUMBER, separated by commas",
	"float64":     "a number",
	"bool":        "true or false",
}

// FlagFault rewords an error about a flag of c. The errors of pflag are written for Go
// programmers.
func FlagFault(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() == "" {
		name := "--" + unknown.GetSpecifiedName()
		if near := nearest.Word(name, flagNames(c)); near != "" {
			return fmt.Errorf("unknown flag %s (did you mean %s?)", name, near)
		}
		if slices.ContainsFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Flag(name[2:]) != nil }) {
			return fmt.Errorf("unknown flag %s: put the flags of a command after its name", name)
		}
		return fmt.Errorf("unknown flag %s", name)
	}
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err
	}
	if form := forms[bad.GetFlag().Value.Type()]; form != "" && !errors.As(err, new(rangeError)) {
		return fmt.Errorf("--%s is %q: must be %s", bad.GetFlag().Name, bad.GetValue(), form)
	}
	return fmt.Errorf("--%s is %q: %w", bad.GetFlag().Name, bad.GetValue(), errors.Unwrap(bad))
}

// flagNames are the flags that the help of c lists.
func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// Requires returns a usage error if the user gave one of these flags of c without the
// condition that its help names: "with --live: ...".
func Requires(c *cobra.Command, given bool, condition string, flags ...string) error {
	for _, name := range flags {
		if !given && c.Flags().Changed(name) {
			return Usagef("--%s requires %s; see %s --help", name, condition, c.CommandPath())
		}
	}
	return nil
}

// HostNames returns a usage error if --host has a value that no request can name, because it has a
// scheme, a port or a space. The server would otherwise refuse everyone who uses the name.
func HostNames(hosts []string) error {
	for _, h := range hosts {
		other := func(r rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-_.", unicode.ToLower(r))
		}
		if net.ParseIP(h) == nil && (h == "" || strings.HasSuffix(h, ".") || strings.ContainsFunc(h, other)) {
			return Usagef("--host is %q: must be a host name such as gateway.example.com, without scheme and port", h)
		}
	}
	return nil
}

// BoundNumbers rejects numbers and durations below zero in all flags of c and its commands. It also
// rejects zero in flags whose help does not explain "0 means". Most of these flags are limits: a
// script that computes 0 by mistake must not remove one.
func BoundNumbers(c *cobra.Command) {
	for _, set := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if _, done := f.Value.(number); !done && anyof.Equal(f.Value.Type(), "int", "int64", "float64", "duration") {
				f.Value = number{f.Value, strings.Contains(f.Usage, "0 means")}
			}
		})
	}
	for _, sub := range c.Commands() {
		BoundNumbers(sub)
	}
}

// number is the value of a flag with a number or a duration.
type number struct {
	pflag.Value
	zero bool // zero is valid
}

// rangeError means that a number is outside the range of its flag.
type rangeError string

// Error implements error.
func (e rangeError) Error() string { return string(e) }

// Set implements pflag.Value.
func (n number) Set(s string) error {
	if err := n.Value.Set(s); err != nil {
		return err
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	isNumber := err == nil // a duration: zero is written as a number, and a negative one does not parse
	switch {
	case isNumber && n.zero && !(f >= 0 && !math.IsInf(f, 1)):
		return rangeError("must be 0 or more")
	case isNumber && !n.zero && !(f > 0 && !math.IsInf(f, 1)):
		return rangeError("must be more than 0")
	}
	return nil
}

// DurationVar defines a flag with a duration. It also accepts days, and prints its default in the
// same form: 90d, 1h. A negative duration is an error.
func DurationVar(fl *pflag.FlagSet, p *time.Duration, name string, value time.Duration, usage string) {
	*p = value
	fl.Var((*duration)(p), name, usage)
}

// duration is the value of a flag with a duration.
type duration time.Duration

// Type implements pflag.Value.
func (d *duration) Type() string { return "duration" }

// String implements pflag.Value.
func (d *duration) String() string {
	if *d == 0 {
		return "0" // pflag then prints no default
	}
	return strings.NewReplacer(" days", "d", " day", "d", " min", "m", " ", "").Replace(plural.Duration(time.Duration(*d)))
}

// Set implements pflag.Value.
func (d *duration) Set(s string) error {
	rest, days := s, time.Duration(0)
	if before, after, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.ParseUint(before, 10, 16)
		if err != nil {
			return errors.New("must be " + forms["duration"])
		}
		days, rest = time.Duration(n)*24*time.Hour, after
		rest = cmp.Or(rest, "0")
	}
	t, err := time.ParseDuration(rest)
	if err != nil || t < 0 || t+days < t { // durations only: a period that ends before it begins is a mistake
		return errors.New("must be " + forms["duration"])
	}
	*d = duration(t + days)
	return nil
}

// Address returns a usage error for an address that no listener can have.
func Address(source, addr string) error {
	_, port, err := net.SplitHostPort(addr)
	if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil {
		return Usagef("%s is %q: must be HOST:PORT, such as 127.0.0.1:3700", source, addr)
	}
	return nil
}
