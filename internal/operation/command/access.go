package command

import (
	"slices"
	"strings"

	"github.com/umpire-dev/umpire/internal/anyof"
)

// opensToAll reports whether an argument gives everyone access to something.
func opensToAll(args []Word) bool {
	for _, a := range args {
		t := a.Text
		low := strings.ToLower(t)
		switch {
		case strings.Contains(t, "0.0.0.0/0"), strings.Contains(t, "::/0"), strings.Contains(low, "allusers"), strings.Contains(low, "allauthenticatedusers"),
			strings.Contains(low, "public-read"), strings.Contains(low, "authenticated-users"), low == "--publicly-accessible", low == "--allow-unauthenticated",
			low == "--acl-public":
			return true
		}
		if strings.Contains(low, "principal") {
			flat := strings.Map(func(r rune) rune {
				if r == ' ' || r == '"' || r == '\'' || r == '\\' {
					return -1
				}
				return r
			}, low)
			if anyof.Contains(flat, "principal:*", "principal:{aws:*", "--principal=*") {
				return true
			}
		}
	}
	for i, a := range args {
		if i > 0 && (args[i-1].Text == "--principal" && a.Text == "*" || args[i-1].Text == "--public-access" && a.Text != "off" || args[i-1].Text == "--source-address-prefixes" && (a.Text == "*" || strings.EqualFold(a.Text, "internet"))) {
			return true
		}
	}
	return false
}

// adminGrant reports whether an argument names a role or policy with rights over everything.
func adminGrant(args []Word) bool {
	for _, a := range args {
		low := strings.ToLower(a.Text)
		switch {
		case strings.Contains(low, "administratoraccess"), strings.Contains(low, "roles/owner"), strings.Contains(low, "roles/editor"), strings.Contains(low, "cluster-admin"),
			low == "owner", strings.Contains(low, "roles/iam.securityadmin"), strings.Contains(low, "poweruseraccess"), strings.Contains(low, "iamfullaccess"), low == "contributor":
			return true
		}
		if strings.Contains(low, `"action"`) && strings.Contains(strings.ReplaceAll(low, " ", ""), `"action":"*"`) {
			return true
		}
	}
	return false
}

// grants reports whether the words of a command are about access rights.
func grants(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool {
		return anyof.Contains(w, "polic", "role", "iam", "binding", "grant", "member")
	})
}
