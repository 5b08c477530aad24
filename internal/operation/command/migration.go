package command

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/umpire-dev/umpire"
	"github.com/umpire-dev/umpire/internal/anyof"
)

// schemaVariables lists the variables that select the database of a migration tool.
var schemaVariables = [...]string{"RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "DJANGO_SETTINGS_MODULE", "DATABASE_URL", "FLASK_ENV", "ENV"}

// schema records that a migration tool resets or drops a database. Production, or a flag that skips
// the tool's own question (final), makes it irreversible. In a test environment it is only a
// change. A database that an address puts on this machine is made again from its migrations.
func (c *Call) schema(verb string, final bool) {
	t := umpire.Destroy | umpire.DataStore | umpire.Bulk | c.onProduction()
	final = final || t&umpire.Production != 0
	if t&umpire.Production == 0 && c.testEnvironment() {
		c.Op(umpire.Database, verb+" "+c.Program, umpire.Mutate)
		return
	}
	if final && (t&umpire.Production != 0 || !c.localAddress()) {
		t |= umpire.Irreversible
	}
	c.Op(umpire.Database, verb+" "+c.Program, t)
}

// localAddress reports whether the call names its database by addresses, all of them on this machine.
func (c *Call) localAddress() bool {
	addresses := c.addresses()
	if w, ok := c.Var("DATABASE_URL"); ok {
		for _, name := range [...]string{"DIRECT_URL", "DIRECT_DATABASE_URL", "PGHOST", "PGHOSTADDR", "PGSERVICE", "MYSQL_HOST", "DB_HOST", "DATABASE_HOST"} {
			if _, ok := c.Var(name); ok { // may lead elsewhere
				return false
			}
		}
		if c.otherAddress() || anyof.Equal(c.Program, "manage.py", "django-admin") { // settings name the database instead
			return false
		}
		addresses = append(addresses, w)
	}
	return len(addresses) > 0 && c.forDevelopers() && !slices.ContainsFunc(addresses, func(w Word) bool {
		base, query, _ := strings.Cut(w.Text, "?")
		a := parseAddress(w.Text)
		return !a.local() || strings.ContainsAny(base, `\#`) || anyof.Contains(query, "host", "service", "%") || // ?host= replaces the host before it
			strings.HasPrefix(a.Host, "127.") && strings.ContainsFunc(a.Host, unicode.IsLetter) // 127.0.0.1.nip.io
	})
}

// onProduction returns Production if a variable or an argument says that a migration tool works on a
// production database.
func (c *Call) onProduction() umpire.Trait {
	for _, name := range schemaVariables {
		if v, ok := c.Var(name); ok && (strings.Contains(strings.ToLower(v.Text), "prod") || v.Taint&FromProduction != 0) {
			return umpire.Production
		}
	}
	if slices.ContainsFunc(c.Args, func(w Word) bool { return production(w.Text) || w.Taint&FromProduction != 0 }) {
		return umpire.Production
	}
	return 0
}

// migrates records that a migration tool changes the schema of a production database.
func (c *Call) migrates() {
	if t := c.onProduction(); t != 0 {
		c.Op(umpire.Database, "migrate "+c.Program, umpire.Mutate|t)
	}
}

// undo records that a migration tool reverts a number of steps, "" if the call does not say it. In
// development, one step is everyday work: the next migration makes it again.
func (c *Call) undo(verb, steps string) {
	t := umpire.Destroy | umpire.Mutate
	if one := strings.TrimLeft(steps, "-~"); (one == "" || one == "1") && c.forDevelopers() || c.testEnvironment() {
		t = umpire.Mutate
	}
	c.Op(umpire.Database, verb+" "+c.Program, t)
}

// steps returns how many steps a migration tool reverts: the word after its verb, or an option.
func (c *Call) steps(next string) string {
	for _, w := range c.Args {
		if len(w.Text) > 1 && strings.Trim(w.Text[1:], "0123456789") == "" && w.Text[0] == '-' {
			next = w.Text // alembic downgrade -2
		}
	}
	if n, ok := ConfigValue(c, "-n", "--step", "--steps", "--to", "--count", "-limit", "--limit"); ok {
		next = n
	}
	if next == "" && anyof.Equal(c.Program, "migrate", "golang-migrate", "yoyo", "sqitch") {
		return "all"
	}
	return next
}

// forDevelopers reports whether nothing says that a migration tool works on a database other than
// the one of this machine.
func (c *Call) forDevelopers() bool {
	for _, name := range schemaVariables {
		if w, ok := c.Var(name); ok && (!w.Known() || production(w.Text) || farStore(w)) {
			return false
		}
	}
	return !slices.ContainsFunc(c.Args, func(w Word) bool {
		return !w.Known() || production(w.Text) || strings.Contains(w.Text, "staging")
	}) && !slices.ContainsFunc(c.addresses(), farStore)
}

// farStore reports whether an address leads to a database on another machine.
func farStore(w Word) bool {
	return strings.Contains(w.Text, "://") && !strings.HasPrefix(w.Text, "sqlite") && !parseAddress(w.Text).local()
}

func doPrisma(c *Call) {
	all := strings.Join(lowers(c.Operands), " ")
	switch {
	case all == "migrate reset":
		c.schema("reset", c.Has("--force"))
	case all == "db push":
		if c.Has("--force-reset", "--accept-data-loss") {
			c.schema("reset", true)
		}
	case all == "db execute":
		if f, ok := c.Opt("--file"); ok {
			c.sqlFile("sql:postgres", f)
		} else if c.Stdin.Pipe {
			c.Script("sql:postgres", c.Stdin, Run{Via: c.Program, Traits: c.Traits})
		}
	case all == "migrate deploy":
		c.Op(umpire.Database, "migrate prisma", umpire.Mutate|c.onProduction())
	}
}

func doRails(c *Call) {
	if strings.HasSuffix(c.Program, "rake") && !c.Has("-T", "-P", "-W", "-D", "-AT", "--tasks", "--prereqs", "--where", "--describe") {
		var want []string
		for _, w := range c.Operands {
			want = append(want, w.Text)
		}
		rakeTasks(c, want)
	}
	env, _ := c.Var("RAILS_ENV")
	_, elsewhere := c.Var("DATABASE_URL")
	given := slices.ContainsFunc(c.Operands, func(w Word) bool { return w.Text == "RAILS_ENV=test" })
	forTests := (env.Text == "test" || given) && !elsewhere // tests recreate this database all the time
	for i, w := range c.Operands {
		v, _, _ := strings.Cut(w.Text, "[")
		switch {
		case (v == "runner" || v == "r") && i == 0 && len(c.Operands) > 1:
			c.railsRunner(c.Operands[1])
			return
		case (v == "dbconsole" || v == "db") && i == 0:
			c.Exec(Lits("psql"), Run{Out: true})
			return
		case (v == "console" || v == "c") && i == 0:
			c.railsRunner(Lit("-"))
			return
		case strings.HasPrefix(v, "db:drop"), v == "db:purge", v == "db:reset", v == "db:schema:load", v == "db:structure:load", v == "db:migrate:reset", v == "db:truncate_all", v == "db:seed:replant", strings.HasPrefix(v, "db:reset"), strings.HasPrefix(v, "db:schema:load"), strings.HasPrefix(v, "db:purge"), v == "db:setup":
			if forTests {
				continue
			}
			if v == "db:setup" {
				c.schema("setup", false)
				continue
			}
			_, unprotected := c.Var("DISABLE_DATABASE_ENVIRONMENT_CHECK")
			c.schema(v, unprotected || strings.Contains(strings.Join(lowers(c.Operands), " "), "disable_database_environment_check=1"))
		case v == "db:migrate":
			c.migrates()
			if to, _ := ConfigValue(c, "VERSION"); to == "0" && !forTests {
				c.schema(v, false)
			}
		case (v == "db:rollback" || v == "db:migrate:down") && forTests:
		case v == "db:rollback" || v == "db:migrate:down":
			steps, _ := ConfigValue(c, "STEP")
			c.undo(v, steps)
		case v == "credentials:show", v == "credentials:edit" && c.setsEditor():
			c.Taints(FromSecret)
			c.infra("reveal", []string{"credentials"}, nil, umpire.CarriesSecret)
		}
	}
}

// railsRunner reads the code that Rails runs within the application: on the command line, from a
// file, or from its input.
func (c *Call) railsRunner(w Word) {
	text := Stream{Text: w.Text, Seen: true, Taint: w.Taint}
	switch {
	case w.Text == "-":
		text = c.Stdin
		c.Script("ruby", text, Run{Out: true, Via: c.Program})
	case strings.HasSuffix(w.Text, ".rb"):
		text = c.File(w)
		c.RunFile("ruby", w, Run{Out: true})
	default:
		c.Code("ruby", w, Run{Out: true})
	}
	for _, after := range strings.Split(text.Text, "Rake::Task[")[1:] {
		if task, _, ok := strings.Cut(after, "]"); ok {
			c.Exec(append(Lits("rake"), w.With(strings.Trim(task, `'":`))), Run{Out: true})
		}
	}
	for _, m := range []string{".destroy_all", ".delete_all", "drop_table", ".truncate"} {
		if code := text.Text; strings.Contains(code, m) {
			bare := !strings.Contains(code, "where") && !strings.Contains(code, "find_by") && !strings.Contains(code, "limit(")
			t := umpire.Destroy | umpire.Mutate
			if bare {
				t |= erased | umpire.NoWhere
			}
			c.Op(umpire.Database, "delete "+strings.TrimPrefix(m, "."), t)
			return
		}
	}
}

// setsEditor reports whether the call sets an unusual editor: with EDITOR=cat, the program would
// print the file that it opens for editing.
func (c *Call) setsEditor() bool {
	return slices.ContainsFunc([]string{"EDITOR", "VISUAL"}, func(name string) bool {
		w, ok := c.Var(name)
		return ok && w.Text != "" && !anyof.Equal(w.Text, "vim", "vi", "nano", "code --wait")
	})
}

func doArtisan(c *Call) {
	switch c.Arg(0).Text {
	case "migrate:fresh", "migrate:reset", "migrate:refresh", "db:wipe", "telescope:clear":
		c.schema(c.Arg(0).Text, c.Has("--force"))
	case "migrate:rollback":
		steps, _ := ConfigValue(c, "--step", "--batch")
		c.undo("rollback", steps)
	}
}

// laterMigrations returns how many of an app's migrations migrating to one of them reverts: "" if
// their files are not found.
func laterMigrations(c *Call, app, target Word) string {
	if !app.Known() || !target.Known() {
		return "some"
	}
	later, found := 0, false
	for _, dir := range []string{app.Text, "apps/" + app.Text, "src/" + app.Text} {
		for _, name := range c.Names(Lit(dir + "/migrations")) {
			if name, ok := strings.CutSuffix(name, ".py"); ok && name[0] >= '0' && name[0] <= '9' {
				if strings.HasPrefix(name, target.Text) {
					found = true
				} else if name > target.Text {
					later++
				}
			}
		}
	}
	if !found {
		return ""
	}
	return strconv.Itoa(later)
}

func doDjango(c *Call) {
	switch c.Arg(0).Text {
	case "flush", "reset_db", "drop_test_database":
		c.schema(c.Arg(0).Text, c.Has("--noinput"))
	case "migrate":
		c.migrates()
		if len(c.Operands) > 2 && c.Arg(2).Text == "zero" {
			c.schema("migrate-zero", false)
		} else if len(c.Operands) > 2 && !c.Has("--plan", "--check", "--list", "-l") {
			if steps := laterMigrations(c, c.Arg(1), c.Arg(2)); steps != "0" {
				c.undo("migrate-to", steps)
			}
		}
	case "dbshell":
		c.Exec(append(Lits("psql"), c.Operands[1:]...), Run{Out: true})
	}
}

// doMigrator reads migration tools by their verb: drop and reset lose all data, down and undo
// revert one step.
func doMigrator(c *Call) {
	if to, ok := ConfigValue(c, "--down", "--destination", "--to", "-to", "--target", "-d"); ok && len(c.Operands) > 0 {
		switch {
		case anyof.Equal(to, "0", "all", "zero", "base"):
			c.schema("down", false)
			return
		case HasText(c.Args, "--down"):
			c.undo("down", "more")
			return
		}
	}
	if c.Has("--allow-unsafe", "--allow-destructive", "--accept-data-loss") || c.Program == "strapi" && c.Arg(0).Text == "import" {
		c.schema(c.Arg(0).Text, false)
		return
	}
	for i, w := range c.Operands {
		if i > 3 {
			return
		}
		low := strings.ToLower(w.Text)
		final := c.Has("--force", "-f", "-y", "--full-database")
		switch low {
		case "drop", "reset", "clean", "dropall", "drop-all", "drop_all", "schema:drop", "db:drop", "db:drop:all", "database:drop", "doctrine:database:drop", "doctrine:schema:drop", "orm:schema-tool:drop", "fresh", "refresh",
			"migrate:fresh", "migration:fresh", "schema:fresh", "database:import", "sql-drop", "db:reset", "redo-all", "drop-database", "wipe", "site-install":
			if c.Program == "drizzle-kit" && low == "drop" || (c.Program == "wp" || c.Program == "drush") && i > 1 {
				c.Op(umpire.Database, "drop migration", umpire.Destroy|umpire.Mutate)
				return
			}
			if c.Program == "strapi" || c.Program == "goose" && low != "reset" {
				return
			}
			c.schema(low, final || low == "clean" && c.Program == "flyway" || low == "dropall" || low == "drop-all" || low == "drop" && c.Program != "migrate" && c.Program != "golang-migrate")
			return
		case "upgrade", "up", "migrate", "migrate:latest", "migration:run", "db:migrate", "deploy":
			c.migrates()
		case "down", "downgrade", "rollback", "revert", "undo", "migration:revert", "migrate:rollback", "migrate:down", "db:migrate:undo", "db:migrate:undo:all", "migration:down", "db:rollback", "backwards", "rollback-count", "down-to", "rollbackcount", "db:seed:undo:all":
			next := ""
			if i+1 < len(c.Operands) {
				next = c.Operands[i+1].Text
			}
			if next == "base" || next == "0" || next == "zero" || strings.HasSuffix(low, ":all") || c.Has("--all", "-all") {
				c.schema(low, false)
				return
			}
			c.undo(low, c.steps(next))
			return
		case "push":
			if c.Program == "drizzle-kit" && final { // loses data that no longer fits
				c.schema(low, false)
				return
			}
		case "execute":
			if s, ok := c.Opt("--sql"); ok {
				c.Code("sql:postgres", s, Run{})
			}
		}
	}
}

// appScript reads a framework's script by its arguments: "manage.py flush" is Django's, whatever
// the file contains.
func appScript(c *Call, ws []Word) {
	name := ws[0].Text[strings.LastIndexByte(ws[0].Text, '/')+1:]
	if anyof.Equal(name, "manage.py", "artisan", "rails", "rake", "console", "doctrine") {
		c.Exec(append(Lits(name), ws[1:]...), Run{Out: true})
	}
}
