package mcpclient

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxName limits the length of a tool's name.
const maxName = 64

// toolName returns the agent's name for a server's tool: mcp__server__tool. If a name must be
// changed, part of its hash is appended, so that two tools never share a name.
func toolName(server, tool string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, tool)
	name := "mcp__" + server + "__" + clean
	if clean == tool && len(name) <= maxName {
		return name
	}
	sum := sha256.Sum256([]byte(tool))
	end := "_" + hex.EncodeToString(sum[:4])
	return name[:min(len(name), maxName-len(end))] + end
}
