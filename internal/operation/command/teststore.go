package command

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
	"github.com/umpire-dev/umpire/internal/operation/place"
)

// TestStore is the suffix of the language of statements for a test database on this machine.
const TestStore = "@test"

// TestName reports whether the name of a database or an index says that it is for tests. It ignores
// a number at the end, which stands for one of several test processes.
func TestName(name string) bool {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' })
	n := len(parts)
	for len(parts) > 1 && strings.Trim(strings.ReplaceAll(parts[len(parts)-1], umpire.Hole, ""), "0123456789#") == "" {
		parts = parts[:len(parts)-1]
	}
	if n < 2 || production(name) {
		return false
	}
	return parts[0] == "test" || slices.Contains([]string{"test", "tests", "testing", "e2e", "ci"}, parts[len(parts)-1])
}

// passingFile reports whether a database file is temporary: it is in memory, in a temporary folder,
// or a generated or test database of the project.
func (c *Call) passingFile(w Word) bool {
	if w.Text == ":memory:" || !w.Known() {
		return w.Known()
	}
	stem, _, _ := strings.Cut(path.Base(w.Text), ".")
	_, p := c.Path(w)
	return p&umpire.PlaceTemp != 0 || p&umpire.PlaceInWorkspace != 0 && (p&umpire.PlaceGenerated != 0 || stem == "test" || TestName(stem))
}

// testStore reports whether a client's statements go only to test databases on this machine. It
// returns false if a statement or a command may reach another database.
func (c *Call) testStore() bool {
	for _, v := range []string{"PGSERVICE", "PGOPTIONS"} {
		if w, ok := c.Var(v); ok && w.Text != "" {
			return false
		}
	}
	if l := c.Model.Lang; l == "sqlite" || l == "duckdb" {
		return c.passingFile(c.Arg(0)) && !slices.ContainsFunc(c.Args, func(w Word) bool { return LeavesStore(w.Text) })
	}
	names := slices.Concat(c.All("-d"), c.All("-D"))
	if c.Model.Lang != "postgres" || len(names) == 0 {
		names = slices.Concat(names, c.Operands[:min(1, len(c.Operands))])
	}
	for _, w := range names {
		name := w.Text
		if strings.Contains(name, "://") {
			if !testAddress(w) {
				return false
			}
			continue
		}
		if !w.Known() || strings.ContainsAny(name, "=:/ ") || !TestName(name) {
			return false
		}
	}
	files := len(c.All("-f")) + len(c.All("-i")) + len(c.All("--queries-file"))
	return len(names) > 0 && files < 2 && (files == 0 || !c.Has("-c", "-e", "-Q", "-q")) && !slices.ContainsFunc(c.Args, func(w Word) bool { return LeavesStore(w.Text) })
}

// LeavesStore reports whether statements may reach a database other than that of the connection.
func LeavesStore(text string) bool {
	low := strings.ToLower(text)
	for _, s := range [...]string{"getsiblingdb", "getdb", "connect(", "new mongo", "getmongo", "admincommand"} {
		if strings.Contains(low, s) {
			return true
		}
	}
	return anyof.Contains(strings.ReplaceAll(low, `\copy`, ""), `\c`, "use ", "attach", "dblink")
}

// ownScript reports whether a client runs a file of the project in a database on this machine whose
// name says that it is for tests or development. Such files created the content of that database.
func ownScript(c *Call, file Word) bool {
	if _, p := c.Path(file); p&umpire.PlaceInWorkspace == 0 || p&umpire.PlaceGenerated != 0 || file.Taint != 0 || !file.Known() {
		return false
	}
	for _, h := range c.All("-h") {
		if h.Text != "localhost" && h.Text != "127.0.0.1" && !strings.HasPrefix(h.Text, "/") {
			return false
		}
	}
	for _, v := range []string{"PGHOST", "PGHOSTADDR", "PGSERVICE", "MYSQL_HOST"} {
		if w, ok := c.Var(v); ok && w.Text != "" && w.Text != "localhost" && w.Text != "127.0.0.1" {
			return false
		}
	}
	names := slices.Concat(c.All("-d"), c.All("-D"))
	if len(names) == 0 {
		names = c.Operands
	} else if len(names) > 1 { // the last one counts for some clients
		return false
	}
	if len(names) == 0 {
		return false
	}
	name := names[0].Text
	if strings.Contains(name, "://") {
		a := parseAddress(name)
		if !a.local() || strings.Contains(a.Path, "?") {
			return false
		}
		name = strings.Trim(a.Path, "/")
	}
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '-' }) {
		if anyof.Equal(part, "test", "tests", "testing", "dev", "development", "local") {
			return names[0].Known() && !strings.ContainsAny(name, "=:/")
		}
	}
	return false
}

// testEnvironment reports whether a migration tool works on a test database, which tests recreate:
// by an address on this machine, or by a variable or option that selects the test environment. It
// returns false if something may name another database.
func (c *Call) testEnvironment() bool {
	if addresses := c.addresses(); len(addresses) > 0 {
		return !slices.ContainsFunc(addresses, func(w Word) bool { return !testAddress(w) })
	}
	var names []string
	switch c.Program {
	case "sequelize", "sequelize-cli", "knex", "mikro-orm":
		names = []string{"NODE_ENV"}
	case "artisan", "doctrine", "console":
		names = []string{"APP_ENV"}
	case "mix":
		names = []string{"MIX_ENV"}
	case "rails", "rake":
		names = []string{"RAILS_ENV"}
	case "manage.py", "django-admin":
		names = []string{"DJANGO_SETTINGS_MODULE"}
	case "prisma", "dbmate", "sqlx", "diesel", "sea-orm-cli":
	default:
		return false
	}
	if w, ok := c.Var("DATABASE_URL"); ok && w.Text != "" {
		return testAddress(w) && c.Program != "manage.py" && c.Program != "django-admin" && !c.otherAddress()
	}
	env := ""
	for _, n := range names {
		if w, ok := c.Var(n); ok {
			env = w.Text[strings.LastIndexByte(w.Text, '.')+1:]
		}
	}
	for i, w := range c.Args {
		if v, ok := strings.CutPrefix(w.Text, "--env="); ok {
			env = v
		} else if w.Text == "--env" && i+1 < len(c.Args) {
			env = c.Args[i+1].Text
		}
		if name, ok := strings.CutPrefix(w.Text, "--settings="); ok && (c.Program == "manage.py" || c.Program == "django-admin") { // Django names a module: shop.settings.test
			env = name[strings.LastIndexByte(name, '.')+1:]
		}
	}
	return (env == "test" || env == "testing") && !c.otherAddress()
}

// otherAddress reports whether an option names a database, or a file that names one.
func (c *Call) otherAddress() bool {
	return slices.ContainsFunc(c.Args, func(w Word) bool {
		return anyof.HasPrefix(w.Text, "--url", "-u", "--connection", "--database", "--schema", "--config", "-c", "-D", "-x", "-n")
	})
}

// addresses returns the addresses of databases among the arguments and the values of options: -u
// postgres://localhost/app_test, -url=jdbc:h2:mem:test.
func (c *Call) addresses() (ws []Word) {
	for _, w := range c.Args {
		if name, value, ok := strings.Cut(w.Text, "="); ok && strings.HasPrefix(name, "-") {
			w = w.With(value)
		}
		if strings.Contains(w.Text, "://") || strings.HasPrefix(w.Text, "jdbc:") {
			ws = append(ws, w)
		}
	}
	return ws
}

// testAddress reports whether an address leads to a test database on this machine, or to one in the
// program's memory.
func testAddress(w Word) bool {
	text := strings.TrimPrefix(w.Text, "jdbc:")
	if w.Known() && strings.HasPrefix(text, "h2:mem:") {
		return true
	}
	if file, ok := strings.CutPrefix(text, "file:"); ok && w.Known() {
		stem, _, _ := strings.Cut(path.Base(file), ".")
		return stem == "test" || TestName(stem)
	}
	a := parseAddress(text)
	name, query, _ := strings.Cut(a.Path, "?")
	return w.Known() && strings.Contains(text, "://") && a.local() && (query == "" || query == "sslmode=disable") && TestName(strings.Trim(name, "/"))
}

// endpoint returns the resource of a network operation for a target (URL, host, host:port,
// user@host:path): host:port, or the host if the port is not known. t has the risks of the target.
func endpoint(text string) (resource string, t umpire.Trait) {
	l := place.Parse(text)
	resource = l.Host
	if strings.Contains(resource, ":") {
		resource = "[" + resource + "]"
	}
	if l.Port != "" {
		resource += ":" + l.Port
	}
	near := l.Class&(place.Loopback|place.Metadata) != 0
	switch {
	case l.Scheme == "http" || l.Scheme == "ftp" || l.Scheme == "ws" || l.Scheme == "telnet":
		if !near {
			t |= umpire.PlainHTTP
		}
	}
	t |= When(l.Class&place.RawIP != 0 && !near, umpire.RawIP)
	t |= When(l.Class&place.Metadata != 0, umpire.Metadata)
	t |= When(l.Class&place.Deceptive != 0, umpire.Obfuscated)
	return resource, t
}

// address is a parsed target that a program contacts.
type address struct{ place.Location }

// parseAddress parses a target, and drops the fragment of a URL.
func parseAddress(text string) address {
	l := place.Parse(text)
	l.Path, _, _ = strings.Cut(l.Path, "#")
	return address{l}
}

// local reports whether the host is this machine, also as a container sees it.
func (a address) local() bool {
	return a.Class&place.Loopback != 0 || a.Host == "0.0.0.0" || a.Host == "host.docker.internal"
}

// hostport returns the resource of a plain connection: the host, and the port if it is known.
func (a address) hostport() string {
	h := a.Host
	if strings.Contains(h, ":") {
		h = "[" + h + "]"
	}
	if a.Port != "" {
		h += ":" + a.Port
	}
	return h
}

// developed reports whether a service is probably under development here: it is on this machine,
// at a port that web frameworks use, and not at that of a database.
func (a address) developed() bool {
	if !a.local() {
		return false
	}
	return anyof.Equal(a.Port, "3000", "3001", "3002", "3003", "4000", "4200", "4321", "5000", "5001", "5173", "5174", "8000", "8080", "8787", "8888")
}

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
	if anyof.Listed("5432 3306 6379 27017 9200 9092 5672 2379 8086 9042", port) {
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
	i := slices.IndexFunc(storePorts[:], func(s storePort) bool { return anyof.Listed(s.clients, c.Program) })
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
