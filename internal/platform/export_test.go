package platform

var kindNames = [...]string{"other", "call", "permission", "result", "prompt", "session-start", "session-end", "agent-start", "agent-stop", "notice"}

// String returns the kind's name.
func (k EventKind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "other"
}

// MarshalText implements encoding.TextMarshaler.
func (k EventKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }
