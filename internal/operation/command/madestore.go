package command

import (
	"cmp"
	"slices"
	"strings"
)

// MadeStore is the suffix of the language of statements for a database server that this command
// line started in a container. Its data goes with the container.
const MadeStore = "@made"

// storePort describes how a client of a database selects a port of this machine.
type storePort struct {
	clients string
	option  string
	usual   string   // the port without the option
	hosts   []string // with which the client uses the usual port; "" is no host
}

var storePorts = [...]storePort{
	{"psql dropdb createdb pg_restore", "-p", "5432", []string{"localhost", "127.0.0.1"}},
	{"mysql mariadb", "-P", "3306", []string{"127.0.0.1"}}, // localhost is a socket
	{"redis-cli valkey-cli", "-p", "6379", []string{"", "localhost", "127.0.0.1"}},
	{"mongosh mongo", "--port", "27017", []string{"", "localhost", "127.0.0.1"}},
}

// portKey returns the key under which a command line remembers a port that its own container
// serves. An engine fails if the port is in use, and another server then gets the statements. For
// the usual ports, the engine must have succeeded.
func portKey(port string) string {
	if hasWord("5432 3306 6379 27017 9200 9092 5672 2379 8086 9042", port) {
		return Made + "port " + port
	}
	return "port " + port
}

// publishes remembers the ports of this machine that a new container serves.
func (c *Call) publishes() {
	for _, w := range c.All("-p") {
		parts := strings.Split(strings.TrimSuffix(w.Text, "/tcp"), ":") // ADDRESS:PORT:PORT
		if n := len(parts); n > 1 && w.Known() {
			c.Define(portKey(parts[n-2]), w)
		}
	}
}

// madeAddress reports whether an address leads to a port that a container of this command line
// serves.
func (c *Call) madeAddress(a address) bool {
	return a.local() && a.Port != "" && len(c.Defined(portKey(a.Port))) > 0
}

// madeStore reports whether a client contacts only a port that a container of this command line
// serves.
func (c *Call) madeStore() bool {
	i := slices.IndexFunc(storePorts[:], func(s storePort) bool { return hasWord(s.clients, c.Program) })
	if i < 0 {
		return false
	}
	s := storePorts[i]
	ports := c.All(s.option)
	for _, w := range slices.Concat(c.Operands, c.All("-u"), c.All("-d")) {
		if strings.Contains(w.Text, "://") {
			ports = append(ports, w.With(cmp.Or(parseAddress(w.Text).Port, s.usual)))
		}
	}
	if w, ok := c.Var("PGPORT"); ok && s.option == "-p" && len(ports) == 0 {
		ports = append(ports, w)
	}
	if host, _ := c.Opt("-h"); len(ports) == 0 && slices.Contains(s.hosts, host.Text) {
		ports = Lits(s.usual)
	}
	if slices.ContainsFunc(c.Args, func(w Word) bool { return LeavesStore(w.Text) }) {
		return false
	}
	return len(ports) > 0 && !slices.ContainsFunc(ports, func(w Word) bool {
		return !w.Known() || len(c.Defined(portKey(w.Text))) == 0
	})
}
