package sandbox

import (
	"fmt"
	"net"
	"slices"
	"strings"
)

// macSystem lists the folders that programs need on macOS.
var macSystem = []string{"/System", "/Library", "/usr", "/bin", "/sbin", "/opt", "/private/etc", "/private/var/db/dyld", "/private/var/db/timezone", "/private/var/select", "/dev"}

// macServices lists the services that the C library and the loader use.
var macServices = []string{"com.apple.system.opendirectoryd.libinfo", "com.apple.system.logger", "com.apple.system.notification_center", "com.apple.bsd.dirhelper", "com.apple.trustd.agent", "com.apple.SystemConfiguration.configd"}

// Seatbelt formats a Config as a profile of macOS's sandbox-exec. Without an overlay, paths keep
// their place and content: the project is the host's, shown and copied files are read-only in
// place, and hidden files cannot be read. No test runs it on macOS.
func Seatbelt(c *Config) string {
	var b strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&b, format+"\n", a...) }
	paths := func(what string, list []string) {
		list = slices.Clone(list)
		slices.Sort(list)
		for _, p := range slices.Compact(list) {
			line("(%s (subpath %s))", what, quoted(p))
		}
	}
	line("(version 1)")
	line("(deny default)")
	line("; processes see and signal each other only")
	line("(allow process-exec process-fork)")
	line("(allow signal process-info* (target same-sandbox))")
	line("(allow sysctl-read)")
	line("(allow ipc-posix-sem)")
	line("(allow pseudo-tty)")
	line("(allow file-ioctl (regex #\"^/dev/tty\"))")
	for _, name := range macServices {
		line("(allow mach-lookup (global-name %s))", quoted(name))
	}
	line("; the system, without what is private of it")
	line("(allow file-read-metadata)")
	paths("allow file-read*", macSystem)
	line("(allow file-write-data (literal \"/dev/null\") (literal \"/dev/tty\") (regex #\"^/dev/ttys[0-9]+$\") (regex #\"^/dev/fd/\"))")
	line("; the files that the program gets")
	read := slices.Clone(c.ReadOnly)
	var write []string
	for _, m := range slices.Concat(c.Shown, c.Copied) {
		read = append(read, m.From)
		if m.Writable {
			write = append(write, m.From)
		}
	}
	paths("allow file-read*", read)
	paths("allow file-read* file-write*", slices.Concat(c.Writable, write, []string{c.Dir, "/private/tmp", "/private/var/tmp", "/private/var/folders"}))
	line("; whatever else says so: the last rule counts")
	paths("deny file-write*", c.Held)
	paths("deny file-read* file-write*", slices.Concat(c.Hidden, []string{"/private/etc/master.passwd", "/private/etc/sudoers", "/private/etc/sudoers.d", "/private/etc/ssh"}))
	for _, p := range c.Own {
		var shown []string // the visible part of umpire's folders
		for _, m := range c.Shown {
			if within(m.From, p) {
				shown = append(shown, fmt.Sprintf(" (require-not (subpath %s))", quoted(m.From)))
			}
		}
		if len(shown) == 0 {
			line("(deny file-read* file-write* (subpath %s))", quoted(p))
			continue
		}
		line("(deny file-read* file-write* (require-all (subpath %s)%s))", quoted(p), strings.Join(shown, ""))
	}
	line("; the only way out")
	line("(deny network*)")
	var ports []string
	for addr := range c.Gates {
		if _, port, err := net.SplitHostPort(addr); err == nil {
			ports = append(ports, port)
		}
	}
	slices.Sort(ports)
	for _, port := range ports {
		line("(allow network-outbound (remote tcp %s))", quoted("localhost:"+port))
	}
	line("(allow network-bind network-inbound (local tcp \"localhost:*\"))")
	return b.String()
}

// quoted quotes a text for a profile. A path may contain anything.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
