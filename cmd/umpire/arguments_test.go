package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/cmd/umpire/cli"
)

// Who gives too few or too many arguments is told how it goes.
func TestArguments(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"too few", "shims", "usage: umpire shims DIR [PROGRAM...]"},
		{"too many", "questions now", "usage: umpire questions"},
		{"of a command below", "queue show", "usage: umpire queue show ID"},
		{"no command", "chek", "did you mean check?"},
		{"a workspace that is none", "serve --listen 127.0.0.1:0 --workspace /there/is/none", "not a folder"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			root := newRoot()
			root.SetArgs(strings.Fields(tt.args))
			err := root.Execute()
			var usage cli.UsageError
			if !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v", err)
			}
		})
	}
}
