package redact_test

import (
	"strings"
	"testing"

	"github.com/umpire-dev/umpire/internal/redact"
)

// The adversary reads the log: a command must not bring its secret there by a list of
// commands, the name of a registry or an option of one letter.
func TestCommandsKeepNoSecret(t *testing.T) {
	const secret = "hunter2Xq9z"
	for _, in := range []string{
		`{"commands":["mysql -p` + secret + ` db"]}`,
		`{"command":"npm config set //registry.example/:_authToken ` + secret + `"}`,
		`{"command":"aws configure set profile.dev.aws_secret_access_key ` + secret + `"}`,
		`{"command":"openssl enc -aes-256-cbc -k ` + secret + ` -in x"}`,
	} {
		if got := string(redact.JSON([]byte(in))); strings.Contains(got, secret) {
			t.Errorf("%s is logged as %s", in, got)
		}
	}
}
